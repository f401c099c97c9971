import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { type PriceBook, PriceBookSchema } from "../schemas/price-book.ts";
import { formatIssue, InvalidInputError, validate } from "../src/issues.ts";
import { readJson, withoutSchema } from "../src/json-text.ts";
import { systemReason } from "../src/text.ts";
import { OperatorError } from "./operator-error.ts";
import type { Environment } from "./variables.ts";

/**
 * The operator's prices, from the file that `PRICE_BOOK` names.
 *
 * @throws {OperatorError} for a file that is unreadable or no price book.
 */
export function readPriceBook({ PRICE_BOOK: file }: Environment): PriceBook | undefined {
  if (!file) return undefined;
  try {
    return validate(PriceBookSchema, withoutSchema(readJson(readConfigFile(file))));
  } catch (error) {
    const problems =
      error instanceof InvalidInputError
        ? error.issues.map(formatIssue)
        : [systemReason(error) ?? (error instanceof Error ? error.message : String(error))];
    throw new OperatorError(
      2,
      problems.map((problem) => `PRICE_BOOK: ${file}: ${problem}`),
    );
  }
}

/**
 * The text of a file that the configuration names. Anything but a file is rejected: a pipe would wait
 * for its writer, and a device has no end.
 *
 * @throws {Error} when it is not a file that can be read, or larger than 1 MiB.
 */
export function readConfigFile(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error("is not a file");
    const bytes = Buffer.allocUnsafe(MAX_FILE_BYTES + 1);
    let length = 0;
    // The files of /proc and /sys have no size.
    for (let count = 1; count > 0 && length <= MAX_FILE_BYTES; length += count) {
      count = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    if (length > MAX_FILE_BYTES) throw new Error("is larger than 1 MiB");
    return bytes.toString("utf8", 0, length);
  } finally {
    closeSync(descriptor);
  }
}

const MAX_FILE_BYTES = 1_048_576;
