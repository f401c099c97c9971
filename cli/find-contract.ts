import type { Contract } from "../schemas/index.ts";
import { UsageFailure } from "./failures.ts";

/**
 * The contract that a user means by its command, its tool name or its path segment.
 *
 * @throws {UsageFailure} when there is none.
 */
export function findContract(contracts: readonly Contract[], wanted: string): Contract {
  const found = contracts.find(({ command, name, segment }) =>
    [command, name, segment].includes(wanted),
  );
  if (found) return found;
  const known = contracts.map(({ command }) => command).join(", ");
  throw new UsageFailure([`there is no tool ${JSON.stringify(wanted)}; there are ${known}`]);
}
