import type { Findings, Path } from "../issues.ts";

/**
 * Remarks on unquoted words of `has_words` that Gmail may not read as their author does.
 *
 * @param joiners the lower-case words that look like an OR or AND where these words stand.
 */
export function remarkOnWords(
  words: readonly string[],
  joiners: readonly string[],
  path: Path,
  findings: Findings,
): void {
  if (words.includes("NOT")) {
    findings.warn(
      "not-operator",
      path,
      'Gmail has no NOT and searches it as a word; write -word or -"a phrase"',
    );
  }
  if (words.some((word) => joiners.includes(word))) {
    findings.info(
      "lower-case-operator",
      path,
      'lower-case "or" and "and" are searched as words; write OR or AND to join alternatives',
    );
  }
  if (words.some((word) => word.includes("*"))) {
    findings.info(
      "operator-taken-literally",
      path,
      "* stands for nothing here: Gmail has no wildcards and finds whole words only",
    );
  }
  if (words.includes("AROUND")) {
    findings.info(
      "operator-taken-literally",
      path,
      "AROUND is taken literally here; write it between two terms with a number, as in a AROUND 5 b",
    );
  }
  const minus = words.find((word) => /^--?[^-]/.test(word));
  if (minus !== undefined) {
    findings.info(
      "operator-taken-literally",
      path,
      `the - of ${minus} is taken literally here; write one minus and a word to keep mail out`,
    );
  }
}
