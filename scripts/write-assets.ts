import { buildAssets } from "../server/pages/assets/build-assets.ts";
import { licencesOf } from "./licences.ts";

/*
 * Run by `npm run build`: replaces the module that builds the assets by one that has them, and
 * writes the licences of the packages in them beside it.
 */

const FOLDER = "dist/server/pages/assets";

const { assets, inputs } = await buildAssets();
await Bun.write(
  `${FOLDER}/built-assets.js`,
  `export const builtAssets = ${JSON.stringify(assets, null, 1)};\n`,
);
await Bun.write(`${FOLDER}/LICENSES.txt`, await licencesOf(inputs));
