import { expect, test } from "bun:test";
import packageJson from "../../package.json" with { type: "json" };
import { variables } from "../../schemas/variables.ts";
import { manPage } from "../../scripts/man-page.ts";
import { hasProgram } from "../support/programs.ts";
import { commandLine } from "./support.ts";

const page = await manPage();
const plain = page.replaceAll("\\-", "-");

test("the manual page has every command, flag and variable of the help", async () => {
  const { out } = await commandLine(["--help"]);
  const commands = [...out.matchAll(/^ {2}([a-z-]+)(?: \[\w+\])? {2,}/gm)].map(([, name]) => name);
  expect(commands.length).toBeGreaterThan(12);
  for (const command of commands) {
    expect(plain).toContain(`\n.SS "${command} `);
    const help = (await commandLine(["help", command ?? ""])).out;
    for (const [flag] of help.matchAll(/^ {2}(?:-\w, )?--[a-z-]+(?: <[^>]+>)?(?= {2})/gm)) {
      if (!flag.includes("--help")) expect(plain).toContain(`\n.B ${flag.trim()}\n`);
    }
  }
  for (const { name } of variables) expect(page).toContain(`\n.B ${name}\n`);
});

test("the manual page is in the package, for its version", () => {
  // npm links what is in a list, and ignores a text.
  expect(packageJson.man).toEqual(["./dist/handtools.1"]);
  expect(packageJson.files).toContain("dist");
  expect(page).toContain(`"handtools ${packageJson.version}"`);
});

test.if(hasProgram("mandoc"))(
  "mandoc finds nothing wrong with the manual page, and shows it",
  () => {
    const run = (...words: string[]) => {
      const { stdout } = Bun.spawnSync(["mandoc", ...words], { stdin: Buffer.from(page) });
      return stdout.toString();
    };
    // The page has no date, so that a build can be repeated.
    const lint = run("-T", "lint", "-W", "warning").replace(/^.*missing date.*\n/gm, "");
    expect(lint).toBe("");
    const shown = run("-T", "ascii", "-O", "width=100").replace(/.\u0008/g, "");
    expect(shown).toContain("handtools example mail-filter | handtools mail-filter -");
    expect(shown).toMatch(/\n +--skip-inbox\n +Archive the mail: it skips the inbox\.\n/);
  },
);
