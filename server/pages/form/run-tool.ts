import * as v from "valibot";
import type { Contract, ResultOf } from "../../../schemas/index.ts";
import type { RawResult } from "../../../src/findings.ts";
import { runTool, type Tool, withExtendedLimits } from "../../../src/tool.ts";
import { findSizeIssue, type HydratedPage } from "./form-state.ts";

/** Runs a tool in the page, with the limits of the command line. */
export function runLocally<C extends Contract>(
  tool: Tool<C>,
): Pick<HydratedPage<RawResult<ResultOf<C>>>, "run" | "isBeyondApi"> {
  const extended = withExtendedLimits(tool);
  return {
    run: (input, options) => ({ result: runTool(extended, input, options) }),
    isBeyondApi: (input) => isBeyondApi(tool.contract, input),
  };
}

/** Whether an input is above the limits of the API. */
export const isBeyondApi = (contract: Contract, input: unknown): boolean =>
  !v.is(contract.input, input) || findSizeIssue(JSON.stringify(input)) !== undefined;
