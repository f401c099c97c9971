import { describe, expect, test } from "bun:test";
import { readDocument } from "../../support/openapi.ts";
import { answersOf } from "../support/documented.ts";
import { BASE_URL } from "../support/servers.ts";

const document = readDocument({ baseUrl: BASE_URL });
const undocumented = answersOf(document);
describe("what is not documented is seen", () => {
  const type = { "content-type": "application/health+json", "cache-control": "no-store" };

  test.each<[string, number, string, Record<string, string>, string]>([
    ["a status", 418, "{}", type, "the status 418"],
    ["a media type", 200, "{}", { ...type, "content-type": "text/html" }, "the text/html {}"],
    ["a body", 200, '{"status":"warn"}', type, 'the application/health+json {"status":"warn"}'],
    [
      "a missing header",
      200,
      '{"status":"pass"}',
      { "content-type": "application/health+json" },
      "no header Cache-Control",
    ],
  ])("%s", (_, status, body, headers, difference) => {
    const response = { status, headers, body };
    expect(undocumented("/api/health", "GET", response)).toEqual([difference]);
  });
});
