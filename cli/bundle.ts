/*
 * Run by `npm run build`: bundles the command line into dist/cli, because a few files start
 * faster than the many of its packages, and writes the licences of these packages beside it.
 */
/** The server is compiled beside the bundle, and loaded only where it is run. */
const serverOutside: Bun.BunPlugin = {
  name: "server-outside",
  setup(build) {
    build.onResolve({ filter: /^\.\.\/server\// }, ({ path }) => ({
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
  plugins: [serverOutside],
  minChunkSize: 16_384,
});

if (!metafile) throw new Error("The bundler does not say what it has bundled");
const packages = new Set<string>();
for (const path of Object.keys(metafile.inputs)) {
  const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
  if (folder) packages.add(folder);
}
const notices = await Promise.all([...packages].sort().map(notice));
await Bun.write("dist/cli/LICENSES.txt", notices.join(`\n${"-".repeat(80)}\n\n`));

/** A package's name and the text of its licence, which has to travel with its code. */
async function notice(folder: string): Promise<string> {
  const { name, version } = await Bun.file(`${folder}/package.json`).json();
  const [file] = new Bun.Glob("{LICENSE,License,LICENCE,license}*").scanSync(folder);
  if (!file) throw new Error(`${name} has no licence file to pass on`);
  return `${name} ${version}\n\n${await Bun.file(`${folder}/${file}`).text()}`;
}
