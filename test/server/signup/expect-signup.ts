import { expect } from "bun:test";
import { FAILURE_STATUS, type FailureCode } from "../../../schemas/index.ts";
import type { RawResponse } from "../raw-response.ts";

const OTHER_SITES_READ_NOTHING = { "cache-control": "no-store", vary: "Origin" };

const STATUS = { ...FAILURE_STATUS, rate_limited: 429 };

/** Expects the documented text and not a word more, which nobody keeps and no other site reads. */
export function expectRejected(
  { status, headers, body }: RawResponse,
  code: FailureCode | "rate_limited",
) {
  expect({ status, body }).toEqual({
    status: STATUS[code],
    body: `{"error":{"code":"${code}","message":"Request rejected"}}`,
  });
  expectPrivate(headers);
}

export function expectSignedUp({ status, headers, body }: RawResponse, listmonk = true) {
  expect({ status, body }).toEqual({ status: 200, body: `{"ok":true,"listmonk":${listmonk}}` });
  expectPrivate(headers);
}

function expectPrivate(headers: RawResponse["headers"]) {
  expect(headers).toMatchObject({
    ...OTHER_SITES_READ_NOTHING,
    "content-type": "application/json",
  });
  expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
}
