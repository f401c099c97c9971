import { builtAssets } from "./built-assets.ts";

/** A file that the pages load. Its name holds a hash of its content, so caches never go stale. */
export interface Asset {
  /** The path with a hash of the content: `/assets/site-1a2b3c4d.js`. */
  readonly path: string;
  readonly type: string;
  /** The text, or the image in base64. */
  readonly content: string;
  readonly encoding: "utf8" | "base64";
}

export const assets: readonly Asset[] = builtAssets;

/** The URL of the asset built from `name`, such as `site.css`. */
export const assetHref = (name: string): string => assetOf(name).path;

export function assetOf(name: string): Asset {
  const [stem, extension] = name.split(".");
  const asset = assets.find(
    ({ path }) => path.startsWith(`/assets/${stem}-`) && path.endsWith(`.${extension}`),
  );
  if (!asset) throw new Error(`No asset is built from ${name}`);
  return asset;
}
