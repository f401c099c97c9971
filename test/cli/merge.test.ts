import { expect, test } from "bun:test";
import { gmailExport } from "../src/mail-filter/gmail-export.ts";
import { commandLine } from "./support.ts";

test("merge says how to go on when old and new are more than Gmail keeps", async () => {
  const merged = async (count: number) => {
    const entries = Array.from({ length: count }, (_, i) => ({
      from: `s${i}@x.com`,
      label: `L${i % 40}`,
    }));
    const { error } = await commandLine(["mail-filter", "merge", "full.xml"], {
      files: { "full.xml": gmailExport(...entries) },
    });
    expect(error.match(/^\+ /gm)?.length).toBe(40);
    expect(error.match(/^- /gm)?.length).toBe(count);
    return error;
  };
  expect(await merged(961)).toContain("so the old and the new ones do not all fit");
  expect(await merged(960)).not.toContain("too few");
});
