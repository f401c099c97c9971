import type { Warning } from "../schemas/index.ts";
import { formatPath, type Path } from "./path.ts";
import { InvalidInputError, type Issue, issueAt } from "./result.ts";

/** Collects what a tool finds in a valid input: reasons to refuse it, and remarks. */
export class Findings {
  readonly warnings: Warning[] = [];
  readonly #issues: Issue[] = [];

  /** There is no honest output for this. */
  refuse(path: Path, message: string): void {
    this.#issues.push(issueAt(path, message));
  }

  /** Accepted, but it may surprise or do harm. */
  warn(code: string, path: Path, message: string): void {
    this.warnings.push({ code, severity: "warning", path: formatPath(path), message });
  }

  /** Accepted; worth knowing. */
  info(code: string, path: Path, message: string): void {
    this.warnings.push({ code, severity: "info", path: formatPath(path), message });
  }

  /** @throws {InvalidInputError} with all the reasons, if there was one. */
  throwIfRefused(): void {
    if (this.#issues.length > 0) throw new InvalidInputError(this.#issues);
  }
}
