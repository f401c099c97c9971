import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
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
  const messages = await install(folder, [tarball]);
  return { folder, tarball, files: files.map(({ path }: { path: string }) => path), messages };
}

/**
 * Installs packages in a folder.
 *
 * @returns what npm says.
 */
export async function install(folder: string, packages: readonly string[]): Promise<string> {
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const command = ["npm", "install", "--no-audit", "--no-fund", ...packages];
  const { exitCode, out, error } = await execute(command, { cwd: folder });
  if (exitCode !== 0) throw new Error(out + error);
  return out + error;
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

/**
 * A registry on this machine in which the tarball is published. For other packages it sends to
 * the registry that npm is set up with.
 */
export async function startRegistry(tarball: string) {
  const configured = await outputOf(["npm", "config", "get", "registry"], {
    cwd: dirname(tarball),
  });
  const file = Bun.file(tarball);
  const { name, version } = packageJson;
  const hash = new Bun.CryptoHasher("sha512").update(await file.bytes()).digest("base64");
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    routes: {
      [`/${name}`]: ({ url }: Request) => {
        const dist = {
          tarball: `${url}/-/${name}-${version}.tgz`,
          integrity: `sha512-${hash}`,
        };
        return Response.json({
          name,
          "dist-tags": { latest: version },
          versions: { [version]: { ...packageJson, dist } },
        });
      },
      [`/${name}/-/*`]: () => new Response(file),
    },
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      return Response.redirect(`${configured.trim().replace(/\/$/, "")}${pathname}`);
    },
  });
  return { url: server.url.href, stop: () => server.stop(true) };
}
