import { expect, test } from "bun:test";
import { tools } from "../../../schemas/index.ts";
import { elementsOf } from "../page-elements.ts";
import { BASE_URL, runningServer } from "../running-server.ts";

const server = runningServer();
const elements = await elementsOf(await server.text("/tools"));
const articles = elements.filter(({ tag }) => tag === "article");

test.each(tools.map((tool, index) => [tool.title, tool, index] as const))(
  "%s is listed with the places where it is to be had",
  (title, { description, segment, command, function: name }, index) => {
    const text = articles[index]?.text;
    expect(text).toStartWith(title);
    expect(text).toContain(description);
    expect(text).toContain(`${BASE_URL}/tools/${segment}`);
    expect(text).toContain(`${BASE_URL}/api/tools/${segment}`);
    expect(text).toContain(`npx handtools ${command}`);
    expect(text).toContain(`import { ${name} } from "handtools"`);
  },
);

test("no other tool is listed", () => {
  expect(articles).toHaveLength(tools.length);
});
