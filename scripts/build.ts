import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix, relative, resolve } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { buildAssets } from "../server/pages/assets/build-assets.ts";
import { fileSchemas } from "../src/file-schemas.ts";
import { createOpenApiDocument } from "../src/openapi.ts";
import { leanPackages } from "./lean-packages.ts";
import { collectNotices } from "./third-parties.ts";

/*
 * Run by `npm run build`, after the compiler has filled dist. What the library imports is installed
 * with it; everything else is bundled here: the command line, because a few files load faster than
 * many, and the server, whose packages are many times larger than what it needs of them.
 */

const root = join(import.meta.dir, "..");
const dist = join(root, "dist");

const { assets, inputs } = await buildAssets();
const server = await bundle({
  // All files are written into one folder, the entries too, so that each finds its neighbours.
  entrypoints: ["server/main.ts", "server/signup/signups-command.ts"],
  outdir: "dist/server",
  plugins: [beside(/^(?:schemas|src)\/(?!message-preview\/)/, "server")],
  // pg asks for the others only without a password, or in other runtimes.
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
  // The server needs Bun, and the OpenAPI document is rarely asked for.
  plugins: [beside(/^(?:server\/(?!mcp\/|service\.ts)|src\/openapi\.ts$)/, "cli")],
  target: "node",
  minChunkSize: 16_384,
});
// The library uses small parts of xmlbuilder2, which would bring six more packages, and of papaparse,
// whose files are fifteen times larger than what is used of them. Each is in one module only.
const library = await Promise.all(
  ["src/mail-filter/write-xml.ts", "src/automation-cost/zap-table.ts"].map((module) =>
    bundle({
      entrypoints: [module],
      outdir: `dist/${dirname(module)}`,
      plugins: [beside(/^(?:schemas|src)\//, dirname(module))],
      // The library runs everywhere.
      target: "browser",
    }),
  ),
);
write(
  "THIRD-PARTY-NOTICES.txt",
  collectNotices([...inputs, ...server, ...commandLine, ...library.flat()]),
);

cpSync(join(root, "server/signup/store/migrations"), join(dist, "server/migrations"), {
  recursive: true,
  // Only a new migration needs them.
  filter: (path) => !path.endsWith("_snapshot.json"),
});

// The JSON Schemas of files for editors, as the server serves them, and the OpenAPI document.
mkdirSync(join(dist, "schemas"), { recursive: true });
for (const { name, compose } of fileSchemas) {
  write(`schemas/${name}.json`, `${JSON.stringify(compose())}\n`);
}
write(
  "openapi.json",
  `${JSON.stringify(createOpenApiDocument({ baseUrl: "http://localhost:3000" }))}\n`,
);

function write(path: string, text: string): void {
  writeFileSync(join(dist, path), text);
}

/** @returns the paths of all files in the bundle, except Bun's own helpers. */
async function bundle(options: Bun.BuildConfig): Promise<readonly string[]> {
  const { metafile } = await Bun.build({
    ...options,
    plugins: [...(options.plugins ?? []), leanPackages],
    splitting: true,
    // Names stay, so that a stack trace can be read.
    minify: { whitespace: true, syntax: true },
    naming: { entry: "[name].[ext]" },
    metafile: true,
  });
  if (!metafile) throw new Error("The bundler gives no list of the files it has bundled");
  return Object.keys(metafile.inputs);
}

/**
 * Leaves sources out of a bundle whose compiled files are in dist: those of src and schemas where
 * the compiler has written them, and entries of the server in its folder.
 *
 * @param outside the paths from the root that stay outside.
 * @param from the folder in dist with the bundle.
 */
function beside(outside: RegExp, from: string): Bun.BunPlugin {
  return {
    name: "beside",
    setup(build) {
      build.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, importer }) => {
        const source = relative(root, resolve(dirname(importer), path));
        if (!outside.test(source)) return undefined;
        const file = source.startsWith("server/") ? `server/${basename(source)}` : source;
        const target = posix.relative(from, file).replace(/\.ts$/, ".js");
        return { path: target.startsWith(".") ? target : `./${target}`, external: true };
      });
    },
  };
}
