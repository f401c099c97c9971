import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";

/*
 * Run at a release: `REPOSITORY=https://github.com/owner/name bun run scripts/write-address.ts`.
 * It writes the project's URL into package.json, and into links to files outside the package.
 */

const { REPOSITORY = "" } = process.env;
if (!/^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+$/.test(REPOSITORY)) {
  throw new Error("REPOSITORY must be a URL such as https://github.com/owner/name");
}

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const links = {
  repository: { type: "git", url: `git+${REPOSITORY}.git` },
  homepage: `${REPOSITORY}#readme`,
  bugs: `${REPOSITORY}/issues`,
};
writeFileSync("package.json", `${JSON.stringify({ ...manifest, ...links }, null, 2)}\n`);

const listed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"]);
const [{ files }] = JSON.parse(String(listed));
const packed: ReadonlySet<string> = new Set(files.map(({ path }: { path: string }) => path));

/** The target of a Markdown link or an HTML image. */
const RELATIVE_LINK = /(?<=\]\(|\bsrc(?:set)?=")[\w./-]+(?=[#)"])/g;

for (const document of [...packed].filter((path) => path.endsWith(".md"))) {
  const text = readFileSync(document, "utf8");
  writeFileSync(
    document,
    text.replace(RELATIVE_LINK, (target) => {
      const path = posix.join(posix.dirname(document), target);
      if (packed.has(path) || !existsSync(path)) return target;
      const kind = /\.(?:svg|webp|png)$/.test(path) ? "raw" : "blob";
      return `${REPOSITORY}/${kind}/v${manifest.version}/${path}`;
    }),
  );
}
