import { plugin } from "bun";

/** Writes the path of each of our modules that loads to standard error: `bun --preload`. */
plugin({
  name: "log-modules",
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      process.stderr.write(`${path}\n`);
      return { contents: await Bun.file(path).text(), loader: "ts" };
    });
  },
});
