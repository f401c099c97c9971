import { fileURLToPath } from "node:url";

const PUBLIC_PATH = "/assets/";

const TOOL_PAGES = ["mail-filter", "automation-cost", "mcp-config"];

/**
 * The entries of each bundle. Every tool page has a bundle of its own: most visitors open one, and a
 * file per page compresses better than nine with the parts that the pages share.
 */
const BUNDLES = [
  [
    "../styles/site.css",
    "../browser/site.ts",
    "../images/icon.svg",
    "../images/favicon.ico",
    "../images/share.png",
  ],
  ...TOOL_PAGES.map((page) => [`../${page}/hydrate-${page}.tsx`]),
];

/**
 * Bundles the style and the scripts of the pages.
 *
 * @returns the assets, and the paths of all source files in them.
 */
export async function buildAssets() {
  const bundles = await Promise.all(
    BUNDLES.map((entries) =>
      Bun.build({
        entrypoints: entries.map((path) => fileURLToPath(new URL(path, import.meta.url))),
        target: "browser",
        minify: true,
        define: { "process.env.NODE_ENV": JSON.stringify("production") },
        splitting: true,
        publicPath: PUBLIC_PATH,
        naming: "[name]-[hash].[ext]",
        metafile: true,
      }),
    ),
  );
  const outputs = bundles.flatMap((bundle) => bundle.outputs);
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
  const inputs = bundles.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  return { assets, inputs: [...new Set(inputs)] };
}

const isImage = (path: string): boolean => /\.(?:ico|png)$/.test(path);
