import fc from "fast-check";
import {
  automationCostContract,
  type Contract,
  mailFilterContract,
  mcpConfigContract,
  type ResultOf,
  type ValidInputOf,
} from "../../schemas/index.ts";
import { hostileInput } from "../mail-filter/hostile-filters.ts";
import { localInput, remoteInput } from "../mcp-config/hostile.ts";
import { expectAutomationCostPromises } from "./automation-cost-promises.ts";
import { expectMailFilterPromises } from "./mail-filter-promises.ts";
import { expectMcpConfigPromises } from "./mcp-config-promises.ts";

/** A tool to be fuzzed. */
export interface Subject<C extends Contract = Contract> {
  readonly contract: C;
  /** Inputs that the schema takes, made to go wrong behind it. */
  readonly hostile: fc.Arbitrary<unknown>;
  /** Throws where the result of an accepted input breaks a promise. */
  expectPromises(result: ResultOf<C>, input: ValidInputOf<C>): void;
}

/** Runs of every order of magnitude: a uniform number would nearly always exceed the price list. */
const runs = fc
  .integer({ min: 0, max: 7 })
  .chain((magnitude) => fc.integer({ min: 0, max: 10 ** magnitude }));

const costlyInput = fc.record({
  zaps: fc.array(
    fc.record({
      action_steps: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 100 })),
      runs_per_month: runs,
    }),
    { minLength: 1, maxLength: 25, size: "medium" },
  ),
  billing: fc.constantFrom("annual", "monthly"),
  team: fc.boolean(),
});

const mailFilter: Subject<typeof mailFilterContract> = {
  contract: mailFilterContract,
  hostile: hostileInput,
  expectPromises: expectMailFilterPromises,
};
const automationCost: Subject<typeof automationCostContract> = {
  contract: automationCostContract,
  hostile: costlyInput,
  expectPromises: expectAutomationCostPromises,
};
const mcpConfig: Subject<typeof mcpConfigContract> = {
  contract: mcpConfigContract,
  hostile: fc.oneof(localInput, remoteInput),
  expectPromises: expectMcpConfigPromises,
};

export const SUBJECTS: readonly Subject[] = [mailFilter, automationCost, mcpConfig];
