import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { type Contract, tools } from "../schemas/index.ts";
import { pricePicture } from "../scripts/price-picture.ts";
import { typeFiles } from "../scripts/types.ts";
import { variablesFile } from "../scripts/variables.ts";
import { warningsPage } from "../scripts/warnings-page.ts";
import { requireTool } from "../src/call-tool.ts";
import { runTool } from "../src/tool.ts";
import { commandLine } from "./cli/support.ts";
import { jsonPost, mcpPost } from "./server/support/http.ts";
import { runningServer } from "./server/support/servers.ts";

/*
 * test/golden/<command>/<case>/input.json -> result.json beside it, whatever the way to the tool, and output.txt,
 * what the command prints.
 * UPDATE_GOLDEN=1 writes what the tools say now; read the diff before you commit it.
 */
const root = join(import.meta.dir, "golden");
const update = process.env.UPDATE_GOLDEN === "1";

function expectGolden(file: string, actual: string): void {
  if (update) writeFileSync(file, actual);
  expect(actual).toBe(readFileSync(file, "utf8"));
}

test.each([...Object.entries(typeFiles), ["variables.json", variablesFile] as const])(
  "golden schemas/generated/%s",
  (name, written) => {
    expectGolden(join(import.meta.dir, "../schemas/generated", name), written());
  },
);

test("golden docs/warnings.md", () => {
  expectGolden(join(import.meta.dir, "../docs/warnings.md"), warningsPage());
});

test.each(["light", "dark"] as const)("golden docs/images/prices-%s.svg", (scheme) => {
  const picture = pricePicture(scheme);
  expect(picture).not.toContain("var(");
  expectGolden(join(import.meta.dir, `../docs/images/prices-${scheme}.svg`), picture);
});

const server = runningServer();

/** What a way to a tool gives for an input. */
const fronts: Record<string, (contract: Contract, text: string) => Promise<unknown>> = {
  library: async ({ name }, text) => runTool(requireTool(name), JSON.parse(text)),
  async "command line"({ command }, stdin) {
    const { out } = await commandLine([command, "-", "--json"], { stdin });
    return JSON.parse(out);
  },
  HTTP: async ({ segment }, text) =>
    (await server.fetch(`/api/tools/${segment}`, jsonPost(text))).json(),
  async MCP({ name }, text) {
    const params = { name, arguments: JSON.parse(text) };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const response = await server.fetch("/mcp", mcpPost(body));
    const { result }: ToolAnswer = JSON.parse(await response.text());
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    return result.structuredContent;
  },
};

for (const contract of tools) {
  const { command, output } = contract;
  const folder = join(root, command);
  if (update) mkdirSync(folder, { recursive: true });
  describe(`golden ${command}`, () => {
    test("there are cases", () => expect(readdirSync(folder).length).toBeGreaterThan(0));

    for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
      test(name, async () => {
        const input = readFileSync(join(folder, name, "input.json"), "utf8");
        const results = await Promise.all(
          Object.entries(fronts).map(async ([front, run]) => [front, await run(contract, input)]),
        );
        const [[, result] = []] = results;
        for (const [front, given] of results)
          expect({ front, given }).toEqual({ front, given: result });
        expect(v.safeParse(output, result).issues).toBeUndefined();
        expectGolden(join(folder, name, "result.json"), `${JSON.stringify(result, null, 2)}\n`);

        const { exitCode, out, error } = await commandLine([command, "-"], { stdin: input });
        expectGolden(join(folder, name, "output.txt"), out);
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

interface ToolAnswer {
  readonly result: {
    readonly structuredContent: unknown;
    readonly content: readonly [{ readonly text: string }];
  };
}

const WithWarnings = v.object({ warnings: v.array(v.object({ code: v.string() })) });
