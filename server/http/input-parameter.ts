import { MAX_TOOL_INPUT_BYTES } from "../../schemas/index.ts";
import { tooLarge } from "./body.ts";
import { parseJson } from "./json.ts";
import { queryParameter } from "./query.ts";

/** The JSON value of the query parameter `input`, of at most 16 KiB; undefined when it is absent. */
export function inputParameter(url: string): unknown {
  const input = queryParameter(url, "input");
  if (input === undefined) return undefined;
  if (Buffer.byteLength(input) > MAX_TOOL_INPUT_BYTES) throw tooLarge(MAX_TOOL_INPUT_BYTES);
  return parseJson(input);
}
