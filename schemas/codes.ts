import codes from "./codes.json" with { type: "json" };
import type { ErrorCode } from "./http.ts";

/** The three texts that explain a code. */
export interface Explanation {
  readonly meaning: string;
  readonly why: string;
  readonly remedy: string;
}

type Explanations = Readonly<Record<string, Explanation>>;

/**
 * The codes of each tool's warnings and infos. Only the command line and the documentation load
 * the texts: the library has the codes as types.
 */
export const warningCodes = codes.warnings satisfies Readonly<Record<string, Explanations>>;

/** The codes of the warnings that a tool may give. */
export type WarningCode<Name extends keyof typeof warningCodes> =
  keyof (typeof warningCodes)[Name] & string;

/** The codes of errors: those of HTTP and the library, and `rate_limited` of a server with a rate limit. */
export const errorCodes = codes.errors satisfies Readonly<
  Record<ErrorCode | "rate_limited", Explanation>
>;
