import { expect, test } from "bun:test";
import { listTexts } from "../../src/mcp-config/values.ts";
import { commandLine } from "./support.ts";

/** The lines that the runner of GitHub, the agent of Azure or TeamCity would obey. */
const obeyed = (log: string): string[] =>
  log
    .split("\n")
    .filter(
      (line) =>
        /^\s*::.*::/.test(line) || /##(?:vso|teamcity)?\[/.test(line) || line.includes("\r"),
    );

const COMMANDS = [
  "::stop-commands::x",
  "##[stop-commands]x",
  "###[set-env name=A]x",
  "##vso[task.setvariable variable=A]x",
  "##teamcity[buildStatus text='x']",
];

test.each([...COMMANDS, "\t  ::error::x", "a\r::error::x", "a\n##[error]x"])(
  "%j would be obeyed, if it were printed as it is",
  (text) => {
    expect(obeyed(text)).not.toEqual([]);
  },
);

/** One filter, mail, server or automation for each command, whose texts are the command. */
const filters = COMMANDS.map((text) => ({ name: text, subject: [text], label: "A" }));
const tests = COMMANDS.map((text) => ({
  name: text,
  message: { subject: text },
  expect: { label: text },
}));
const mails = COMMANDS.map(
  (text) =>
    `From 1@xxx Mon Jan 05 10:00:00 +0000 2026\nFrom: a@x.com\nMessage-ID: <${text}@x>\nSubject: ${text}\n\nx\n\n`,
).join("");
const zaps = COMMANDS.map((name) => ({ name, action_steps: 1, runs_per_month: 1 }));
const server = { name: "a", command: "b", args: COMMANDS };

const FILES = {
  "rules.json": JSON.stringify({ filters }),
  "tests.json": JSON.stringify({ tests }),
  "all.mbox": mails,
  "zaps.json": JSON.stringify({ zaps }),
  "server.json": JSON.stringify(server),
  "wrong.json": JSON.stringify(Object.fromEntries(COMMANDS.map((key) => [key, 1]))),
  "README.md": "<!-- handtools:install -->\n##[stop-commands]x\n<!-- /handtools:install -->\n",
  "old.txt": COMMANDS.join("\n"),
  "mcp.json": JSON.stringify(
    {
      mcpServers: { a: { command: "x" }, ...Object.fromEntries(COMMANDS.map((key) => [key, {}])) },
    },
    null,
    1,
  ),
};

test.each([
  ["mail-filter rules.json --check old.txt"],
  ["mail-filter rules.json --json"],
  ["mail-filter wrong.json"],
  ["mail-filter wrong.json --json --reporter json"],
  ["mail-try rules.json all.mbox"],
  ["mail-try rules.json all.mbox --json"],
  ["mail-try rules.json all.mbox --explain <##[stop-commands]x@x>"],
  ["mail-try rules.json tests.json"],
  ["mail-try rules.json tests.json --reporter json"],
  ["mcp-readme server.json --file README.md --check"],
  ["mcp-readme server.json --file ##[stop-commands]x.md"],
  ["mcp-install server.json --client cursor --file mcp.json --dry-run"],
  ["mcp-install server.json --client cursor --file mcp.json"],
  ["mcp-list --client cursor --file mcp.json"],
  ["mcp-list --client cursor --file mcp.json --json"],
  ["automation-cost zaps.json"],
  ["automation-cost zaps.json --json"],
  ["##[stop-commands]x"],
  ["mail-filter ##vso[stop-commands]"],
])("handtools %s prints nothing that CI obeys", async (line) => {
  const { out, error } = await commandLine(line.split(" "), { files: FILES });
  expect(out + error).toContain("stop-commands");
  expect(obeyed(out + error)).toEqual([]);
});

test.each([
  ["mail-filter wrong.json --reporter github"],
  ["mail-filter ##vso[stop-commands].json --reporter github"],
  ["mail-try rules.json tests.json --reporter github"],
])("handtools %s prints no command but its own", async (line) => {
  const { error } = await commandLine(line.split(" "), { files: FILES });
  const lines = error.trimEnd().split("\n");
  expect(error).toContain("stop-commands");
  for (const printed of lines) expect(printed).toMatch(/^::(?:error|notice)/);
  expect(obeyed(lines.map((printed) => printed.slice(2)).join("\n"))).toEqual([]);
});

test("JSON keeps its meaning", async () => {
  const { out } = await commandLine(["automation-cost", "zaps.json", "--json"], { files: FILES });
  for (const text of COMMANDS) expect(listTexts(JSON.parse(out))).toContain(text);
});
