import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

export const ROOT = join(import.meta.dir, "../..");

/** A document that people read. */
export interface Document {
  /** Relative to the root, `docs/library.md`. */
  readonly path: string;
  readonly text: string;
}

export const readDocument = (path: string): Document => ({
  path,
  text: readFileSync(join(ROOT, path), "utf8"),
});

export const documents: readonly Document[] = [
  ...[
    "*.md",
    "docs/*.md",
    "deploy/*.md",
    "bench/*.md",
    "server/signup/*.md",
    "test/integration/*.md",
  ].flatMap((pattern) => [...new Glob(pattern).scanSync(ROOT)]),
]
  .sort()
  .map(readDocument);

/** A fenced block of code. */
export interface Block {
  readonly language: string;
  /** Without the indentation of a list item around it. */
  readonly code: string;
}

export const blocksOf = ({ text }: Document): Block[] =>
  [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)].map(
    ([, indent = "", language = "", code = ""]) => ({
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );

/** The text without its blocks of code. */
export const proseOf = ({ text }: Document): string =>
  text.replaceAll(/^( *)```\w*\n[\s\S]*?^\1```$/gm, "");
