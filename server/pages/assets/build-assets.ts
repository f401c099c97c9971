import { fileURLToPath } from "node:url";

const PUBLIC_PATH = "/assets/";

const ENTRIES = [
  "../styles/site.css",
  "../browser/site.ts",
  "../mail-filter/hydrate-mail-filter.tsx",
  "../automation-cost/hydrate-automation-cost.tsx",
  "../mcp-config/hydrate-mcp-config.tsx",
  "../images/icon.svg",
  "../images/favicon.ico",
  "../images/share.png",
];

/**
 * Bundles the style and the scripts of the pages.
 *
 * @returns the assets, and the paths of all source files in them.
 */
export async function buildAssets() {
  const { outputs, metafile } = await Bun.build({
    entrypoints: ENTRIES.map((path) => fileURLToPath(new URL(path, import.meta.url))),
    target: "browser",
    minify: true,
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    splitting: true,
    publicPath: PUBLIC_PATH,
    naming: "[name]-[hash].[ext]",
    metafile: true,
  });
  // For an entry that is not a script the bundler also emits a script with its address.
  const files = outputs.filter(({ kind, loader }) => kind !== "entry-point" || loader !== "file");
  const assets = await Promise.all(
    files.map(async (output) => {
      const encoding = isImage(output.path) ? ("base64" as const) : ("utf8" as const);
      return {
        path: `${PUBLIC_PATH}${output.path.replace(/^\.?\//, "")}`,
        type: output.type,
        content: Buffer.from(await output.arrayBuffer()).toString(encoding),
        encoding,
      };
    }),
  );
  return { assets, inputs: Object.keys(metafile?.inputs ?? {}) };
}

const isImage = (path: string): boolean => /\.(?:ico|png)$/.test(path);
