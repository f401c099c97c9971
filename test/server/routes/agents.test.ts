import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { tools } from "../../../schemas/index.ts";
import { expectFailedFetch } from "../support/expect.ts";
import { BASE_URL, runningServer } from "../support/servers.ts";

const server = runningServer();
const off = runningServer({ mcp: false });

const INDEX = "/.well-known/agent-skills/index.json";
const CARD = "/mcp/server-card";
const CATALOGS = ["/.well-known/ai-catalog.json", "/.well-known/ard.json"];

const json = async (path: string) => JSON.parse(await server.text(path));
const pathOf = (url: string) => url.replace(BASE_URL, "");

describe("the agent skill", () => {
  test("is in the index with the digest of its bytes", async () => {
    const { $schema, skills } = await json(INDEX);
    expect($schema).toBe("https://schemas.agentskills.io/discovery/0.2.0/schema.json");
    expect(skills).toHaveLength(1);
    const [{ name, type, description, url, digest }] = skills;
    expect({ name, type }).toEqual({ name: "handtools", type: "skill-md" });
    expect(description.length).toBeLessThanOrEqual(1_024);
    const text = await server.text(pathOf(url));
    expect(digest).toBe(`sha256:${createHash("sha256").update(text).digest("hex")}`);
    expect(text).toStartWith(
      `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n`,
    );
  });

  test("names every tool, with an example that runs", async () => {
    const [{ url }] = (await json(INDEX)).skills;
    const text = await server.text(pathOf(url));
    for (const { name } of tools) expect(text).toContain(`\`${name}\``);
    const requests = [...text.matchAll(/POST (\S+)\n.*\n\n(.*)\n```/g)];
    expect(requests).toHaveLength(tools.length);
    for (const [, endpoint = "", body = ""] of requests) {
      const headers = { "Content-Type": "application/json" };
      const { status } = await server.fetch(pathOf(endpoint), { method: "POST", headers, body });
      expect(status).toBe(200);
    }
  });
});

test("the server card leads to the endpoint", async () => {
  const response = await server.fetch(CARD);
  expect(response.headers.get("content-type")).toBe("application/mcp-server-card+json");
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("etag")).not.toBeNull();
  const card = JSON.parse(await response.text());
  expect(card).toMatchObject({
    name: "test.tools/handtools",
    remotes: [{ type: "streamable-http" }],
  });
  expect(card.description.length).toBeLessThanOrEqual(100);
  expect((await server.fetch(pathOf(card.remotes[0].url))).status).toBe(405);
});

test.each(CATALOGS)("%s leads to the server card", async (path) => {
  const { specVersion, host, entries } = await json(path);
  expect({ specVersion, host }).toEqual({ specVersion: "1.0", host: { displayName: "Handtools" } });
  const [entry] = entries;
  expect(entry.identifier).toBe("urn:air:tools.test:mcp:handtools");
  expect(pathOf(entry.url)).toBe(CARD);
  expect(entry.representativeQueries.length).toBeWithin(2, 6);
});

test.each([INDEX, CARD, ...CATALOGS])("%s is not there without the endpoint", async (path) => {
  await expectFailedFetch(off.fetch(path), "not_found");
});
