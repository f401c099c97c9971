import { fileURLToPath } from "node:url";

/** Keeps unused parts of some packages out of the bundles. */
export const leanPackages: Bun.BunPlugin = {
  name: "lean-packages",
  setup(build) {
    const use = (specifier: RegExp, file: string) => {
      const path = fileURLToPath(import.meta.resolve(file));
      build.onResolve({ filter: specifier }, () => ({ path }));
    };
    // The main entry of jsonc-parser is a UMD module that loads its parts at run time, so the bundle
    // would lack them.
    use(/^jsonc-parser$/, "jsonc-parser/lib/esm/main.js");
    // For Node the SDK has a large validator, for requests to clients that we never send, and process
    // streams, which server/mcp/stdio.ts replaces. The version for browsers has neither.
    const sdk = import.meta.resolve("@modelcontextprotocol/server");
    use(/^@modelcontextprotocol\/server\/_shims$/, new URL("shimsBrowser.mjs", sdk).href);
    // pg's client for libpq needs a package that we do not install.
    build.onLoad({ filter: /[\\/]pg[\\/]lib[\\/]native[\\/]index\.js$/ }, () => ({ contents: "" }));
  },
};
