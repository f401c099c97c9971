import { type Contract, MAX_TOOL_INPUT_BYTES } from "../../../schemas/index.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { HttpError } from "../../http/error.ts";
import { parseJson } from "../../http/request.ts";
import type { Service } from "../../service.ts";
import { viewOf } from "../views/view-of.ts";
import { type ToolRunner, toolRunner } from "./state.ts";

/** The issue of an input above the server's limit. */
export const TOO_LARGE = { path: "", message: `the input may have ${MAX_TOOL_INPUT_BYTES} bytes` };

/** A tool as the server runs it for its pages. */
export const serverRunner = (contract: Contract, service: Service): ToolRunner =>
  toolRunner(contract, viewOf(contract), {
    run: (input) =>
      Buffer.byteLength(JSON.stringify(input)) > MAX_TOOL_INPUT_BYTES
        ? { ok: false, error: { code: "invalid_request", message: "", issues: [TOO_LARGE] } }
        : service.toolOf(contract)(input),
    parse: parseInput,
  });

function parseInput(text: string): unknown {
  if (Buffer.byteLength(text) > MAX_TOOL_INPUT_BYTES) throw new InvalidInputError([TOO_LARGE]);
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new InvalidInputError([{ path: "", message: "the input must be JSON" }]);
  }
}
