import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import * as v from "valibot";
import { type Contract, MAX_TOOL_INPUT_BYTES, tools } from "../schemas/index.ts";
import { pricePicture } from "../scripts/price-picture.ts";
import { warningsPage } from "../scripts/warnings-page.ts";
import { variablesFile } from "../scripts/write-variables.ts";
import { createOpenApiDocument, priceBook, toJsonSchema } from "../src/index.ts";
import { commandLine } from "./cli/support.ts";
import { compile, inputsOf } from "./schemas/from-schema.ts";
import { callOn, jsonPost, mcpPost, TODAY } from "./server/support/http.ts";
import { runningServer } from "./server/support/servers.ts";
import { tries } from "./support/runs.ts";

/*
 * test/golden/<command>/<case>/input.json -> result.json beside it, whatever the way to the tool. A case with an
 * output.txt, which may be empty at first, has there what the command prints.
 * UPDATE_GOLDEN=1 writes what the tools say now; read the diff before you commit it.
 */
const root = join(import.meta.dir, "golden");
const update = process.env.UPDATE_GOLDEN === "1";

const inLines = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function expectGolden(file: string, actual: string): void {
  if (update) writeFileSync(file, actual);
  expect(actual).toBe(readFileSync(file, "utf8"));
}

test.each<[string, () => string]>([
  ["schemas/generated/variables.json", variablesFile],
  ["docs/warnings.md", warningsPage],
  ["examples/price-book.json", () => inLines(priceBook)],
  [
    "test/golden/openapi.json",
    () => inLines(createOpenApiDocument({ baseUrl: "https://tools.example" })),
  ],
])("golden %s", (file, written) => expectGolden(join(import.meta.dir, "..", file), written()));

test.each(["light", "dark"] as const)("golden docs/images/prices-%s.svg", (scheme) => {
  const picture = pricePicture(scheme);
  expect(picture).not.toContain("var(");
  expectGolden(join(import.meta.dir, `../docs/images/prices-${scheme}.svg`), picture);
});

const server = runningServer();

/** What a way to a tool gives for an input: its result, or the problems of the input. */
const fronts: Record<string, (contract: Contract, text: string) => Promise<unknown>> = {
  async library({ name }, text) {
    const outcome = callOn(TODAY, { name }, JSON.parse(text));
    return outcome.ok ? outcome.value : inOneLine(outcome.error.message);
  },
  async "command line"({ command }, stdin) {
    const { out } = await commandLine([command, "-", "--json"], { stdin });
    const answer = JSON.parse(out);
    return v.is(Rejection, answer)
      ? answer.error.issues
          ?.map(({ path, message }) => [path, message].filter(Boolean).join(": "))
          .join("; ")
      : answer;
  },
  async HTTP({ segment }, text) {
    const response = await server.fetch(`/api/tools/${segment}`, jsonPost(text));
    const answer = await response.json();
    return v.is(Rejection, answer)
      ? inOneLine(answer.error.message.replace("Request rejected: ", ""))
      : answer;
  },
  async MCP({ name }, text) {
    const params = { name, arguments: JSON.parse(text) };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const response = await server.fetch("/mcp", mcpPost(body));
    const { result }: ToolAnswer = JSON.parse(await response.text());
    const [{ text: shown }] = result.content;
    if (result.isError) return inOneLine(shown);
    expect(JSON.parse(shown)).toEqual(result.structuredContent);
    return result.structuredContent;
  },
};

interface ToolAnswer {
  readonly result: {
    readonly structuredContent: unknown;
    readonly content: readonly [{ readonly text: string }];
    readonly isError?: boolean;
  };
}

const Rejection = v.object({
  error: v.object({
    message: v.string(),
    /** The command line's alone, each with a place in the file. */
    issues: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
  }),
});

/** Only the command line leaves out the marks around names, and only HTTP has all in one line. */
const inOneLine = (problems: string): string => problems.replaceAll("`", "").replaceAll("\n", "; ");

/** Runs an input in every way; the outcome is the same, as far as it is told. */
async function runEverywhere(
  contract: Contract,
  text: string,
  told = (outcome: unknown) => outcome,
): Promise<unknown> {
  const [first = [], ...others] = await Promise.all(
    Object.entries(fronts).map(async ([front, run]) => [front, told(await run(contract, text))]),
  );
  for (const [front, given] of others) expect({ front, given }).toEqual({ front, given: first[1] });
  return first[1];
}

test.each([
  ["mail-filter", '{"filters":[{"from":"a","larger_than_mb":51,"form":["a"],"star":"yes"}],"n":1}'],
  ["mail-filter", '{"filters":[{"from":["a@x.com"]},{"from":["-a"],"delete":true,"label":"a"}]}'],
  ["automation-cost", '{"zaps":[{"action_steps":1.5}],"billing":"weekly"}'],
  ["mcp-config", '{"name":"a b","command":" ","url":"ftp://x","env":{"A B":"1"}}'],
  ["mcp-config", '{"name":"a"}'],
])("a rejected input of %s has the same problems everywhere: %s", async (command, text) => {
  const contract = tools.find((tool) => tool.command === command) ?? tools[0];
  expect(await runEverywhere(contract, text)).toBeString();
});

/**
 * What is too large, has half a pair, or fits the command line alone, is in test/requests and test/cli.
 * The package of MCP drops `__proto__`, and the command line reads a server without a name as a
 * client's entry.
 */
const isForAll = ({ command, input, extended_input = input }: Contract, text: string): boolean =>
  (command !== "mcp-config" || Object.hasOwn(Object(JSON.parse(text)), "name")) &&
  Buffer.byteLength(text) <= MAX_TOOL_INPUT_BYTES &&
  !/\\ud[89a-f]|__proto__/.test(text) &&
  v.is(input, JSON.parse(text)) === v.is(extended_input, JSON.parse(text));

test.each(tools.map((contract) => [contract.command, contract] as const))(
  "random inputs of %s have the same outcome everywhere",
  async (_, contract) => {
    const schema = toJsonSchema(contract.input);
    const isValid = compile(schema);
    const seen = { accepted: 0, rejected: 0 };
    const parameters = tries(150);
    const property = fc.asyncProperty(inputsOf(schema), async (input) => {
      const text = JSON.stringify(input);
      if (!isForAll(contract, text)) return;
      // In other words the command line says what else a file may be.
      const outcome = await runEverywhere(contract, text, (given) =>
        typeof given === "string" ? "rejected" : given,
      );
      if (!isValid(JSON.parse(text))) expect(outcome).toBe("rejected");
      seen[outcome === "rejected" ? outcome : "accepted"]++;
    });
    await fc.assert(property, parameters);
    // Each side must be well tried for this to show anything.
    expect(Math.min(seen.accepted, seen.rejected)).toBeGreaterThan(parameters.numRuns / 20);
  },
);

for (const contract of tools) {
  const { command, output } = contract;
  const folder = join(root, command);
  if (update) mkdirSync(folder, { recursive: true });
  describe(`golden ${command}`, () => {
    test("there are cases", () => expect(readdirSync(folder).length).toBeGreaterThan(0));

    for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
      test(name, async () => {
        const input = readFileSync(join(folder, name, "input.json"), "utf8");
        const result = await runEverywhere(contract, input);
        expect(v.safeParse(output, result).issues).toBeUndefined();
        expectGolden(join(folder, name, "result.json"), inLines(result));

        const { exitCode, out, error } = await commandLine([command, "-"], { stdin: input });
        const printed = join(folder, name, "output.txt");
        if (existsSync(printed)) expectGolden(printed, out);
        // Beside the product it says where in the file each warning belongs.
        const codes = Array.from(error.matchAll(/ \[([\w-]+)\]$/gm), ([, code]) => code);
        const { warnings } = v.parse(WithWarnings, result);
        expect({ exitCode, codes }).toEqual({
          exitCode: 0,
          codes: warnings.map(({ code }) => code),
        });
      });
    }
  });
}

const WithWarnings = v.object({ warnings: v.array(v.object({ code: v.string() })) });
