import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execute, outputOf } from "../programs.ts";

interface Installed {
  /** A folder of its own in which the package is installed as a user installs it. */
  readonly folder: string;
  readonly tarball: string;
  /** The files in the tarball. */
  readonly files: readonly string[];
  /** The output of the installation. */
  readonly messages: string;
}

/** Packs the project, which builds it too, and installs the tarball in an empty folder. */
export async function packAndInstall(root: string): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), "handtools-package-"));
  const packed = await outputOf(["npm", "pack", "--json", "--pack-destination", folder], {
    cwd: root,
  });
  const [{ filename, files }] = jsonAfterNoise(packed);
  const tarball = join(folder, filename);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const command = ["npm", "install", "--no-audit", "--no-fund", tarball];
  const { exitCode, out, error } = await execute(command, { cwd: folder });
  if (exitCode !== 0) throw new Error(out + error);
  const messages = out + error;
  return { folder, tarball, files: files.map(({ path }: { path: string }) => path), messages };
}

export function installedSize(folder: string): { packages: number; bytes: number } {
  const modules = join(folder, "node_modules");
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"));
  return {
    packages: Object.keys(packages).length,
    bytes: files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0),
  };
}

/** npm prints what the build prints before its own list. */
const jsonAfterNoise = (text: string) => JSON.parse(text.slice(text.search(/^\[/m)));
