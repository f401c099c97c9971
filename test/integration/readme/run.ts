import type { McpConfigInput } from "../../../schemas/index.ts";
import { createReadmeSection } from "../../../src/mcp-config/index.ts";
import { outputOf } from "../programs.ts";
import { type Check, expectSame, runChecks } from "../runner.ts";

/*
 * Renders install sections as GitHub does, by cmark-gfm and a list of what GitHub keeps:
 * `npm run test:integration readme`.
 */

const HOSTILE = `it's "q" (a) [b] |c| *d* _e_ ~f~ <g> & \\ \` é 漢 % # ? +`;

const CASES: McpConfigInput[] = [
  { name: "plain", command: "npx", args: ["-y", "@example/notes-mcp"] },
  { name: "hostile", command: HOSTILE, args: [HOSTILE, "${TOKEN}", "```"], env: { A: HOSTILE } },
  {
    name: "remote",
    url: "https://x.example/mcp?a=(1)&b=%7C",
    headers: { Authorization: "Bearer ${T}" },
  },
];

/** The tags and attributes of the section that GitHub's own list has, and the schemes of links. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  ...{ a: ["href"], img: ["src", "alt"], code: ["class"], p: [], pre: [], br: [] },
  ...{ details: [], summary: [] },
};
const SCHEMES = ["https:", "http:"];

const checks = CASES.map(
  (input): Check => ({
    title: `every link of the section of ${input.name} survives`,
    run: async () => {
      const { markdown } = createReadmeSection(input);
      const html = await outputOf(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink"], {
        cwd: "/",
        stdin: markdown,
      });
      const hrefs: string[] = [];
      const dropped: string[] = [];
      const rewriter = new HTMLRewriter().on("*", {
        element({ tagName, attributes }) {
          const kept = KEPT[tagName];
          if (!kept) dropped.push(tagName);
          for (const [name, value] of attributes) {
            if (!kept?.includes(name)) dropped.push(`${tagName} ${name}`);
            if (name !== "href" && name !== "src") continue;
            const address = value?.replaceAll("&amp;", "&") ?? "";
            if (!SCHEMES.includes(new URL(address).protocol)) dropped.push(address);
            if (name === "href") hrefs.push(address);
          }
        },
      });
      rewriter.transform(html);
      expectSame(dropped, []);
      const written = Array.from(markdown.matchAll(/\]\((https:[^)]*)\)$/gm), ([, link]) => link);
      expectSame(hrefs, written);
      if (written.length === 0) throw new Error("the section has no buttons");
    },
  }),
);

await runChecks(checks);
