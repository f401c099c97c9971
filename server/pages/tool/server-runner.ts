import type { Contract } from "../../../schemas/index.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { readJson } from "../../../src/json-text.ts";
import type { Service } from "../../service.ts";
import { viewOf } from "../views/view-of.ts";
import { sizeIssue, type ToolRunner, toolRunner } from "./state.ts";

/** A tool as the server runs it for its pages. */
export const serverRunner = (contract: Contract, service: Service): ToolRunner =>
  toolRunner(contract, viewOf(contract), {
    run(input, text) {
      const issue = sizeIssue(JSON.stringify(input));
      return issue
        ? { ok: false, error: { code: "invalid_request", message: "", issues: [issue] } }
        : service.toolOf(contract)(input, text);
    },
    parse: parseInput,
  });

function parseInput(text: string): unknown {
  const issue = sizeIssue(text);
  if (issue) throw new InvalidInputError([issue]);
  return readJson(text);
}
