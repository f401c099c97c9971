import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { type Document, documents, proseOf, ROOT, readDocument } from "./document.ts";

/** Markdown's links and images, `<https://…>`, and HTML's `src` and `srcset`. */
const LINK = /\]\(([^)\s]+)\)|<(https?:[^>\s]+)>|\bsrc(?:set)?="([^"]+)"/g;

const linksOf = (document: Document): string[] =>
  [...withoutCode(proseOf(document)).matchAll(LINK)].map(
    ([, markdown, bare, html]) => markdown ?? bare ?? html ?? "",
  );

const withoutCode = (text: string): string => text.replaceAll(/`[^`\n]*`/g, "``");

/** The anchors that GitHub gives to the headings. */
function anchorsOf(document: Document): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = [...proseOf(document).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = ""]) => {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set(anchors);
}

/** The problem of a link in a document; nothing is fetched. */
function faultOf(link: string, from: Document): string | undefined {
  if (/^[a-z]+:/.test(link)) return faultOfUrl(link);
  const [target = "", anchor] = link.split("#");
  const path = target === "" ? from.path : normalize(join(dirname(from.path), target));
  if (path.startsWith("..")) return "leads out of the repository";
  if (!existsSync(join(ROOT, path))) return "leads to no file";
  if (anchor === undefined) return undefined;
  return anchorsOf(readDocument(path)).has(anchor) ? undefined : "leads to no heading";
}

function faultOfUrl(link: string): string | undefined {
  const url = URL.parse(link);
  if (!url) return "is no URL";
  const isLocal = url.hostname === "localhost";
  return url.protocol === (isLocal ? "http:" : "https:") ? undefined : "is not https";
}

describe("links", () => {
  test.each(documents.map((document) => [document.path, document] as const))(
    "of %s lead somewhere",
    (_, document) => {
      const faults = linksOf(document).map((link) => [link, faultOf(link, document)]);
      expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([]);
    },
  );

  test("are found and judged", () => {
    const document = { path: "docs/x.md", text: "" };
    const faultOfText = (text: string) =>
      linksOf({ ...document, text }).map((link) => faultOf(link, document));
    expect(faultOfText("[a](library.md) [b](library.md#errors) <https://bun.sh>")).toEqual(
      Array(3).fill(undefined),
    );
    expect(
      faultOfText("[a](none.md) [b](library.md#none) [c](../../x) [d](http://bun.sh)"),
    ).toEqual([
      "leads to no file",
      "leads to no heading",
      "leads out of the repository",
      "is not https",
    ]);
    expect(faultOfText('<img src="none.webp"> `[a](none.md)`')).toEqual(["leads to no file"]);
  });

  test("of the README lead to every page of docs/", () => {
    const pages = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
    const links = linksOf(readDocument("README.md"));
    expect(pages.filter((name) => !links.includes(`docs/${name}`))).toEqual([]);
    expect(pages.length).toBeGreaterThan(5);
  });
});

test("the README is read in a minute, and its pictures are small", () => {
  expect(Buffer.byteLength(readDocument("README.md").text)).toBeLessThan(4_096);
  const pictures = join(ROOT, "docs/images");
  for (const name of readdirSync(pictures)) {
    expect(statSync(join(pictures, name)).size).toBeLessThan(150_000);
  }
});
