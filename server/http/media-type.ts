import { Refusal } from "../refusal.ts";

/** With any parameters. A comma outside quotes would be a second Content-Type. */
const JSON_TYPE = /^application\/json[ \t]*(?:;(?:[^",]|"(?:[^"\\]|\\.)*")*)?$/i;

/** Refuses a body that does not say it is JSON; `text/plain` would need no CORS preflight. */
export function requireJson(request: Request): void {
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? "")) {
    throw new Refusal("unsupported_media_type", "Content-Type must be application/json");
  }
}

/** Refuses a body that is no form of a page; a file upload is none of ours. */
export function requireForm(request: Request): void {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded[ \t]*(?:;[^,]*)?$/i.test(type)) {
    throw new Refusal(
      "unsupported_media_type",
      "Content-Type must be application/x-www-form-urlencoded",
    );
  }
}
