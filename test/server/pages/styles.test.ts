import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PAGES = join(import.meta.dir, "../../../server/pages");

/** The texts of all files below the pages whose names end so. */
const read = (end: RegExp): string =>
  readdirSync(PAGES, { recursive: true, encoding: "utf8" })
    .filter((path) => end.test(path))
    .map((path) => readFileSync(join(PAGES, path), "utf8"))
    .join("\n");

const css = read(/\.css$/).replace(/\/\*.*?\*\//gs, "");

test("all letters have one of a few sizes", () => {
  const sizes = [...css.matchAll(/font-size: ([^;]+);/g)].map(([, size]) => size);
  expect([...new Set(sizes)].sort()).toEqual(
    ["answer", "head", "lead", "small", "text"].map((name) => `var(--${name})`),
  );
});

test("no rule is for what no page has", () => {
  const given = read(/\.tsx?$/).match(/\b(?:class|classes|id|layout)(?:=| = |: ).*/g) ?? [];
  const selectors = css.match(/[^{};]+(?=\{)/g) ?? [];
  const names = selectors.flatMap((selector) =>
    [...selector.matchAll(/[.#]([a-z][\w-]*)/gi)].map(([, name = ""]) => name),
  );
  // Languages, kinds of fields and kinds of notes and of answers have one each.
  const own =
    /^(?:in-\w+|choice|good|bad|warn|warning|name|action_steps|runs_per_month|wide|narrow|changed)$/;
  const unknown = names.filter(
    (name) => !own.test(name) && !new RegExp(`["'\` ]${name}["'\` $]`).test(given.join()),
  );
  expect(unknown).toEqual([]);
});
