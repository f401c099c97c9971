import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { tools } from "../../schemas/index.ts";
import { callTool } from "../../src/index.ts";
import { inChromium } from "./support/browser.ts";
import { eventually, MCP, NO_PAGE, NOT_FOUND, PAGES } from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const FLAGS = ["--enable-features=WebMCP"];

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  readonly isReadOnly: boolean | undefined;
}

describe("WebMCP", () => {
  const site = runningSite();

  inChromium(
    "an agent in the browser",
    site.origin,
    (browser) => {
      const withTools = async (opening: Promise<Page>) => {
        const page = await opening;
        await eventually(async () => (await page.webmcp.tools()).length, tools.length);
        return page;
      };
      const open = (path = "/") => withTools(browser.open(path));

      test.each([...PAGES, NO_PAGE])(
        "finds the tools of the API and no other on %s",
        async (path) => {
          if (path === NO_PAGE) browser.expectConsoleError(NOT_FOUND);
          expect(await toolsOn(await open(path))).toEqual(await toolsOfApi());
        },
      );

      test.each(tools.map((tool) => [tool.name, tool.example_input] as const))(
        "runs %s and has the API's result",
        async (name, input) => {
          const outcome = callTool(name, input);
          const page = await open();
          expect(await page.webmcp.callTool(name, input)).toEqual(outcome.ok && outcome.value);
        },
      );

      test("has the API's error for something that is not an input", async () => {
        browser.expectConsoleError(/status of 400/);
        const page = await open();
        expect(await page.webmcp.callTool("automation_cost_calculator", { zaps: [] })).toEqual({
          error: { code: "invalid_request", message: expect.stringContaining(": zaps: ") },
        });
      });

      test("gets an error message when the server is gone", async () => {
        browser.expectConsoleError(/ERR_INTERNET_DISCONNECTED/);
        const page = await withTools(browser.openAlone("/"));
        await page.context().setOffline(true);
        expect(await page.webmcp.callTool("mcp_config_generator", { name: "files" })).toEqual({
          error: { code: "unreachable", message: expect.stringContaining("cannot be reached") },
        });
      });

      test("changes nothing on the page", async () => {
        const page = await open(MCP);
        const before = await page.locator("main").innerHTML();
        await page.webmcp.callTool("mcp_config_generator", { name: "far", command: "uvx" });
        expect(await page.locator("main").innerHTML()).toBe(before);
      });
    },
    FLAGS,
  );

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
});

describe("WebMCP without the API", () => {
  const site = runningSite();

  inChromium(
    "an agent in the browser, while the API is down,",
    site.origin,
    (browser) => {
      test("finds no tools, and the page throws nothing", async () => {
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
});

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
