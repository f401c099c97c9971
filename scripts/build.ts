import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix, relative, resolve } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { buildAssets } from "../server/pages/assets/build-assets.ts";
import { fileSchemas } from "../src/file-schemas.ts";
import { createOpenApiDocument } from "../src/openapi.ts";
import { leanPackages } from "./lean-packages.ts";
import { collectNotices } from "./third-parties.ts";

/*
 * `npm run build` runs this after the compiler. Packages of the library are dependencies. The command
 * line is bundled because few files load faster, and the server because it uses little of its packages.
 */

const root = join(import.meta.dir, "..");
const dist = join(root, "dist");

const { assets, inputs } = await buildAssets();
const serverFiles = await bundle({
  entrypoints: ["server/main.ts", "server/signup/signups-command.ts"],
  outdir: "dist/server",
  plugins: [beside(/^(?:schemas|src)\/(?!message-preview\/)/, "server")],
  // pg needs the last two only without a password or in other runtimes.
  external: [...Object.keys(packageJson.dependencies), "pgpass", "pg-cloudflare"],
  files: {
    [join(root, "server/pages/assets/built-assets.ts")]:
      `export const builtAssets = ${JSON.stringify(assets)};`,
  },
  target: "bun",
});
const commandLine = await bundle({
  entrypoints: ["cli/main.ts"],
  outdir: "dist/cli",
  // The server needs Bun, and the OpenAPI document is rarely needed.
  plugins: [beside(/^(?:server\/(?!mcp\/|service\.ts)|src\/openapi\.ts$)/, "cli")],
  target: "node",
  minChunkSize: 16_384,
});
// The library uses small parts of xmlbuilder2, which has six dependencies, and of papaparse. Each is
// in one module.
const library = await Promise.all(
  ["src/mail-filter/write-xml.ts", "src/automation-cost/zap-table.ts"].map((module) =>
    bundle({
      entrypoints: [module],
      outdir: `dist/${dirname(module)}`,
      plugins: [beside(/^(?:schemas|src)\//, dirname(module))],
      target: "browser",
    }),
  ),
);
const bundled = [...inputs, ...serverFiles, ...commandLine, ...library.flat()];
write("THIRD-PARTY-NOTICES.txt", collectNotices(bundled));

cpSync(join(root, "server/signup/store/migrations"), join(dist, "server/migrations"), {
  recursive: true,
  // Only drizzle-kit needs them.
  filter: (path) => !path.endsWith("_snapshot.json"),
});

mkdirSync(join(dist, "schemas"), { recursive: true });
for (const { name, compose } of fileSchemas) write(`schemas/${name}.json`, toLine(compose()));
write("openapi.json", toLine(createOpenApiDocument({ baseUrl: "http://localhost:3000" })));

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function write(path: string, content: string): void {
  writeFileSync(join(dist, path), content);
}

/** @returns the paths of all files in the bundle. */
async function bundle(options: Bun.BuildConfig): Promise<readonly string[]> {
  const { metafile } = await Bun.build({
    ...options,
    plugins: [...(options.plugins ?? []), leanPackages],
    splitting: true,
    // Keeps names, for stack traces.
    minify: { whitespace: true, syntax: true },
    naming: { entry: "[name].[ext]" },
    metafile: true,
  });
  if (!metafile) throw new Error("The bundler returned no list of its files");
  return Object.keys(metafile.inputs);
}

/**
 * Excludes sources from a bundle and imports their compiled files: src and schemas from the compiler,
 * and the server's entries from its directory.
 *
 * @param outside the paths to exclude, from the root.
 * @param from the bundle's directory in dist.
 */
function beside(outside: RegExp, from: string): Bun.BunPlugin {
  return {
    name: "beside",
    setup(build) {
      build.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, importer }) => {
        const source = relative(root, resolve(dirname(importer), path)).replaceAll("\\", "/");
        if (!outside.test(source)) return undefined;
        const file = source.startsWith("server/") ? `server/${basename(source)}` : source;
        const target = posix.relative(from, file).replace(/\.ts$/, ".js");
        return { path: target.startsWith(".") ? target : `./${target}`, external: true };
      });
    },
  };
}
