import { describe, expect, test } from "bun:test";
import { mailFilterContract } from "../../../schemas/index.ts";
import { expectFailedFetch } from "../expect-failure.ts";
import { elementsOf } from "../page-elements.ts";
import { runningServer } from "../running-server.ts";
import { asQuery, jsonPost, PATHS } from "../tool-calls.ts";

const server = runningServer();

const PAGE = "/tools/mail-filter-generator";
const FILE = `${PAGE}/file`;

const INPUTS: readonly object[] = [
  mailFilterContract.example_input,
  {
    filters: [
      { from: ["ü@x.example"], subject: ['a "b" <c> & d%', "語 😀"], label: "A/B", star: true },
    ],
  },
];

describe.each(INPUTS.map((input) => [JSON.stringify(input)]))("the file of %s", (input) => {
  test("has the bytes that the API gives", async () => {
    const response = await server.fetch(FILE + asQuery(input));
    const api = await server.fetch(PATHS.mail_filter_generator, jsonPost(input));
    const { file } = JSON.parse(await api.text());
    expect(Buffer.from(await response.bytes())).toEqual(Buffer.from(file.content));
  });

  test("is a download of its name and type, for whoever asked alone", async () => {
    const { status, headers } = await server.fetch(FILE + asQuery(input));
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toBe('attachment; filename="mailFilters.xml"');
    expect(headers.get("content-type")).toBe("application/xml");
    expect(headers.get("cache-control")).toBe("private, no-cache");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toStartWith("default-src 'none'");
  });

  test("is where its page says that it is", async () => {
    const elements = await elementsOf(await server.text(PAGE + asQuery(input)));
    const hrefs = elements.flatMap(({ attributes }) => attributes.href ?? []);
    expect(hrefs.filter((href) => href.startsWith(FILE))).toEqual([FILE + asQuery(input)]);
  });
});

describe("no file", () => {
  test.each<[string, string, string | undefined]>([
    ["without an input", "", undefined],
    ["for an input that is no JSON", "?input={", "the input must be JSON"],
    ["for an input that is wrong", '?input={"filters":[]}', "filters: must have at least 1 item"],
    ["for two inputs", "?input={}&input={}", "input must be given once"],
    ["for broken escapes", "?input=%zz", "input must be percent-encoded UTF-8"],
    ["for a form's fields", "?filters[0].star=true", undefined],
  ])("%s", async (_, query, message) => {
    await expectFailedFetch(server.fetch(FILE + query), "invalid_request", message);
  });

  test("for an input of more than 16 KiB", async () => {
    const input = JSON.stringify({ filters: [{ name: "x".repeat(16_384) }] });
    await expectFailedFetch(server.fetch(FILE + asQuery(input)), "payload_too_large");
  });

  test("by another method", async () => {
    const response = await server.fetch(FILE, { method: "POST" });
    expect(response.headers.get("allow")).toBe("GET, HEAD");
    await expectFailedFetch(response, "method_not_allowed");
  });

  test("of a tool that makes none", async () => {
    for (const tool of ["automation-cost-calculator", "mcp-config-generator"]) {
      await expectFailedFetch(server.fetch(`/tools/${tool}/file?input={}`), "not_found");
    }
  });
});

test("HEAD tells of the file without giving it", async () => {
  const path = FILE + asQuery(JSON.stringify(mailFilterContract.example_input));
  const [got, head] = [await server.fetch(path), await server.fetch(path, { method: "HEAD" })];
  expect(head.headers.get("content-length")).toBe(String((await got.bytes()).length));
  expect(await head.text()).toBe("");
});
