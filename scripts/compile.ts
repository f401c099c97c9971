import { fileURLToPath } from "node:url";
import { buildAssets } from "../server/pages/assets/build-assets.ts";
import { WORKER_VARIABLE } from "../server/process/workers.ts";
import { leanPackages } from "./lean-packages.ts";

/*
 * Run by `npm run compile`: makes one program of the command line, the server and Bun, for
 * machines of this kind without Node and Bun. `bun run scripts/compile.ts [FILE]`
 */

const [outfile = "dist/bin/handtools"] = process.argv.slice(2);

/** The file of the project at this path from its root. */
const file = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The program has one entry: a worker is the same program, started again with the variable set. */
const ENTRY = file("program.ts");
const entryText = `
if (process.env.${WORKER_VARIABLE} === "1") await import("./server/process/worker.ts");
else await import("./cli/main.ts");
`;

const STORE = file("server/signup/store");
const migrations = new Bun.Glob("migrations/**/*.{sql,json}").scanSync({
  cwd: STORE,
  absolute: true,
});

const { assets } = await buildAssets();
await Bun.build({
  entrypoints: [ENTRY, ...migrations],
  files: {
    [ENTRY]: entryText,
    [file("server/pages/assets/built-assets.ts")]:
      `export const builtAssets = ${JSON.stringify(assets)};`,
  },
  target: "bun",
  plugins: [leanPackages],
  // A bunfig.toml or .env in the working directory must not change the program.
  compile: { outfile, autoloadBunfig: false, autoloadDotenv: false },
  // Names stay, so that a stack trace can be read.
  minify: { whitespace: true, syntax: true },
  // In the program every module is at the root and looks for the migrations beside itself.
  root: STORE,
  naming: { asset: "[dir]/[name].[ext]" },
  loader: { ".sql": "file", ".json": "file" },
});
