import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { tools } from "../schemas/index.ts";
import { pricePicture } from "../scripts/price-picture.ts";
import { typeFiles } from "../scripts/types.ts";
import { variablesFile } from "../scripts/variables.ts";
import { warningsPage } from "../scripts/warnings-page.ts";
import { requireTool } from "../src/call-tool.ts";
import { runTool } from "../src/tool.ts";

/*
 * test/golden/<command>/<case>/input.json -> result.json and output.txt beside it.
 * UPDATE_GOLDEN=1 writes what the tools say now; read the diff before you commit it.
 */
const root = join(import.meta.dir, "golden");
const update = process.env.UPDATE_GOLDEN === "1";

function expectGolden(file: string, actual: string): void {
  if (update) writeFileSync(file, actual);
  expect(actual).toBe(readFileSync(file, "utf8"));
}

test.each([...Object.entries(typeFiles), ["variables.json", variablesFile] as const])(
  "golden schemas/generated/%s",
  (name, written) => {
    expectGolden(join(import.meta.dir, "../schemas/generated", name), written());
  },
);

test("golden docs/warnings.md", () => {
  expectGolden(join(import.meta.dir, "../docs/warnings.md"), warningsPage());
});

test.each(["light", "dark"] as const)("golden docs/images/prices-%s.svg", (scheme) => {
  const picture = pricePicture(scheme);
  expect(picture).not.toContain("var(");
  expectGolden(join(import.meta.dir, `../docs/images/prices-${scheme}.svg`), picture);
});

for (const { name } of tools) {
  const tool = requireTool(name);
  const folder = join(root, tool.contract.command);
  if (update) mkdirSync(folder, { recursive: true });
  describe(`golden ${tool.contract.command}`, () => {
    test("there are cases", () => expect(readdirSync(folder).length).toBeGreaterThan(0));

    for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
      test(name, () => {
        const input = JSON.parse(readFileSync(join(folder, name, "input.json"), "utf8"));
        const result = runTool(tool, input);
        expect(v.safeParse(tool.contract.output, result).issues).toBeUndefined();
        expect(runTool(tool, input)).toEqual(result);
        expectGolden(join(folder, name, "result.json"), `${JSON.stringify(result, null, 2)}\n`);
        expectGolden(join(folder, name, "output.txt"), tool.render(result).text);
      });
    }
  });
}
