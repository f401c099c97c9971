import type { Contract } from "../schemas/index.ts";
import { callTool } from "../src/call-tool.ts";
import { formatIssue, type ToolFailure } from "../src/issues.ts";
import { plural } from "../src/text.ts";
import { Refusal } from "./refusal.ts";
import type { Service } from "./service.ts";

/** Runs a tool on an input from outside. What is refused is thrown with its first problem. */
export function runTool({ name }: Contract, input: unknown, { settings }: Service): unknown {
  const outcome = callTool(name, input, settings[name]);
  if (outcome.ok) return outcome.value;
  if (outcome.error.code === "invalid_request") {
    throw new Refusal("invalid_request", firstProblem(outcome.error));
  }
  throw outcome.error.cause;
}

/** The first problem by its path, and how many more there are, so that an agent can mend its call. */
function firstProblem({ issues }: ToolFailure): string {
  const [first] = issues;
  const more = issues.length - 1;
  const others = more === 0 ? "" : ` (${plural(more, "more problem")})`;
  return first ? `${formatIssue(first)}${others}` : "";
}
