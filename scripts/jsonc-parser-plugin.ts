import { fileURLToPath } from "node:url";

/**
 * Bundles jsonc-parser from its ES modules. Its main entry, which Bun's bundler takes for programs,
 * is a UMD module that asks for its parts when it runs, so that they are not in the bundle.
 */
export const jsoncParserPlugin: Bun.BunPlugin = {
  name: "jsonc-parser",
  setup(build) {
    const path = fileURLToPath(import.meta.resolve("jsonc-parser/lib/esm/main.js"));
    build.onResolve({ filter: /^jsonc-parser$/ }, () => ({ path }));
  },
};
