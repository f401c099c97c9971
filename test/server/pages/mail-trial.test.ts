import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { isMail, type Trials } from "../../../server/pages/mail-filter/mail-trial.ts";
import { findTried, TrialPanel } from "../../../server/pages/mail-filter/trial-panel.tsx";
import { tryMails } from "../../../server/pages/mail-filter/try-mails.ts";
import { elementsOf } from "../support/expect.ts";

const INPUT = {
  filters: [
    { from: ["@shop.example"], label: "Shop", delete: true },
    { subject: ["receipts"], star: true },
  ],
};

const MAIL =
  "From 1@xxx Mon Jan 05 10:00:00 +0000 2026\nFrom: a@shop.example\nSubject: Your receipt\n\nThanks\n\n";

/** A report on whole files. */
async function tryOn(files: readonly File[], input: unknown = INPUT) {
  for await (const progress of tryMails({ input, files })) if (progress.isDone) return progress;
  throw new Error("The trial has no end");
}

const broken = (name: string): File => {
  const file = new File([MAIL], name);
  file.stream = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(MAIL.repeat(2)));
      },
      pull: (controller) => controller.error(new DOMException("gone", "NotReadableError")),
    });
  return file;
};

describe("mails on the page", () => {
  test("are counted over all files, with those that cannot be read named", async () => {
    const tar = new Uint8Array(512);
    tar.set(new TextEncoder().encode("ustar"), 257);
    const report = await tryOn([
      new File([MAIL], "a.mbox"),
      broken("cut.mbox"),
      new File([gzipSync(MAIL)], "b.mbox.gz"),
      new File([gzipSync(MAIL).subarray(0, 30)], "half.gz"),
      new File([gzipSync(tar)], "takeout.tgz"),
      new File(["PK\u0003\u0004"], "takeout.zip"),
      new File([], "empty.mbox"),
      new File(["<?xml version='1.0'?>\n<feed/>"], "filters.mbox"),
    ]);
    expect(report.share).toBe(1);
    expect(report.problems.map((problem) => problem.slice(0, 28))).toEqual([
      "cut.mbox cannot be read to i",
      "half.gz cannot be read to it",
      "takeout.tgz is an archive, t",
      "takeout.zip is an archive, t",
      "filters.mbox is HTML or XML:",
    ]);
    // The second mail of the file that breaks off may have gone on.
    expect([report.read, report.report.mails]).toEqual([3, 3]);
    expect(report.sorted.deleting).toMatchObject([{ at_least: 3 }]);
    expect(report.report.filters[1]).toMatchObject({ at_least: 0, at_most: 3 });
  });

  test("have a report with an end", async () => {
    const from = ["@shop.example"];
    const pairs = Array.from({ length: 32 }, () => [
      { from, delete: true },
      { from, importance: "always" },
    ]);
    const input = { filters: pairs.flat() };
    const progress = await tryOn([new File([MAIL], "a")], input);
    const trial = { input, phase: "done", progress } as const;
    const trials: Trials = { trial, start() {}, stop() {}, close() {} };
    const elements = await elementsOf(renderToString(h(TrialPanel, { trials, input })));
    const items = elements.filter(({ tag }) => tag === "li").map(({ text }) => text);
    expect(items).toHaveLength(8 + 1 + 1_000 + 1);
    const rest = items.filter((text) => text.startsWith("and "));
    expect(rest).toEqual(["and 24 more", "and 24 more"]);
  });

  test("have short subjects in each report", async () => {
    const mail = `From: a@shop.example\nSubject: ${"x".repeat(5000)}\n\n`;
    const { report } = await tryOn([new File([mail], "long.eml")]);
    expect(report.filters[0]?.subjects[0]?.length).toBeLessThan(501);
  });

  test.each([
    ["mail.MBOX", "", true],
    ["mbox", "", true],
    ["takeout-001.zip", "PK\u0003\u0004", true],
    ["saved", "From 1@xxx Mon Jan 05 10:00:00 +0000 2026", true],
    ["saved.txt", "Received: by mx.example", true],
    ["mailFilters.xml", "<?xml version='1.0'?>", false],
    ["filters.json", '{"filters": []}', false],
  ])("are in %s: %p", async (name, start, expected) => {
    expect(await isMail(new File([start], name))).toBe(expected);
  });

  test("keep their counts with a filter that moves, is renamed, or has its fields in another order", async () => {
    const progress = await tryOn([new File([MAIL], "a.mbox")]);
    const trial = { input: INPUT, phase: "done", progress } as const;
    const [first, second] = INPUT.filters;
    const triedAt = findTried(trial, {
      filters: [
        { ...second, name: "Renamed" },
        { ...second, star: false },
        { delete: true, label: "Shop", from: ["@shop.example"] },
        first,
      ],
    });
    expect([0, 1, 2, 3, 4].map((index) => triedAt(index)?.filter.at_most)).toEqual([
      1,
      undefined,
      1,
      1,
      undefined,
    ]);
    expect(findTried({ ...trial, phase: "reading" }, INPUT)(0)).toBeUndefined();
  });
});
