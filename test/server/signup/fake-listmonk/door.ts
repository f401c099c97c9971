import { failure } from "./replies.ts";

export const USER = "handtools";
export const TOKEN = "a-token-of-listmonk";

const OPEN = /^\/(?:health$|api\/public\/)/;

/** What is turned away at once. There is no 401; beside a session cookie the token counts for nothing. */
export function refusedBy({ headers, body }: Request, path: string): Response | undefined {
  const type = headers.get("content-type") ?? "";
  if (body && !type.startsWith("application/json")) return failure(415, "Unsupported Media Type");
  if (OPEN.test(path)) return undefined;

  const authorization = headers.get("authorization") ?? "";
  if (authorization === "" || headers.get("cookie")?.includes("session=")) {
    return failure(403, "invalid session");
  }
  if (!/^(?:token|Basic) /.test(authorization)) {
    return failure(403, "code=400, message=unknown Authorization scheme");
  }
  const isRight = authorization === `token ${USER}:${TOKEN}`;
  return isRight ? undefined : failure(403, "invalid API credentials");
}
