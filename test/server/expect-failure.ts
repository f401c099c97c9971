import { expect } from "bun:test";
import { FAILURE_STATUS, type FailureCode } from "../../schemas/index.ts";

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Expects the one body of every error, the status of its code, and the documented text. */
export function expectFailure({ status, body }: Answer, code: FailureCode, message?: string) {
  const parsed = JSON.parse(body);
  const said: unknown = parsed.error?.message;
  expect({ status, body: parsed }).toEqual({
    status: FAILURE_STATUS[code],
    body: { error: { code, message: expect.stringMatching(/^Request rejected(: .+)?$/) } },
  });
  if (message !== undefined) expect(said).toBe(`Request rejected: ${message}`);
}

/** The same of what `fetch` gives. */
export async function expectFailedFetch(
  response: Response | Promise<Response>,
  code: FailureCode,
  message?: string,
) {
  const answer = await response;
  expect(answer.headers.get("content-type")).toBe("application/json");
  expectFailure({ status: answer.status, body: await answer.text() }, code, message);
}
