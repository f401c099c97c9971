import { licencesOf } from "./licences.ts";

/*
 * Run by `npm run build`: bundles the command line into dist/cli, because a few files start
 * faster than the many of its packages, and writes the licences of these packages beside it.
 */

/**
 * The server and its OpenAPI document are compiled beside the bundle, and loaded only where they
 * are asked for.
 */
const serviceOutside: Bun.BunPlugin = {
  name: "service-outside",
  setup(build) {
    build.onResolve({ filter: /^\.\.\/(?:server\/|src\/openapi\/openapi\.ts$)/ }, ({ path }) => ({
      path: path.replace(/\.ts$/, ".js"),
      external: true,
    }));
  },
};

/** What packages load when they start, for abilities that we do not use of them. */
const unused = [
  // Commands that are programs of their own.
  { importer: /[\\/]commander[\\/]/, module: /^node:(?:child_process|fs|path)$/ },
  // Formatting and editing of JSON.
  { importer: /[\\/]jsonc-parser[\\/]/, module: /^\.\/impl\/(?:format|edit)$/ },
  // Reading of TOML.
  { importer: /[\\/]smol-toml[\\/]/, module: /^\.\/parse\.js$/ },
];

/** Leaves an empty module in the place of each. */
const withoutUnused: Bun.BunPlugin = {
  name: "without-unused",
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, importer }) => {
      const isUnused = unused.some(
        (item) => item.importer.test(importer) && item.module.test(path),
      );
      // A path of its own, or the bundler at times takes the real module of that name away too.
      return isUnused ? { path: `unused ${path}`, namespace: "unused" } : undefined;
    });
    build.onLoad({ filter: /./, namespace: "unused" }, () => ({
      contents: "module.exports = {};",
      loader: "js",
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
  plugins: [serviceOutside, withoutUnused],
  minChunkSize: 16_384,
});

if (!metafile) throw new Error("The bundler gives no list of the files it has bundled");
await Bun.write("dist/cli/LICENSES.txt", await licencesOf(Object.keys(metafile.inputs)));
