import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { MAX_TOOL_INPUT_BYTES, tools } from "../../schemas/index.ts";
import { createRunner } from "../../server/service.ts";
import { inputOfBytes, jsonPost } from "../server/support/http.ts";
import { worstInputs } from "../support/worst-inputs.ts";
import { inChromium } from "./support/browser.ts";
import { eventually, NO_PAGE, NOT_FOUND } from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const FLAGS = ["--enable-features=WebMCP"];

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  readonly isReadOnly: boolean | undefined;
}

const GOLDEN = join(import.meta.dir, "../golden");

/** Every character of these arguments is long in a config. */
const TOO_MUCH = JSON.stringify({
  name: "files",
  command: "npx",
  args: Array.from({ length: 16 }, () => "\u007f".repeat(1_000)),
});

/** The golden cases, the largest results, and inputs that are rejected. */
const inputs: readonly (Call & { readonly title: string })[] = [
  ...tools.flatMap(({ name, command }) =>
    readdirSync(join(GOLDEN, command)).map((title) => {
      const json = readFileSync(join(GOLDEN, command, title, "input.json"), "utf8");
      return { name, title, json: JSON.stringify(JSON.parse(json)) };
    }),
  ),
  ...worstInputs().map(({ title, contract: { name }, json }) => ({ name, title, json })),
  ...tools.flatMap(({ name }) =>
    [
      "{}",
      "[]",
      '{"a\\u0000\\u202e b":"\\n"}',
      '{"__proto__":{"zaps":[]},"toString":1}',
      '{"filters":[{"from":["\\ud800"],"star":true}],"name":"\\udc00"}',
      `{"${"é".repeat(600)}":1}`,
    ].map((json) => ({ name, json, title: json.slice(0, 40) })),
  ),
  { name: "mcp_config_generator", title: "a result that is too large", json: TOO_MUCH },
  ...[MAX_TOOL_INPUT_BYTES, MAX_TOOL_INPUT_BYTES + 1].map((size) => ({
    name: "mcp_config_generator",
    title: `${size} bytes`,
    json: inputOfBytes(size, "é"),
  })),
];

/** What a host may give besides an object of JSON, with what a POST would have of it. */
const odd = [
  { source: "undefined", json: "" },
  { source: '"{}"', json: '"{}"' },
  {
    source: "({ filters: [{ larger_than_mb: 1 / 0 }] })",
    json: '{"filters":[{"larger_than_mb":null}]}',
  },
  { source: "({ filters: 1n })", json: "" },
  { source: "((a) => Object.assign(a, { a }))({})", json: "" },
];

const site = runningSite({ run: createRunner() });

inChromium(
  "an agent in the browser",
  site.origin,
  (browser) => {
    const open = async (path = "/") => {
      const page = await browser.openAlone(path);
      await eventually(async () => (await page.webmcp.tools()).length, tools.length);
      return page;
    };

    test.each(["/", NO_PAGE])("finds the tools of the API and no other on %s", async (path) => {
      if (path === NO_PAGE) browser.expectConsoleError(NOT_FOUND);
      expect(await toolsOn(await open(path))).toEqual(await toolsOfApi());
    });

    test.each(tools.map(({ name }) => name))(
      "answers %s as a POST does, and sends no input",
      async (name) => {
        const page = await open();
        const sent = requestsOf(page);
        const answers: string[] = [];
        for (const call of inputs.filter((known) => known.name === name)) {
          const answer = await runByAgent(page, call);
          expect([call.title, answer]).toEqual([call.title, await posted(call)]);
          answers.push(answer);
        }
        expect(answers.length).toBeGreaterThan(15);
        expect(sent().filter((line) => !/^GET \S+\/assets\/\S+ null$/.test(line))).toEqual([]);
        const isTooLarge = answers.some((answer) => answer.includes("1,000,000 bytes"));
        expect(isTooLarge).toBe(name !== "automation_cost_calculator");
      },
    );

    test("gets an error message when the tool's code cannot be loaded", async () => {
      browser.expectConsoleError(/ERR_INTERNET_DISCONNECTED|dynamically imported module/);
      const page = await open();
      await page.context().setOffline(true);
      expect(await page.webmcp.callTool("mcp_config_generator", { name: "files" })).toEqual({
        error: { code: "unreachable", message: expect.stringContaining("did not load") },
      });
    });

    test("finds no tools while the API is down, and the page throws nothing", async () => {
      browser.expectConsoleError(/status of 503/);
      const page = await (await browser.newContext()).newPage();
      await page.route("**/api/tools", (route) =>
        route.fulfill({ status: 503, json: { error: { code: "unavailable", message: "" } } }),
      );
      await page.goto("/", { waitUntil: "networkidle" });
      expect(await page.webmcp.tools()).toEqual([]);
    });
  },
  FLAGS,
);

inChromium("a host that gives the input alone", site.origin, (browser) => {
  test("gets the answer of a POST", async () => {
    const page = await (await browser.newContext()).newPage();
    await page.addInitScript(() => {
      const registered: AgentTool[] = [];
      const registerTool = async (tool: AgentTool) => registered.push(tool);
      Object.assign(document, { registered, modelContext: { registerTool } });
    });
    await page.goto("/", { waitUntil: "networkidle" });
    for (const { source, json } of odd) {
      const answer = await page.evaluate(async (code) => {
        const registered: readonly AgentTool[] = Object(document).registered;
        const tool = registered.find(({ name }) => name === "mail_filter_generator");
        return JSON.stringify(await tool?.execute(new Function(`return ${code}`)()));
      }, source);
      const wanted = await posted({ name: "mail_filter_generator", json });
      expect([source, answer]).toEqual([source, wanted]);
    }
  });
});

inChromium("a browser without WebMCP", site.origin, (browser) => {
  test("is left alone", async () => {
    const page = await browser.open("/");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.reload({ waitUntil: "networkidle" });
    expect(await page.evaluate(() => "modelContext" in document)).toBe(false);
    expect(asked).not.toContain("/api/tools");
  });
});

/** The tools as the API describes them. */
async function toolsOfApi(): Promise<readonly Tool[]> {
  const answer = await site.fetch("/api/tools");
  const described = (await answer.json()) as { tools: (Tool & { input_schema: unknown })[] };
  return described.tools
    .map(({ name, description, input_schema }) => ({
      name,
      description,
      schema: input_schema,
      isReadOnly: true,
    }))
    .sort(byName);
}

/** A call of a tool, with its input in JSON. */
interface Call {
  readonly name: string;
  readonly json: string;
}

interface AgentTool {
  readonly name: string;
  readonly execute: (input: unknown) => unknown;
}

/** What an agent gets, as the browser hands it over. */
const runByAgent = (page: Page, { name, json }: Call): Promise<string> =>
  page.evaluate(
    async ([name, json]) => {
      const { modelContext } = document;
      const tool = (await modelContext?.getTools())?.find((known) => known.name === name);
      if (!modelContext || !tool) throw new Error(`There is no ${name}`);
      return `${await modelContext.executeTool(tool, JSON.parse(json))}`;
    },
    [name, json] as const,
  );

async function posted({ name, json }: Call): Promise<string> {
  const tool = tools.find((known) => known.name === name);
  return (await site.fetch(`/api/tools/${tool?.segment}`, jsonPost(json))).text();
}

/** The requests of a page from now on: `GET https://… null`, with the body. */
function requestsOf(page: Page): () => readonly string[] {
  const sent: string[] = [];
  page.on("request", (request) =>
    sent.push(`${request.method()} ${request.url()} ${request.postData()}`),
  );
  return () => sent;
}

/** The tools that an agent finds on the page, by name. */
const toolsOn = async (page: Page): Promise<readonly Tool[]> => {
  const found = await page.webmcp.tools();
  return found
    .map(({ name, description, inputSchema, annotations }) => ({
      name,
      description,
      schema: inputSchema,
      isReadOnly: annotations?.readOnly,
    }))
    .sort(byName);
};

const byName = (a: Tool, b: Tool): number => a.name.localeCompare(b.name);
