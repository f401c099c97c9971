import { describe, expect, test } from "bun:test";
import { elementsOf, type PageElement } from "../../support/expect.ts";
import { formPost, readForm } from "../../support/forms.ts";
import { asQuery } from "../../support/http.ts";
import { runningServer } from "../../support/servers.ts";

const server = runningServer();

const PATH = "/tools/mcp-config-generator";
const SECRET = "hush-hush-0123456789";

const INPUTS = [
  { name: "a", command: "b", args: ["c"], env: { API_KEY: SECRET, PLAIN: `${SECRET} too` } },
  { name: "a", url: "https://mcp.example/mcp", headers: { Authorization: `Bearer ${SECRET}` } },
  { name: "a", url: "https://mcp.example/mcp", headers: { "X-Plain": SECRET } },
].map((input) => JSON.stringify(input));
const [LOCAL = ""] = INPUTS;

/** The same input as the page's form posts it. */
const asForm = async (json: string) => readForm(await server.text(PATH + asQuery(json)));

/** The readings of an attribute: as it is, percent-decoded, and its base64 decoded. */
function readings(value: string): readonly string[] {
  const decoded = [value, value.replaceAll("+", " ")].map(decodeURIComponentOrNot);
  const base64 = decoded.flatMap((text) => text.match(/[\w+/-]{8,}={0,2}/g) ?? []);
  return [...decoded, ...base64.map((text) => Buffer.from(text, "base64url").toString())];
}

function decodeURIComponentOrNot(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

const tells = (value: string): boolean => readings(value).some((text) => text.includes(SECRET));

/** Addresses that are shown as a text, to be copied. */
const URLS = /[a-z]+:\/\/[^\s'"<>]+/g;

/** The attributes that tell the secret; the value of a field has it as it was typed. */
const leaks = (elements: readonly PageElement[]): readonly string[] =>
  elements.flatMap(({ tag, attributes }) =>
    Object.entries(attributes)
      .filter(([name]) => !(tag === "input" && name === "value"))
      .filter(([, value]) => tells(value))
      .map(([name, value]) => `${tag} ${name}=${value}`),
  );

describe.each(INPUTS)("of %s", (input) => {
  test.each<[string, () => Promise<Response>]>([
    ["posted as fields", async () => server.fetch(PATH, formPost(await asForm(input)))],
    ["posted as JSON", () => server.fetch(PATH, formPost(new URLSearchParams({ input })))],
    ["in an address made by hand", () => server.fetch(PATH + asQuery(input))],
    ["as fields in one", async () => server.fetch(`${PATH}?${await asForm(input)}`)],
  ])("%s, no address on the page tells the secret", async (_, ask) => {
    const response = await ask();
    const elements = await elementsOf(await response.text());
    expect(response.headers.get("cache-control")).toBe("no-store");
    // It is not lost: the form has it, and the snippets.
    expect(elements.filter(({ attributes }) => attributes.value?.includes(SECRET))).not.toEqual([]);
    expect(elements.filter(({ tag, text }) => tag === "code" && text.includes(SECRET))).not.toEqual(
      [],
    );
    expect(leaks(elements)).toEqual([]);
    expect(elements.flatMap(({ text }) => text.match(URLS) ?? []).filter(tells)).toEqual([]);
    expect([...response.headers].filter(([, value]) => tells(value))).toEqual([]);
  });
});

test("the link to an input has all but its secrets, whose names stay", async () => {
  const page = await server.fetch(PATH, formPost(await asForm(LOCAL)));
  const elements = await elementsOf(await page.text());
  const link = elements.find(({ attributes }) => attributes.id === "share")?.attributes.href ?? "";
  const [, shared = ""] = link.split("#v1.");
  expect(JSON.parse(Buffer.from(shared, "base64url").toString())).toEqual({
    name: "a",
    command: "b",
    args: ["c"],
    env: { API_KEY: "YOUR_API_KEY", PLAIN: "YOUR_PLAIN" },
  });
});

test.each([
  ["an argument", { name: "a", command: "b", args: [`--api-key=${SECRET}`] }],
  ["the URL's query", { name: "a", url: `https://x.example/?token=${SECRET}` }],
])("an input with a secret in %s has neither a link nor an address", async (_, input) => {
  const page = await server.fetch(
    PATH,
    formPost(`input=${encodeURIComponent(JSON.stringify(input))}`),
  );
  const elements = await elementsOf(await page.text());
  const ids = elements.map(({ attributes }) => attributes.id);
  expect(ids).toContain("api-curl");
  expect(ids.filter((id) => id === "share" || id === "api-url")).toEqual([]);
});

test("the log has no line of what was asked of a page", async () => {
  await server.fetch(PATH + asQuery(LOCAL));
  await server.fetch(PATH, formPost(await asForm(LOCAL)));
  expect(server.lines.join("")).not.toContain("hush");
});
