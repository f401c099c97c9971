import { buildAssets } from "./build-assets.ts";

/**
 * The assets of this version. In the sources they are built when the server starts; in the package
 * this module is replaced by a module that contains them (scripts/build.ts).
 */
export const { assets: builtAssets } = await buildAssets();
