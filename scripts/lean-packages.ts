import { fileURLToPath } from "node:url";

/** Bundles of some packages only what is used of them. */
export const leanPackages: Bun.BunPlugin = {
  name: "lean-packages",
  setup(build) {
    const use = (specifier: RegExp, file: string) => {
      const path = fileURLToPath(import.meta.resolve(file));
      build.onResolve({ filter: specifier }, () => ({ path }));
    };
    // The main entry of jsonc-parser, which Bun's bundler takes for programs, is a UMD module that
    // asks for its parts when it runs, so that they are not in the bundle.
    use(/^jsonc-parser$/, "jsonc-parser/lib/esm/main.js");
    // For Node the SDK brings a validator of JSON Schema and the process's own streams; the one is
    // large and validates what a client has been asked for, which it never is, and the streams
    // come from server/mcp/stdio.ts. For browsers it has a small validator and no streams.
    const sdk = import.meta.resolve("@modelcontextprotocol/server");
    use(/^@modelcontextprotocol\/server\/_shims$/, new URL("shimsBrowser.mjs", sdk).href);
    // pg's other client, of libpq, is used only with a package that nobody has here.
    build.onLoad({ filter: /\/pg\/lib\/native\/index\.js$/ }, () => ({ contents: "" }));
  },
};
