import { buildAssets } from "./build-assets.ts";

/**
 * The assets of this version. Here, in the sources, they are built when the server starts; in the
 * package `npm run build` has put their texts into this module (write-assets.ts).
 */
export const { assets: builtAssets } = await buildAssets();
