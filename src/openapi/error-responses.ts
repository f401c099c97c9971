import {
  FAILURE_STATUS,
  type FailureCode,
  MAX_SIGNUP_BYTES,
  MAX_TOOL_INPUT_BYTES,
} from "../../schemas/index.ts";
import { json } from "./content.ts";
import type { Components, Example, Reference, Responses } from "./document.ts";
import { kibibytes } from "./kibibytes.ts";
import { reference } from "./reference.ts";

type ErrorStatus = (typeof FAILURE_STATUS)[FailureCode];

interface Meaning {
  readonly name: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
}

const MEANINGS: Readonly<Record<ErrorStatus, Meaning>> = {
  400: {
    name: "BadRequest",
    description:
      "The input was not JSON or failed validation. For a tool, the message names the first problem by its path.",
  },
  403: {
    name: "Forbidden",
    description:
      "An Origin header was sent that is not the site's own, or the challenge token was missing, stale or issued elsewhere.",
  },
  404: { name: "NotFound", description: "No free tool has the requested name." },
  405: {
    name: "MethodNotAllowed",
    description: "The path does not take this method.",
    headers: { Allow: reference("headers", "Allow") },
  },
  413: {
    name: "ContentTooLarge",
    description: `The input of a tool was over ${kibibytes(MAX_TOOL_INPUT_BYTES)}, or the body of a signup over ${kibibytes(MAX_SIGNUP_BYTES)}.`,
  },
  415: {
    name: "UnsupportedMediaType",
    description: "The Content-Type was not application/json.",
  },
  500: {
    name: "InternalServerError",
    description: "The server failed. Of a signup, nothing was recorded.",
    headers: { "X-Request-Id": reference("headers", "RequestId") },
  },
};

/** One example for each code that has the status. */
const examplesOf = (wanted: number): Readonly<Record<string, Example>> =>
  Object.fromEntries(
    Object.entries(FAILURE_STATUS)
      .filter(([, status]) => status === wanted)
      .map(([code]) => [code, { value: { error: { code, message: "Request rejected" } } }]),
  );

/** The responses to which `errors` refers. */
export const errorResponses: Components["responses"] = Object.fromEntries(
  Object.entries(MEANINGS).map(([status, { name, ...meaning }]) => [
    name,
    { ...meaning, content: json("Error", examplesOf(Number(status))) },
  ]),
);

/** The errors with which an operation may answer, by status. */
export const errors = (...statuses: readonly ErrorStatus[]): Responses =>
  Object.fromEntries(
    statuses.map((status) => [status, reference("responses", MEANINGS[status].name)]),
  );
