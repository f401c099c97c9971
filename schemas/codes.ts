import codes from "./codes.json" with { type: "json" };
import type { ErrorCode } from "./http.ts";

export interface Explanation {
  readonly meaning: string;
  readonly why: string;
  readonly remedy: string;
}

type Explanations = Readonly<Record<string, Explanation>>;

/** Only the command line and the documentation load the explanations. The library has the types. */
export const warningCodes = codes.warnings satisfies Readonly<Record<string, Explanations>>;

/** A code of a tool's warnings. */
export type WarningCode<Name extends keyof typeof warningCodes> =
  keyof (typeof warningCodes)[Name] & string;

/** The error codes of HTTP and the library, and `rate_limited`, which only some servers return. */
export const errorCodes = codes.errors satisfies Readonly<
  Record<ErrorCode | "rate_limited", Explanation>
>;
