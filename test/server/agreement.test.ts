import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Contract, MAX_TOOL_INPUT_BYTES, tools } from "../../schemas/index.ts";
import { toolPath } from "../../src/describe-tool.ts";
import { callTool, jsonSchema } from "../../src/index.ts";
import { commandLine } from "../cli/command-line.ts";
import { inputsOf } from "../schemas/from-schema.ts";
import { compile } from "../schemas/json-schema-validator.ts";
import { expectFailure } from "./expect-failure.ts";
import { runningServer } from "./running-server.ts";
import { asQuery, jsonPost } from "./tool-calls.ts";

const server = runningServer({ log: { request: () => {}, warning: () => {}, fault: () => {} } });

/** Inputs for each tool. */
const RUNS = 4_000;

/** The headers of a request have an end: what is longer gets no answer in words. */
const MAX_QUERY = 250_000;

/** Requests at a time. */
const BATCH = 50;

describe.each(tools.map((contract) => [contract.name, contract] as const))("%s", (_, contract) => {
  const schema = jsonSchema(contract.input);
  const isValid = compile(schema);

  test("library, command line and server agree on every input and every byte", async () => {
    const texts = fc
      .sample(inputsOf(schema), { numRuns: RUNS, seed: 20261121 })
      .map((input) => JSON.stringify(input));
    const seen = { accepted: 0, refused: 0, tooLarge: 0, malformed: 0 };
    for (let start = 0; start < texts.length; start += BATCH) {
      const batch = texts.slice(start, start + BATCH);
      const kinds = await Promise.all(batch.map((text) => compare(contract, text, isValid)));
      for (const kind of kinds) seen[kind]++;
    }
    // Each side must be well tried for this to show anything.
    expect(seen.accepted).toBeGreaterThan(RUNS / 20);
    expect(seen.refused).toBeGreaterThan(RUNS / 20);
  }, 120_000);
});

/** Runs one input everywhere, and says what became of it. */
async function compare(contract: Contract, text: string, isValid: (value: unknown) => boolean) {
  const library = resultOf(contract, text);
  if (!isValid(JSON.parse(text))) expect(library).toBeUndefined();
  expect(await printed(contract, text)).toBe(pretty(library));

  const path = toolPath(contract);
  const query = asQuery(text);
  const answers = await Promise.all([
    answer(path, jsonPost(text)),
    ...(query.length < MAX_QUERY ? [answer(path + query, {})] : []),
  ]);
  const kind = kindOf(text, library);
  for (const { status, body } of answers) {
    if (kind === "accepted") expect({ status, body }).toEqual({ status: 200, body: library ?? "" });
    else expectFailure({ status, body }, CODES[kind]);
  }
  return kind;
}

const CODES = {
  refused: "invalid_request",
  malformed: "invalid_request",
  tooLarge: "payload_too_large",
} as const;

/** What HTTP makes of an input. Besides what the library refuses, it takes no half pairs. */
function kindOf(text: string, library: string | undefined) {
  if (Buffer.byteLength(text) > MAX_TOOL_INPUT_BYTES) return "tooLarge";
  if (/\\ud[89a-f]/.test(text)) return "malformed";
  return library === undefined ? "refused" : "accepted";
}

/** The library's result in JSON; undefined for a refusal. */
function resultOf({ name }: Contract, text: string): string | undefined {
  const outcome = callTool(name, JSON.parse(text));
  if (outcome.ok) return JSON.stringify(outcome.value);
  if (outcome.error.code !== "invalid_request") throw outcome.error.cause;
  return undefined;
}

/** What the command prints on standard output; undefined for a refusal. */
async function printed({ command }: Contract, text: string): Promise<string | undefined> {
  const { exitCode, out } = await commandLine([command, "-", "--json"], { stdin: text });
  expect({ exitCode, isEmpty: out === "" }).toEqual(
    exitCode === 0 ? { exitCode: 0, isEmpty: false } : { exitCode: 2, isEmpty: true },
  );
  return exitCode === 0 ? out : undefined;
}

const pretty = (json: string | undefined): string | undefined =>
  json === undefined ? undefined : `${JSON.stringify(JSON.parse(json), null, 2)}\n`;

async function answer(path: string, init: RequestInit) {
  const response = await server.fetch(path, init);
  return { status: response.status, body: await response.text() };
}
