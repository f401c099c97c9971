import { describe, expect, test } from "bun:test";
import { tools } from "../../schemas/index.ts";
import { endpointsOf } from "../../server/pages/docs/document.ts";
import { openApi } from "../../src/openapi/openapi.ts";
import { elementsOf } from "./page-elements.ts";
import { BASE_URL, runningServer } from "./running-server.ts";

const server = runningServer();
const document = openApi({ baseUrl: BASE_URL });
const page = await server.text("/docs");
const elements = await elementsOf(page);

const textsOf = (tag: string) =>
  elements.filter((element) => element.tag === tag).map(({ text }) => text);

const attributesOf = (name: string): readonly string[] =>
  elements.flatMap(({ attributes }) => attributes[name] ?? []);

describe("the documentation has", () => {
  test.each(
    endpointsOf(document).map((endpoint) => [endpoint.operation.operationId, endpoint] as const),
  )("a section for %s", (id, { method, path, operation }) => {
    const heading = elements.find(({ attributes }) => attributes.id === id);
    expect(heading).toMatchObject({ tag: "h3", text: `${method} ${path}` });
    expect(textsOf("p")).toContain(operation.summary);
  });

  test("all nine operations", () => {
    expect(endpointsOf(document)).toHaveLength(9);
  });

  test.each(tools.map(({ function: name }) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`))(
    "every field of %sInput and of its result",
    (name) => {
      for (const schema of [`${name}Input`, `${name}Result`]) {
        const fields = Object.keys(document.components.schemas[schema]?.properties ?? {});
        expect(fields).not.toEqual([]);
        const table = elements.find(
          ({ attributes }) => attributes["aria-label"] === `Fields of ${schema}`,
        );
        for (const field of fields) expect(table?.text).toContain(field);
      }
    },
  );

  test("every error code with its status", () => {
    const table = elements.find(({ attributes }) => attributes["aria-label"] === "Errors");
    const codes =
      document.components.schemas.Error?.properties?.error?.properties?.code?.enum ?? [];
    expect(codes).toHaveLength(8);
    for (const code of codes) expect(table?.text).toContain(String(code));
  });

  const commands = textsOf("pre").filter((text) => text.startsWith("curl"));

  test.each(endpointsOf(document).map(({ path }) => path))("a command for %s", (path) => {
    expect(commands.some((command) => command.includes(`'${BASE_URL}${path}'`))).toBe(true);
  });

  const open = commands.filter((text) => /\/api\/(?:tools|health)/.test(text));

  test
    .skipIf(Bun.which("curl") === null)
    .each(open.map((text, index) => [`${index + 1} of ${open.length}`, text]))(
    "commands that run, %s",
    async (_, command) => {
      const local = command.replaceAll(BASE_URL, server.origin);
      const shell = Bun.spawn(["sh", "-c", `${local} --silent --show-error --fail-with-body`]);
      const output = await new Response(shell.stdout).json();
      expect(await shell.exited).toBe(0);
      if (/ --data(?:-urlencode)? /.test(command)) expect(output).toHaveProperty("warnings", []);
    },
  );
});

describe("the documentation as a page", () => {
  test("has links to its own sections", () => {
    const anchors = attributesOf("href").filter((href) => href.startsWith("#"));
    expect(anchors.length).toBeGreaterThan(20);
  });

  test("names rows and columns of every table", () => {
    expect(attributesOf("scope").length).toBe(textsOf("th").length);
    expect(textsOf("table").length).toBeGreaterThan(20);
  });
});
