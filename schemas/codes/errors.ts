import type { ErrorCode } from "../http.ts";
import { type Explanation, explained } from "./explanation.ts";

/** The codes of errors, over HTTP and in the library, and the one of a server with a rate limit. */
export const errorCodes = {
  invalid_request: explained(
    "The input is not JSON, breaks the schema, or has no honest output.",
    "Nothing was done. For a tool the message names each problem by its path; a signup is never told why.",
    "Correct what the message names. `handtools schema COMMAND` prints what is wanted, `handtools example COMMAND` an input that runs.",
  ),
  origin_rejected: explained(
    "A signup came from a page of another site.",
    "Only the site's own pages may send signups from a browser. Nothing was recorded.",
    "As the operator, set BASE_URL to exactly the origin that the browser shows.",
  ),
  verification_failed: explained(
    "The challenge token of a signup was missing, too old, or issued elsewhere.",
    "A token works once, for some minutes, on the site that issued it. Nothing was recorded.",
    "Load the page anew. As the operator of several servers, set one CHALLENGE_SECRET, or the right Turnstile keys.",
  ),
  not_found: explained(
    "There is no tool, page or endpoint of this name.",
    "Nothing was done.",
    "GET /api/tools, or `handtools tools`, lists the tools.",
  ),
  method_not_allowed: explained(
    "The path does not take this HTTP method.",
    "Nothing was done.",
    "The answer's Allow header names the methods that it takes.",
  ),
  payload_too_large: explained(
    "The body, or the input in the URL, is larger than the service takes.",
    "A tool's input may have 16 KiB over HTTP, a signup 8 KiB. Nothing was done.",
    "Send less at a time. The command line and the library have no such limit.",
  ),
  unsupported_media_type: explained(
    "The Content-Type of the body is not application/json.",
    "Nothing was done.",
    "Send the header `Content-Type: application/json`.",
  ),
  rate_limited: explained(
    "Too many signups, or challenges for them, came from one network address within a minute.",
    "Nothing was recorded. It is an extension of servers with a rate limit; the OpenAPI document does not have it.",
    "Wait as long as the answer's Retry-After header says. As the operator, name your proxy in TRUSTED_PROXIES, or all visitors are one address; RATE_LIMIT is the number.",
  ),
  internal_error: explained(
    "The service failed, not the request.",
    "Nothing was recorded. The server's log says what failed.",
    "Try again later. As the operator, look at the log and at the database; in the library it is a fault to report.",
  ),
} satisfies Readonly<Record<ErrorCode | "rate_limited", Explanation>>;
