import { describe, expect, test } from "bun:test";
import { formPost, shownPage } from "../../support/forms.ts";
import { runningServer } from "../../support/servers.ts";

const server = runningServer();

const PATH = "/tools/mcp-config-generator";
const FIELDS = "name=files&command=npx&env[0].key=API_KEY&env[0].value=hush";

const FAR = { url: "https://far.example/mcp" };
const NEAR = { command: "npx" };
const pasted = (mcpServers: object) =>
  `paste=${encodeURIComponent(JSON.stringify({ mcpServers }))}`;

/** Types, origins, sizes and buttons are in test/requests/pages.http. */
describe("the form of a tool with secrets is posted", () => {
  test.each<[string, string, string, string]>([
    ["fields", FIELDS, "done", "&quot;API_KEY&quot;: &quot;hush&quot;"],
    [
      "an input with a key twice",
      `input=${encodeURIComponent('{"name":"a","command":"b","command":"c"}')}`,
      "rejected",
      "This input cannot be opened: command: is given twice",
    ],
    [
      "two servers, of which one has two ways to run it",
      `paste=${encodeURIComponent(["b", "c"].map((command) => `\`\`\`\n{"servers":{"a":{"command":"${command}"},"d":{"command":"e"}}}\n\`\`\`\n`).join(""))}`,
      "done",
      "2 servers, all in one file, 1 left out.",
    ],
    ["broken escapes", "name=a&command=%zz", "done", "%zz"],
    ["a config", pasted({ far: FAR, near: {} }), "done", "“near” is left out:"],
    ["one server, which leaves the box", pasted({ far: FAR }), "done", "></textarea>"],
    ["several, which stay in it", pasted({ far: FAR, near: NEAR }), "done", ">{&quot;mcpServers"],
    ["prose, which stays in it", "paste=what is this?", "rejected", ">what is this?</textarea>"],
  ])("with %s", async (_, body, outcome, text) => {
    const page = await (await server.fetch(PATH, formPost(body))).text();
    expect((await shownPage(page)).outcome).toBe(outcome);
    expect(page.includes(text)).toBe(true);
  });

  test.each([
    ["sse", '"type": "sse"', false],
    ["http", '"type": "http"', true],
    ["other", '"type": "http"', true],
  ])(
    "with the transport %s, and with an API call if that says the same",
    async (transport, text, hasCall) => {
      const fields = `use=1&name=far&url=https://x.example/mcp&transport=${transport}`;
      const page = await (await server.fetch(PATH, formPost(fields))).text();
      const { outcome, texts } = await shownPage(page);
      expect(outcome).toBe("done");
      expect(texts.result).toContain(text);
      expect(page.includes('id="api-call"')).toBe(hasCall);
      expect(page.includes('id="share"')).toBe(hasCall);
      expect(page.includes("no link for SSE")).toBe(!hasCall);
      expect(page.includes("--transport=sse")).toBe(transport === "sse");
      // The other alternative has none.
      const local = `use=0&name=far&command=npx&transport=${transport}`;
      const { texts: other } = await shownPage(
        await (await server.fetch(PATH, formPost(local))).text(),
      );
      expect(other.result).toContain('"type": "stdio"');
    },
  );
});
