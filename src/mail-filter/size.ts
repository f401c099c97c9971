import type { FilterDiagnostics } from "./diagnostics.ts";

/** A size as both the filter and the search write it, so that the two cannot differ. */
export interface Size {
  /** As it was asked for. */
  readonly megabytes: number;
  readonly value: number;
  readonly unit: "MB" | "bytes";
}

export interface SizeRange {
  readonly larger?: Size;
  readonly smaller?: Size;
}

export function readSizes(
  filter: { larger_than_mb?: number | undefined; smaller_than_mb?: number | undefined },
  diagnostics: FilterDiagnostics,
): SizeRange {
  const larger = readSize(filter.larger_than_mb, diagnostics.at("larger_than_mb"));
  const smaller = readSize(filter.smaller_than_mb, diagnostics.at("smaller_than_mb"));
  if (larger && smaller && inBytes(larger) >= inBytes(smaller)) {
    diagnostics
      .at("larger_than_mb")
      .reject("must be less than smaller_than_mb, or no mail can match");
  }
  if (larger && inBytes(larger) >= LARGEST_MAIL_MB * BYTES_PER_MB) {
    diagnostics
      .at("larger_than_mb")
      .warn(
        "larger-than-any-mail",
        `Gmail receives mail of up to ${LARGEST_MAIL_MB} MB, so nothing may match`,
      );
  }
  return { ...(larger && { larger }), ...(smaller && { smaller }) };
}

function readSize(megabytes: number | undefined, diagnostics: FilterDiagnostics): Size | undefined {
  if (megabytes === undefined) return undefined;
  if (megabytes * BYTES_PER_MB < 1) diagnostics.reject("must be at least one byte");
  return toSize(megabytes);
}

/** Whole megabytes keep Gmail's unit; others become whole bytes, rounded. */
const toSize = (megabytes: number): Size =>
  Number.isInteger(megabytes)
    ? { megabytes, value: megabytes, unit: "MB" }
    : { megabytes, value: Math.round(megabytes * BYTES_PER_MB), unit: "bytes" };

/** Google's own filter guide takes 10 MB for 10,485,760 bytes. */
export const BYTES_PER_MB = 1_048_576;

/** Mail above this size does not reach Gmail. */
const LARGEST_MAIL_MB = 50;

export const inBytes = ({ value, unit }: Size): number =>
  unit === "MB" ? value * BYTES_PER_MB : value;

/** `5M` or `1572864`, after `larger:` or `smaller:`. */
export const searchSize = ({ value, unit }: Size): string =>
  unit === "MB" ? `${value}M` : String(value);
