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
    // Commander needs processes for commands in files of their own, of which there are none, and
    // Node takes a tenth of a short run to load them.
    build.onLoad({ filter: /\/commander\/lib\/command\.js$/ }, async ({ path }) => ({
      contents: whenUsed("node:child_process", await Bun.file(path).text()),
    }));
  },
};

/** Makes a CommonJS module load another one when it uses it. */
function whenUsed(required: string, text: string): string {
  const load = new RegExp(`^const (\\w+) = (require\\('${required}'\\));$`, "m");
  const [line, name = "", call] = load.exec(text) ?? [];
  if (line === undefined) throw new Error(`The module does not load ${required} as it did`);
  return text.replace(line, "").replaceAll(`${name}.`, `${call}.`);
}
