import { expect } from "bun:test";
import { FAILURE_STATUS, MAX_TOOL_INPUT_BYTES, tools } from "../../../schemas/index.ts";
import { toolPath } from "../../../src/describe-tool.ts";
import { callTool } from "../../../src/index.ts";
import type { OpenApiDocument } from "../../../src/openapi/document.ts";
import type { RawResponse } from "../../server/raw-response.ts";
import { documentedAnswers } from "./documented-answers.ts";
import type { GeneratedRequest } from "./requests.ts";

const namesByPath = new Map<string, string>(tools.map((tool) => [toolPath(tool), tool.name]));

/** What has to hold of the answer to a generated request. */
export function answersOf(document: OpenApiDocument) {
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
  expect<unknown>(Object.entries(FAILURE_STATUS)).toContainEqual([code, status]);
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
