import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tools, warningMeanings } from "../../schemas/index.ts";
import { fieldsOf } from "../../src/fields.ts";

type Row = readonly string[];

const markdown = (heading: Row, rows: readonly Row[]): string =>
  [heading, heading.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** A tool's fields, those of a list of objects in brackets: `filters[from, to, …]`. */
const fieldNames = (input: (typeof tools)[number]["input"]): string =>
  fieldsOf(input)
    .map(({ name, ...field }) => (field.kind === "items" ? `\`${name}[]\`` : `\`${name}\``))
    .join(", ");

/** The generated parts of the README, by the name of their markers. */
const tables: Readonly<Record<string, string>> = {
  tools: markdown(
    ["command", "function", "input", "gives"],
    tools.map(({ command, function: name, input, text, title }) => [
      `\`handtools ${command}\``,
      `\`${name}()\``,
      fieldNames(input),
      `${title}: ${text.description}`,
    ]),
  ),
  warnings: markdown(
    ["tool", "code", "meaning"],
    tools.flatMap(({ name, command }) =>
      Object.entries(warningMeanings[name]).map(([code, meaning]) => [
        command,
        `\`${code}\``,
        meaning,
      ]),
    ),
  ),
};

const root = join(import.meta.dir, "../..");
const file = join(root, "README.md");

/** The contents of the code blocks of a language. */
const blocks = (language: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/```(\w*)\n([\s\S]*?)```/g)]
    .filter(([, name]) => name === language)
    .map(([, , code = ""]) => code);

describe("the README", () => {
  test.each(Object.entries(tables))(
    "has the table of %s as the contracts say it",
    (name, table) => {
      const marked = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
      const text = readFileSync(file, "utf8");
      const current = text.replace(marked, (_, start, end) => `${start}\n${table}\n\n${end}`);
      if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, current);
      expect(text).toMatch(marked);
      expect(readFileSync(file, "utf8")).toBe(current);
    },
  );

  const commands = blocks("sh")
    .flatMap((block) => block.trim().split("\n"))
    .filter((line) => line.includes("npx handtools"));

  test.each(commands)("$ %s", (line) => {
    const folder = mkdtempSync(join(tmpdir(), "handtools-readme-"));
    const shell = line
      .replace("npm install && ", "")
      .replaceAll("npx handtools", `"${process.execPath}" cli/main.ts`)
      .replace("> mailFilters.xml", `> "${folder}/mailFilters.xml"`);
    const { exitCode, stderr } = Bun.spawnSync(["bash", "-c", shell], { cwd: root });
    rmSync(folder, { recursive: true });
    expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 0, stderr: "" });
  });

  test.each(blocks("ts"))("prints what its program says it prints", (code) => {
    const folder = mkdtempSync(join(tmpdir(), "handtools-readme-"));
    const program = join(folder, "program.ts");
    writeFileSync(program, code.replace('"handtools"', JSON.stringify(join(root, "src/index.ts"))));
    const { stdout, stderr } = Bun.spawnSync([process.execPath, program]);
    rmSync(folder, { recursive: true });
    const said = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(
      ([, text]) => `${text}\n`,
    );
    expect(stderr.toString()).toBe("");
    expect(stdout.toString()).toBe(said.join(""));
  });
});
