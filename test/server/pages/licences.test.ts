import { expect, test } from "bun:test";
import { licencesOf } from "../../../scripts/licences.ts";
import { buildAssets } from "../../../server/pages/assets/build-assets.ts";

test("licencesOf() the pages' assets is that of the challenge's widget, once", async () => {
  const { inputs } = await buildAssets();
  const text = await licencesOf(inputs);
  const { version } = await Bun.file("node_modules/altcha/package.json").json();
  expect(text).toStartWith(`altcha ${version}\n\nMIT License\n`);
  expect(text.match(/^MIT License/gm)).toHaveLength(1);
});

test("licencesOf() files of our own is empty", async () => {
  expect(await licencesOf(["server/pages/client/site.ts"])).toBe("");
});

test("licencesOf() a package without a licence is refused", async () => {
  // Bun's own types have a README and no licence file.
  await expect(licencesOf(["node_modules/bun-types/index.d.ts"])).rejects.toThrow(
    "no licence file",
  );
});
