import type { Asset } from "./build-assets.ts";
import { builtAssets } from "./built-assets.ts";

/** All files that the pages load. */
export const assets: readonly Asset[] = builtAssets;

/** The address of the asset that is built from `name`, such as `site.css`. */
export const assetHref = (name: string): string => assetOf(name).path;

/** The asset that is built from `name`. */
export function assetOf(name: string): Asset {
  const [stem, extension] = name.split(".");
  const asset = assets.find(
    ({ path }) => path.startsWith(`/assets/${stem}-`) && path.endsWith(`.${extension}`),
  );
  if (!asset) throw new Error(`No asset is built from ${name}`);
  return asset;
}
