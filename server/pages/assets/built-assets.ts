import { buildAssets } from "./build-assets.ts";

/**
 * The assets of this version. In the sources they are built when the server starts; in the package
 * `npm run build` has written their texts into this module (scripts/write-assets.ts).
 */
export const { assets: builtAssets } = await buildAssets();
