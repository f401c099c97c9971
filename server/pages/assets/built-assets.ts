import { buildAssets } from "./build-assets.ts";

/**
 * The assets of this version. In the sources they are built when the server starts; in the package
 * this module is replaced by one with their texts (scripts/build.ts).
 */
export const { assets: builtAssets } = await buildAssets();
