import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Glob } from "bun";

const root = join(import.meta.dir, "../..");

export interface SourceFile {
  /** Relative to the root, `src/mail-filter/split.ts`. */
  readonly path: string;
  readonly text: string;
  /** The project's own files that it imports, relative to the root. */
  readonly imports: readonly string[];
  /** The packages and runtime modules it imports. */
  readonly packages: readonly string[];
}

/** `import … from "x"`, `export … from "x"`, `import "x"` and `import("x")`. */
const IMPORT =
  /^(?:import|export)\b[^;"=]*?\bfrom\s*"([^"]+)"|^import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/gm;

function read(path: string): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  const specifiers = [...text.matchAll(IMPORT)].map(
    ([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? "",
  );
  return {
    path,
    text,
    imports: specifiers
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => posix.join(posix.dirname(path), specifier)),
    packages: specifiers.filter((specifier) => !specifier.startsWith(".")),
  };
}

/** The hand-written sources that are published, declarations aside. */
export const sources = readAll("{schemas,src,cli,server}/**/*.{ts,tsx}").filter(
  ({ path }) => !path.endsWith(".d.ts"),
);

export const tests = readAll("test/**/*.ts");

/** The files of a pattern, with slashes on Windows, too. */
function readAll(pattern: string): readonly SourceFile[] {
  const paths = [...new Glob(pattern).scanSync(root)].map((path) => path.replaceAll("\\", "/"));
  return paths.sort().map(read);
}

export const folderOf = (path: string): string => path.split("/")[0] ?? "";
