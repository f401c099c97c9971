import { describe, expect, test } from "bun:test";
import { tools } from "../../../schemas/index.ts";
import { curlGet, curlPost } from "../../../server/pages/curl.ts";
import { DOCS_PATHS } from "../../../server/pages/docs/docs.tsx";
import { listOperations, readDocument } from "../../../server/pages/docs/document.ts";
import { formatSchemaType, LANGUAGES, listErrors } from "../../../server/pages/docs/operation.tsx";
import { toolDocsPath, toolPagePath } from "../../../server/paths.ts";
import { callTool } from "../../../src/index.ts";
import { hasProgram } from "../../support/programs.ts";
import { elementsOf } from "../support/expect.ts";
import { BASE_URL, runningServer } from "../support/servers.ts";

const server = runningServer();
const document = readDocument({ baseUrl: BASE_URL });
const pages = await Promise.all(DOCS_PATHS.map((path) => server.text(path)));
const elements = (await Promise.all(pages.map((page) => elementsOf(page)))).flat();

const textsOf = (tag: string) =>
  elements.filter((element) => element.tag === tag).map(({ text }) => text);

const attributesOf = (name: string): readonly string[] =>
  elements.flatMap(({ attributes }) => attributes[name] ?? []);

describe("the documentation has", () => {
  const articleOf = (id: string) =>
    elements.find(({ attributes }) => attributes["aria-labelledby"] === id)?.text ?? "";

  test.each(
    listOperations(document).map((operation) => [operation.operationId, operation] as const),
  )("a section for %s", (id, { method, path, summary }) => {
    const isTool = tools.some(({ name }) => id.endsWith(name));
    const title = method === "POST" ? "Run" : "Describe";
    const heading = elements.find(({ attributes }) => attributes.id === id);
    expect(heading).toMatchObject({ tag: "h2", text: isTool ? title : summary });
    expect(textsOf("p")).toContain(`${method} ${path}`);
  });

  test("two operations for each tool, their list, the health check and the signup", () => {
    expect(listOperations(document)).toHaveLength(2 * tools.length + 3);
  });

  test.each(tools)("every field of $title's input and of its result", ({ command, ...tool }) => {
    const type = command.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());
    const article = articleOf(`run_${tool.name}`);
    for (const schema of [`${type}Input`, `${type}Result`]) {
      const fields = Object.keys(document.components.schemas[schema]?.properties ?? {});
      expect(fields).not.toEqual([]);
      for (const field of fields) expect(article).toContain(field);
    }
  });

  test("every error code with its status", () => {
    const codes =
      document.components.schemas.Error?.properties?.error?.properties?.code?.enum ?? [];
    expect(codes).toHaveLength(8);
    for (const code of codes) expect(articleOf("errors")).toContain(String(code));
  });

  test("the code of the signup's limit, beside the eight of a schema of their own", () => {
    expect(articleOf("errors")).toMatch(/429.*RateLimited.*rate_limited.*eight codes/);
  });

  test("a meaning of its own for each error", () => {
    const meanings = listErrors(listOperations(document)).map(({ meaning }) => meaning);
    expect(new Set(meanings).size).toBe(meanings.length);
  });

  test.each([
    ["run_automation_cost_calculator", "integer, required, 0 to 10,000,000"],
    ["createBetaSignup", "string, 1 to 2,048"],
  ])("the limits of %s: %s", (id, limits) => {
    expect(articleOf(id)).toContain(limits);
  });

  test.each(tools)(
    "a GET that describes $title, one that runs it, and the whole response",
    async (tool) => {
      const url = `${BASE_URL}/api/tools/${tool.segment}`;
      const page = pages[DOCS_PATHS.indexOf(toolDocsPath(tool))] ?? "";
      const describe = articleOf(`get_${tool.name}`);
      expect(describe).toContain(`curl '${url}'`);
      expect(describe).toContain(`curl '${url}?input=`);
      expect(articleOf(`run_${tool.name}`)).toContain("200 Response");
      // A long text would not be coloured.
      const [, part = ""] = page.split("200 Response</span>");
      const response = part.slice(part.indexOf("<code>"), part.indexOf("</code>"));
      expect(response).toContain("<b>");
      const outcome = callTool(tool.name, tool.example_input);
      const [code] = (await elementsOf(response)).filter(({ tag }) => tag === "code");
      expect(JSON.parse(code?.text ?? "")).toEqual(outcome.ok && outcome.value);
    },
  );

  test.each([
    ["listTools", "405, 500"],
    ["get_mail_filter_generator", "400, 404, 405, 413, 500"],
    ["run_mail_filter_generator", "400, 404, 405, 413, 415, 500"],
    ["getHealth", "405"],
    ["createBetaSignup", "400, 403, 405, 413, 415, 429, 500"],
  ])("the errors of %s: %s", (id, statuses) => {
    expect(articleOf(id)).toContain(`Errors ${statuses}`);
  });

  const commands = textsOf("pre").filter((text) => text.startsWith("curl"));

  test.each(listOperations(document).map(({ path }) => path))("a command for %s", (path) => {
    expect(commands.some((command) => command.includes(`'${BASE_URL}${path}`))).toBe(true);
  });

  const open = commands.filter((text) => /\/api\/(?:tools|health)/.test(text));

  test
    .if(hasProgram("curl"))
    .each(open.map((text, index) => [`${index + 1} of ${open.length}`, text]))(
    "commands that run, %s",
    async (_, command) => {
      const local = command.replaceAll(BASE_URL, server.origin);
      const shell = Bun.spawn(["sh", "-c", `${local} --silent --show-error --fail-with-body`]);
      const output = await new Response(shell.stdout).json();
      expect(await shell.exited).toBe(0);
      if (/ --data |\?input=/.test(command)) expect(output).toHaveProperty("warnings", []);
    },
  );
});

describe("the documentation as a page", () => {
  test.each(DOCS_PATHS)("%s has the contents of all pages", async (path) => {
    const page = await server.text(path);
    const titles = [...page.matchAll(/<strong>([^<]+)<\/strong>/g)].map(([, title]) => title);
    expect(titles).toEqual(["Start", "Gmail filter", "Zapier cost", "MCP config", "Service"]);
    const hrefs = [...page.matchAll(/href="([^"]*#[a-z_A-Z]+)"/g)].map(([, href = ""]) => href);
    const ids = attributesOf("aria-labelledby");
    for (const id of ids) expect(hrefs.some((href) => href.endsWith(`#${id}`))).toBe(true);
  });

  test.each(tools)("the page of $title leads to its API", async (tool) => {
    const query = new URLSearchParams({ input: JSON.stringify(tool.example_input) });
    const page = await elementsOf(await server.text(`${toolPagePath(tool)}?${query}`));
    const link = page.find(({ text }) => text === "the API documentation");
    expect(link?.attributes.href).toBe(toolDocsPath(tool));
  });
});

describe("formatSchemaType()", () => {
  test.each([
    [{ type: "string" }, "string"],
    [{ type: "array", items: { type: "array", items: { type: "object" } } }, "object[][]"],
    [{ additionalProperties: { type: "string" } }, "map of string"],
    [{ const: "USD" }, '"USD"'],
    [{ anyOf: [{ type: "object" }, { type: "null" }] }, "object or null"],
    [{ $ref: "#/components/schemas/Thing" }, "Thing"],
  ])("of %j", (schema, name) => {
    expect(formatSchemaType(schema)).toBe(name);
  });
});

describe("a request in Python", () => {
  const [, , python] = LANGUAGES;

  test.if(hasProgram("python3"))("is Python that has the body", async () => {
    const body = { texts: ["it's \\n $HOME", "\u2028"], yes: true, none: null };
    const script = python?.write({ url: "http://x.test/a", body }) ?? "";
    const only = script.replace(", requests", "").replace(/print.*$/, "print(json.dumps(body))");
    const run = Bun.spawn(["python3", "-c", only]);
    expect(await new Response(run.stdout).json()).toEqual(body);
  });
});

describe("a curl command", () => {
  test.each([
    ["GET", curlGet("http://x.test/a")],
    ["POST", curlPost("http://x.test/a", "it's $HOME")],
  ])("by %s reaches curl as it was meant", async (_, command) => {
    const shell = Bun.spawn(["sh", "-c", `curl() { printf '%s\\n' "$@"; }; ${command}`]);
    const words = (await new Response(shell.stdout).text()).trimEnd().split("\n");
    expect(words).toContain("http://x.test/a");
    if (command.includes("--data ")) expect(words).toContain(`"it's $HOME"`);
  });
});
