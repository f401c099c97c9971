import type { Contract } from "../../../schemas/index.ts";
import { fieldsOf } from "../../../src/fields.ts";

/**
 * The input without the values that may be secret: where results hold secrets, those of maps, such
 * as environment variables and headers.
 */
export const withoutSecrets = (contract: Contract, input: unknown): object => {
  const secret = contract.sensitive
    ? fieldsOf(contract.input).filter(({ kind }) => kind === "map")
    : [];
  const names = new Set(secret.map(({ name }) => name));
  return Object.fromEntries(Object.entries(input ?? {}).filter(([name]) => !names.has(name)));
};

export const hasSecrets = (contract: Contract, input: unknown): boolean =>
  Object.keys(withoutSecrets(contract, input)).length < Object.keys(input ?? {}).length;
