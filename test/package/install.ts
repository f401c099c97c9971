import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOf } from "./execute.ts";

interface Installed {
  /** A folder of its own in which the package is installed as a user installs it. */
  readonly folder: string;
  readonly tarball: string;
  /** The files in the tarball. */
  readonly files: readonly string[];
}

/** Packs the project, which builds it too, and installs the tarball in an empty folder. */
export async function packAndInstall(root: string): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), "handtools-package-"));
  const packed = await outputOf(["npm", "pack", "--json", "--pack-destination", folder], {
    cwd: root,
  });
  const [{ filename, files }] = jsonAfterNoise(packed);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await outputOf(["npm", "install", "--no-audit", "--no-fund", `./${filename}`], { cwd: folder });
  return {
    folder,
    tarball: join(folder, filename),
    files: files.map(({ path }: { path: string }) => path),
  };
}

/** npm prints what the build prints before its own list. */
const jsonAfterNoise = (text: string) => JSON.parse(text.slice(text.search(/^\[/m)));
