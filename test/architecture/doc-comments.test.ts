import { expect, test } from "bun:test";
import { posix } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { type SourceFile, sources } from "./source-files.ts";

const files = new Map(sources.map((file) => [file.path, file]));

/** The names that a file exports, each with the file and the name of its declaration. */
function exportsOf(path: string): Map<string, { readonly file: SourceFile; readonly as: string }> {
  const file = files.get(path);
  if (!file) throw new Error(`${path} is not a source`);
  const found = new Map<string, { readonly file: SourceFile; readonly as: string }>();
  for (const [, name = ""] of file.text.matchAll(DECLARATION)) found.set(name, { file, as: name });
  for (const [, names = "", from = ""] of file.text.matchAll(REEXPORT)) {
    const others = exportsOf(posix.join(posix.dirname(path), from));
    if (names.startsWith("*")) for (const [name, other] of others) found.set(name, other);
    for (const [, as = "", name = as] of names.matchAll(/(\w+)(?: as (\w+))?(?=[\s,}])/g)) {
      const other = others.get(as);
      if (other) found.set(name, other);
    }
  }
  return found;
}

const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|function|class|interface|type) (\w+)/gm;
const REEXPORT = /^export (?:type )?(\*|\{[^}]*\}) from "(\.[^"]+)";$/gm;

/** True when a doc comment ends right before the declaration. */
const isDocumented = ({ file, as }: { readonly file: SourceFile; readonly as: string }): boolean =>
  new RegExp(`\\*/\\nexport [a-z ]*\\b${as}\\b`).test(file.text);

const entries = Object.entries(packageJson.exports)
  .filter(([, file]) => file.endsWith("/index.js"))
  .map(([entry, file]) => ({
    entry: entry.replace(".", packageJson.name),
    path: file.replace("./dist/", "").replace(/\.js$/, ".ts"),
  }));

test.each(entries)("every export of $entry has a doc comment", ({ path }) => {
  const exported = exportsOf(path);
  const bare = [...exported].filter(([, declaration]) => !isDocumented(declaration));
  expect(bare.map(([name, { file }]) => `${file.path}: ${name}`)).toEqual([]);
  expect(exported.size).toBeGreaterThan(3);
});
