import { expect, test } from "bun:test";
import { tools } from "../../../schemas/index.ts";
import { toolPagePath } from "../../../server/links.ts";
import { elementsOf } from "../page-elements.ts";
import { runningServer } from "../running-server.ts";

const server = runningServer();
const asBrowser = { headers: { Accept: "text/html,*/*;q=0.8" } };

test.each(["/no-such-page", "/tools/", "/tools/no-such-tool", "/docs/more"])(
  "%s gets a browser a page with ways on",
  async (path) => {
    const response = await server.fetch(path, asBrowser);
    expect(response.status).toBe(404);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const elements = await elementsOf(await response.text());
    const [main, footer] = ["main", "footer"].map((name) =>
      elements.findIndex(({ tag }) => tag === name),
    );
    const hrefs = elements.slice(main, footer).map(({ attributes }) => attributes.href);
    for (const href of [...tools.map(toolPagePath), "/docs"]) expect(hrefs).toContain(href);
  },
);

test("the page is compressed like any other", async () => {
  const response = await server.fetch("/no-such-page", {
    headers: { ...asBrowser.headers, "Accept-Encoding": "br" },
    decompress: false,
  });
  expect(response.headers.get("content-encoding")).toBe("br");
});

test("a program gets JSON there", async () => {
  const response = await server.fetch("/no-such-page", { headers: { Accept: "*/*" } });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: "not_found" } });
});
