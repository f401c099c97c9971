import { fieldsOf } from "../../../src/fields.ts";
import { type Sheet, warningsOf } from "./sheet.ts";

/**
 * The input without the values that may be secret: where results hold secrets, those of maps, such
 * as environment variables and headers.
 */
export function withoutSecrets({ contract, input }: Sheet): object {
  const secret = contract.sensitive
    ? fieldsOf(contract.input).filter(({ kind }) => kind === "map")
    : [];
  const names = new Set(secret.map(({ name }) => name));
  return Object.fromEntries(Object.entries(input ?? {}).filter(([name]) => !names.has(name)));
}

export const hasSecrets = (sheet: Sheet): boolean =>
  Object.keys(withoutSecrets(sheet)).length < Object.keys(sheet.input ?? {}).length;

/** Whether the tool has found what seems to be a secret in a place where none belongs. */
export const hasStraySecret = (sheet: Sheet): boolean =>
  warningsOf(sheet).some(({ code }) => code.startsWith("secret-in-"));
