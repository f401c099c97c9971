import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as v from "valibot";
import { type Contract, MAX_TOOL_INPUT_BYTES, tools } from "../../../schemas/index.ts";
import { toolPath } from "../../../src/describe-tool.ts";
import { callTool, jsonSchema, priceBook } from "../../../src/index.ts";
import { commandLine } from "../../cli/support.ts";
import { compile, inputsOf } from "../../schemas/from-schema.ts";
import { tries } from "../../support/runs.ts";
import { expectFailure } from "../support/expect.ts";
import { asQuery, callOn, jsonPost, libraryResult, PATHS, TODAY } from "../support/http.ts";
import { BASE_URL, runningServer } from "../support/servers.ts";

describe("the paths of the tools", () => {
  const server = runningServer();
  const old = { ...priceBook, as_of: "2020-02-29" };
  const withOldPrices = runningServer({ priceBook: old });

  const NINE_KEYS = [
    "name",
    "title",
    "description",
    "page",
    "endpoint",
    "usage",
    "input_schema",
    "example_input",
    "example_request",
  ];

  describe.each(tools.map((tool) => [PATHS[tool.name], tool] as const))("%s", (path, tool) => {
    const wanted = libraryResult(tool, tool.example_input);

    test("GET without input describes the tool with the nine keys", async () => {
      const response = await server.fetch(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json");
      const description = JSON.parse(await response.text());
      expect(Object.keys(description)).toEqual(NINE_KEYS);
      expect(description).toMatchObject({
        name: tool.name,
        page: `${BASE_URL}/tools/${tool.segment}`,
        endpoint: `${BASE_URL}${path}`,
        input_schema: { type: "object", additionalProperties: false },
        example_input: tool.example_input,
      });
    });

    test("example_request runs and gives the library's result", async () => {
      const { example_request } = JSON.parse(await server.text(path));
      const response = await server.fetch(example_request.slice(BASE_URL.length));
      expect({ status: response.status, body: await response.text() }).toEqual({
        status: 200,
        body: wanted,
      });
    });
  });

  test("GET /api/tools lists the description of each tool", async () => {
    const response = await server.fetch("/api/tools");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    const each = Object.values(PATHS).map(async (path) => JSON.parse(await server.text(path)));
    expect(await response.json()).toEqual({ tools: await Promise.all(each) });
  });

  test("a replaced price book is the one that counts", async () => {
    const [, { name, example_input }] = tools;
    const response = await withOldPrices.fetch(
      PATHS[name],
      jsonPost(JSON.stringify(example_input)),
    );
    const outcome = callTool(name, example_input, { priceBook: old });
    expect(JSON.parse(await response.text())).toEqual(outcome.ok && outcome.value);
  });
});

describe("the three ways to a tool", () => {
  const server = runningServer({ log: { request: () => {}, warning: () => {}, error: () => {} } });

  /** The headers of a request have an end: what is longer gets no answer in words. */
  const MAX_QUERY = 250_000;

  describe.each(tools.map((contract) => [contract.name, contract] as const))(
    "%s",
    (_, contract) => {
      const schema = jsonSchema(contract.input);
      const isValid = compile(schema);

      test("library, command line and server agree on every input and every byte", async () => {
        const seen = { accepted: 0, rejected: 0, tooLarge: 0, malformed: 0 };
        const parameters = tries(150);
        const property = fc.asyncProperty(inputsOf(schema), async (input) => {
          seen[await compare(contract, JSON.stringify(input), isValid)]++;
        });
        await fc.assert(property, parameters);
        // Each side must be well tried for this to show anything.
        expect(Math.min(seen.accepted, seen.rejected)).toBeGreaterThan(parameters.numRuns / 20);
      });
    },
  );

  /** Runs one input everywhere and returns the kind of its outcome. */
  async function compare(contract: Contract, text: string, isValid: (value: unknown) => boolean) {
    const library = resultOf(contract, text);
    if (!isValid(JSON.parse(text))) expect(library).toBeUndefined();
    const said = await printed(contract, text);
    // The command line takes up to Gmail's own limits, which are wider than the public ones.
    if (library !== undefined || !fitsLocally(contract, text)) expect(said).toBe(pretty(library));

    const path = toolPath(contract);
    const query = asQuery(text);
    const answers = await Promise.all([
      answer(path, jsonPost(text)),
      ...(query.length < MAX_QUERY ? [answer(path + query, {})] : []),
    ]);
    const kind = kindOf(text, library);
    for (const { status, body } of answers) {
      if (kind === "accepted")
        expect({ status, body }).toEqual({ status: 200, body: library ?? "" });
      else expectFailure({ status, body }, CODES[kind]);
    }
    return kind;
  }

  const fitsLocally = ({ local_input }: Contract, text: string): boolean =>
    local_input !== undefined && v.is(local_input, JSON.parse(text));

  const CODES = {
    rejected: "invalid_request",
    malformed: "invalid_request",
    tooLarge: "payload_too_large",
  } as const;

  /** The outcome over HTTP. It rejects what the library rejects, and half pairs. */
  function kindOf(text: string, library: string | undefined) {
    if (Buffer.byteLength(text) > MAX_TOOL_INPUT_BYTES) return "tooLarge";
    if (/\\ud[89a-f]/.test(text)) return "malformed";
    return library === undefined ? "rejected" : "accepted";
  }

  /** The library's result in JSON; undefined for a rejection. */
  function resultOf(contract: Contract, text: string): string | undefined {
    const outcome = callOn(TODAY, contract, JSON.parse(text));
    if (outcome.ok) return JSON.stringify(outcome.value);
    if (outcome.error.code !== "invalid_request") throw outcome.error.cause;
    return undefined;
  }

  /** The result that the command prints on standard output; undefined for a rejection. */
  async function printed({ command }: Contract, text: string): Promise<string | undefined> {
    const { exitCode, out } = await commandLine([command, "-", "--json"], { stdin: text });
    if (exitCode === 0) return out;
    const { error } = JSON.parse(out);
    expect({ exitCode, code: error.code }).toEqual({ exitCode: 2, code: "invalid_request" });
    return undefined;
  }

  const pretty = (json: string | undefined): string | undefined =>
    json === undefined ? undefined : `${JSON.stringify(JSON.parse(json), null, 2)}\n`;

  async function answer(path: string, init: RequestInit) {
    const response = await server.fetch(path, init);
    return { status: response.status, body: await response.text() };
  }
});
