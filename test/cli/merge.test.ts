import { expect, test } from "bun:test";
import { gmailExport } from "../src/mail-filter/gmail-export.ts";
import { commandLine } from "./support.ts";

test("merge gives batches when old and new are more than Gmail keeps", async () => {
  const full = gmailExport(
    ...Array.from({ length: 1000 }, (_, i) => ({ from: `s${i}@x.com`, label: `L${i % 40}` })),
  );
  const { error } = await commandLine(["mail-filter", "merge", "full.xml"], {
    files: { "full.xml": full },
  });
  // Gmail's list at any time has what is neither deleted yet nor still to be imported.
  let [present, most, waiting] = [1000, 0, 0];
  for (const line of error.split("\n")) {
    if (line.startsWith("batch ")) {
      present -= waiting;
      waiting = 0;
    }
    const early = Number(/^Gmail has no room yet: delete (\d+) /.exec(line)?.[1] ?? 0);
    present -= early;
    waiting -= early;
    if (line.startsWith("+ ")) present += 1;
    if (line.startsWith("- ")) waiting += 1;
    most = Math.max(most, present);
  }
  expect(most).toBeLessThanOrEqual(1000);
  expect(present - waiting).toBe(40);
  expect(error.match(/^batch /gm)?.length).toBeGreaterThan(1);
});

test("merge takes more filters than Gmail keeps", async () => {
  const huge = gmailExport(
    ...Array.from({ length: 1500 }, (_, i) => ({ from: `s${i}@x.com`, label: `L${i % 40}` })),
  );
  const { out } = await commandLine(["mail-filter", "merge", "huge.xml"], {
    files: { "huge.xml": huge },
  });
  expect(out.match(/<entry>/g)?.length).toBe(40);
});
