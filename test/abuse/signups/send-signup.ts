import { exchange } from "../../server/connection.ts";
import type { RawResponse } from "../../server/raw-response.ts";
import { rawPost } from "../../server/tool-calls.ts";

interface Caller {
  readonly origin?: string | undefined;
  readonly authorization?: string | undefined;
}

/** Posts a signup that is right where `fields` says nothing else. */
export function sendSignup(
  port: number,
  fields: object,
  { origin, authorization }: Caller = {},
): Promise<RawResponse> {
  const headers = [
    ...(origin === undefined ? [] : [`Origin: ${origin}\r\n`]),
    ...(authorization === undefined ? [] : [`Authorization: ${authorization}\r\n`]),
  ];
  const body = JSON.stringify({ name: "Ada", ctaSource: "hero", ...fields });
  return exchange(port, rawPost("/api/beta-signup", body, headers.join("")), "POST");
}
