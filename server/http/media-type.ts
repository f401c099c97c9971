import { Refusal } from "../refusal.ts";

/** With any parameters. A comma outside quotes would be a second Content-Type. */
const JSON_TYPE = /^application\/json[ \t]*(?:;(?:[^",]|"(?:[^"\\]|\\.)*")*)?$/i;

/** Refuses a body that does not say it is JSON; `text/plain` would need no CORS preflight. */
export function requireJson(request: Request): void {
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? "")) {
    throw new Refusal("unsupported_media_type", "Content-Type must be application/json");
  }
}
