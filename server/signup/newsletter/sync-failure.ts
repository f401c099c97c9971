import { withoutData } from "../without-data.ts";

/** The newsletter does not have an address, in words that name no person. */
export class SyncFailure extends Error {
  override readonly name = "SyncFailure";
}

/** What may be told to the operator of any failure. */
export const tellable = (error: unknown): string =>
  (error instanceof SyncFailure ? error : withoutData("The sync with listmonk", error)).message;
