import { expect } from "bun:test";
import fc from "fast-check";
import { ERROR_STATUS, MAX_TOOL_INPUT_BYTES, tools } from "../../../schemas/index.ts";
import { toolPath } from "../../../src/describe-tool.ts";
import { callTool, openApi } from "../../../src/index.ts";
import type { OpenApiDocument, Operation, Response } from "../../../src/openapi/document.ts";
import { compile } from "../../schemas/from-schema.ts";
import type { RawResponse } from "../../server/support/http.ts";
import { dereference, isObject, operationsOf } from "../../src/openapi/support.ts";
import { checkProperty } from "../fuzz/check-property.ts";
import { type GeneratedRequest, INGEST_SECRET, requestsTo, toBytes } from "./generate.ts";
import type { Scenario } from "./run.ts";
import { steadyClient } from "./support.ts";

/** The one header that is not on every answer for which it is documented. */
const SOMETIMES = "ETag";

/**
 * Compares answers with the document, as test/server/routes/openapi.test.ts does, for so many answers
 * that the schemas must be compiled before.
 *
 * @returns what the document does not say of an answer; empty when it is as documented.
 */
function documentedAnswers(document: OpenApiDocument) {
  const known = new Map(
    operationsOf(document).flatMap(({ path, method, responses }) =>
      Object.entries(responses).map(([status, response]) => [
        `${method.toUpperCase()} ${path} ${status}`,
        judgeOf(document, response),
      ]),
    ),
  );
  return (path: string, method: string, response: RawResponse): string => {
    const [first = ""] = Object.keys(document.paths[path] ?? {});
    // A method that a path does not take is documented with those that it takes.
    const judge =
      known.get(`${method} ${path} ${response.status}`) ??
      known.get(`${first.toUpperCase()} ${path} ${response.status}`);
    return judge ? judge(response) : `the status ${response.status} is not documented`;
  };
}

type Judge = (response: RawResponse) => string;

function judgeOf(document: OpenApiDocument, documented: Operation["responses"][string]): Judge {
  const { headers = {}, content }: Partial<Response> =
    "$ref" in documented
      ? (document.components.responses[documented.$ref.replace(/^.*\//, "")] ?? {})
      : documented;
  const wanted = Object.keys(headers).filter((name) => name !== SOMETIMES);
  const bodies = new Map(
    Object.entries(content ?? {}).map(([type, media]) => {
      const schema = dereference(media.schema, document);
      return [type, isObject(schema) ? compile(schema) : () => false] as const;
    }),
  );
  return (response) => {
    const missing = wanted.find((name) => response.headers[name.toLowerCase()] === undefined);
    if (missing) return `the header ${missing} is missing`;
    if (bodies.size === 0) return response.body === "" ? "" : "there should be no body";
    const type = response.headers["content-type"] ?? "";
    const fits = bodies.get(type);
    if (!fits) return `the type ${type} is not documented`;
    return fits(JSON.parse(response.body)) ? "" : "the body is not as documented";
  };
}

const namesByPath = new Map<string, string>(tools.map((tool) => [toolPath(tool), tool.name]));

/** What has to hold of the answer to a generated request. */
function answersOf(document: OpenApiDocument) {
  const undocumented = documentedAnswers(document);
  return (request: GeneratedRequest, response: RawResponse): void => {
    const { path, method } = request;
    expect(response.status).toBeLessThan(500);
    if (method === "OPTIONS" && namesByPath.has(path)) {
      expect(response).toMatchObject({ status: 204, body: "" });
    } else if (method === "HEAD") {
      expect(response.body).toBe("");
      expectHeaders(path, response);
    } else {
      expect(undocumented(path, method, response)).toBe("");
      expectHeaders(path, response);
      if (response.status >= 400) expectError(path, response);
      expectRun(request, response);
    }
  };
}

/** Any site's scripts may read what the tools say, and none what the signup says. */
function expectHeaders(path: string, { headers }: RawResponse): void {
  expect(headers["access-control-allow-origin"]).toBe(
    path === "/api/beta-signup" ? undefined : "*",
  );
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers).not.toHaveProperty("set-cookie");
}

/** The code is one of the status; strangers to the signup learn nothing more. */
function expectError(path: string, { status, body }: RawResponse): void {
  const { code, message } = JSON.parse(body).error;
  expect<unknown>(Object.entries(ERROR_STATUS)).toContainEqual([code, status]);
  if (path === "/api/beta-signup") expect(message).toBe("Request rejected");
}

/** A tool's input that could be read is answered as the library answers it. */
function expectRun({ path, method, json }: GeneratedRequest, { status, body }: RawResponse): void {
  const name = namesByPath.get(path);
  if (name === undefined || json === undefined || !["GET", "POST"].includes(method)) return;
  const isTooLarge = Buffer.byteLength(json) > MAX_TOOL_INPUT_BYTES;
  const outcome = callTool(name, JSON.parse(json));
  if (isTooLarge) expect(status).toBe(413);
  else if (!outcome.ok) expect(status).toBe(400);
  // Whoever has it already, whatever it is, need not be told again.
  else if (status !== 304)
    expect({ status, body }).toEqual({ status: 200, body: JSON.stringify(outcome.value) });
}

/** The statuses that requests of a client can have; 404 is that of no path in the document. */
const STATUSES = [200, 304, 400, 403, 405, 413, 415];

/** Requests made from the OpenAPI document, and answers compared with it. */
export const generatedRequests: Scenario = {
  title: "whatever is made from the OpenAPI document is answered as it says",
  environment: { SIGNUP_INGEST_SECRET: INGEST_SECRET },

  async run({ base, port, seed, times }) {
    // What is served is what the library makes, whose types are known.
    const document = openApi({ baseUrl: base.replace("127.0.0.1", "localhost") });
    expect(await (await fetch(`${base}/openapi.json`)).text()).toBe(JSON.stringify(document));

    const expectAnswer = answersOf(document);
    const counts = new Map<number, number>();
    const client = steadyClient(port);
    const property = fc.asyncProperty(requestsTo(document), async (request) => {
      const isLast = request.headers.some(([, value]) => value === "close");
      const response = await client.exchange(toBytes(request), request.method, isLast);
      expectAnswer(request, response);
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
    });
    const details = await checkProperty(property, { numRuns: times(4_000, 50_000), seed });
    client.end();
    for (const status of STATUSES) expect(counts.get(status) ?? 0).toBeGreaterThan(0);
    return `${details.numRuns} requests, ${[...counts].map(([status, count]) => `${count} x ${status}`).join(", ")}`;
  },
};
