import { jsoncParserPlugin } from "./jsonc-parser-plugin.ts";
import { licencesOf } from "./licences.ts";

/*
 * Run by `npm run build`: bundles the command line into dist/cli, because a few files load faster
 * than the many files of its packages, and writes the licences of these packages beside it.
 */

/** The server and the OpenAPI document stay outside the bundle: few commands load them. */
const serviceOutside: Bun.BunPlugin = {
  name: "service-outside",
  setup(build) {
    build.onResolve({ filter: /^\.\.\/(?:server\/|src\/openapi\/openapi\.ts$)/ }, ({ path }) => ({
      path: path.replace(/\.ts$/, ".js"),
      external: true,
    }));
  },
};

const { metafile } = await Bun.build({
  entrypoints: ["cli/main.ts"],
  outdir: "dist/cli",
  target: "node",
  splitting: true,
  // Names stay, so that a stack trace can be read.
  minify: { whitespace: true, syntax: true },
  naming: { entry: "[name].[ext]" },
  metafile: true,
  plugins: [serviceOutside, jsoncParserPlugin],
  minChunkSize: 16_384,
});

if (!metafile) throw new Error("The bundler gives no list of the files it has bundled");
await Bun.write("dist/cli/LICENSES.txt", await licencesOf(Object.keys(metafile.inputs)));
