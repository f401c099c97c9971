import type { WarningCode } from "../../../schemas/tools.ts";
import { Diagnostics, InvalidInputError } from "../../issues.ts";
import { nestedSecrets, secretTexts } from "../secrets.ts";
import { type EntryReader, otherFields, readEntry } from "./read-entry.ts";

/** The texts that seem secret in a server of some client's file, to be kept out of what is shown. */
export function entrySecrets(entry: unknown): string[] {
  const ignored: EntryReader = Diagnostics.start<WarningCode<"mcp_config_generator">>();
  try {
    return [...secretTexts(readEntry(entry, ignored)), ...nestedSecrets(otherFields(entry))];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return nestedSecrets(entry);
  }
}
