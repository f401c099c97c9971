import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../cli/cli-error.ts";
import packageJson from "../package.json" with { type: "json" };
import { commandLine } from "./cli/support.ts";

/*
 * What users see of the command line: each file of test/transcripts/ is a list of cases.
 *
 *     === the name of the case
 *     # Why, for the reader.
 *     -- rules.json --                   a file that is there, up to the next line of another kind
 *     {"filters": []}
 *     -- link -> target --               a link
 *     $ HOME=/x handtools mail-filter rules.json -o new.xml
 *     | a line of standard output
 *     ! a line of standard error
 *     + claude mcp remove docs           another program that it ran
 *     exit 2                             the exit code, unless it is 0
 *     > new.xml                          a file that it wrote, and its lines
 *     | <?xml version='1.0'?>
 *
 * A line `$` takes words as a shell does: quotes, `<`, `>`, pipes, `| head -3` and `| grep WORD`. Before the command, TTY=60 is
 * a terminal of 60 columns, ANSWER=y what the user types when asked, OS=win32 another system, MODE=644 a file that other users can read, and PROGRAM how
 * handtools itself was started. What a command writes is there for the next one of the case, and the files above
 * the first case are there for all.
 * `⟨U+FEFF⟩` is a character that cannot be seen, `⟨xFF⟩` a byte, `⟨end⟩` the end of a text without a line break, and
 * `⟨3×a,⟩` stands for `a,a,a,`, with `№` for the number of each.
 *
 * UPDATE_GOLDEN=1 writes what the commands say now; read the diff before you commit it.
 */
const folder = join(import.meta.dir, "transcripts");
const update = process.env.UPDATE_GOLDEN === "1";

for (const name of readdirSync(folder).sort()) {
  const path = join(folder, name);
  const [head = "", ...cases] = readFileSync(path, "utf8").split(/^(?==== )/m);
  const seen = [...cases];
  // The paths of its world are those of POSIX, which another system resolves to a drive.
  describe.if(process.platform !== "win32")(`transcript ${name}`, () => {
    for (const [index, text] of cases.entries()) {
      test(text.slice(4, text.indexOf("\n")), async () => {
        const world: World = { files: {}, links: {} };
        await transcript(head, world);
        const actual = `${await transcript(text, world)}${index < cases.length - 1 ? "\n" : ""}`;
        seen[index] = actual;
        if (update) writeFileSync(path, [head, ...seen].join(""));
        else expect(actual).toBe(text);
      });
    }
  });
}

type Files = Record<string, string | Uint8Array>;

interface World {
  files: Files;
  readonly links: Record<string, string>;
}

/** The text of a case with what its commands give now. */
async function transcript(text: string, world: World): Promise<string> {
  const written: string[] = [];
  const texts: Record<string, string> = {};
  let [file, isExpected] = ["", false];
  for (const line of text.trimEnd().split("\n")) {
    const [, name = "", target] = /^-- (.*?)(?: -> (.*))? --$/.exec(line) ?? [];
    if (isExpected && /^(?:[|!+>](?: |$)|exit )/.test(line)) continue;
    isExpected = false;
    written.push(line);
    if (name !== "") {
      file = unescaped(name);
      if (target === undefined) world.files[file] = texts[file] = "";
      else world.links[name] = target;
    } else if (line.startsWith("$ ")) {
      const shown = await runLine(line.slice(2), world);
      // No case may print what CI services obey, whatever a file has in it; --reporter github does on purpose.
      expect(line.includes("--reporter github") ? [] : shown.filter(isObeyed)).toEqual([]);
      written.push(...shown);
      [file, isExpected] = ["", true];
    } else if (file !== "") {
      texts[file] += unescaped(`${line}\n`);
      world.files[file] = withBytes(texts[file] ?? "");
    }
  }
  return `${written.join("\n")}\n`;
}

/** Runs a line and changes the files; gives the lines of what can be seen. */
async function runLine(line: string, world: World): Promise<readonly string[]> {
  const parts = splitWords(line);
  const [calls, errors]: [string[], string[]] = [[], []];
  const before = world.files;
  let [out, code, most, saved] = ["", 0, Number.POSITIVE_INFINITY, false];
  for (const { words, from, to } of parts) {
    const start = words.findIndex((word) => !/^\w+=/.test(word));
    const given = Object.fromEntries(
      words.slice(0, start).map((word) => [word.replace(/=.*/s, ""), word.replace(/^\w+=/, "")]),
    );
    const { TTY, ANSWER, OS = "linux", MODE, PROGRAM, ...environment } = given;
    const [program, word = ""] = words.slice(start);
    if (program === "head") most = Number(word.slice(1));
    if (program === "grep") out = out.replace(/.*\n/g, (text) => (text.includes(word) ? text : ""));
    if (program === "head" || program === "grep") continue;
    expect(program).toBe("handtools");
    const ended = await commandLine(words.slice(start + 1), {
      ...world,
      stdin: from === undefined ? out : (world.files[from] ?? ""),
      environment: { HOME: "/home/ada", ...environment },
      platform: OS,
      answer: ANSWER,
      readableByOthers: MODE === "644",
      ...(PROGRAM !== undefined && { ownCommand: PROGRAM.split(" ") }),
      ...(TTY !== undefined && { outIsTerminal: true, errorIsTerminal: true, outColumns: +TTY }),
      runProgram(called) {
        const path = Object.keys(before).find((file) => /[\\/]claude(\.exe)?$/i.test(file));
        if (path === undefined) throw new CliError([`${called[0]}: no such file or directory`]);
        calls.push(called.join(" "));
        const [failure = "", ...output] = String(before[path]).split("\n");
        // `exit 3 at WORD` fails where the words have that one.
        const [, status = "0", where = ""] = /^exit (\d+)(?: at (.*))?/.exec(failure) ?? [];
        const code = called.join(" ").includes(where) ? Number(status) : 0;
        return { code, output: output.join("\n") };
      },
    });
    [out, code] = [ended.out, ended.exitCode];
    errors.push(ended.error);
    world.files = ended.files;
    if (to !== undefined) [world.files, out, saved] = [{ ...world.files, [to]: out }, "", true];
  }
  const shown = marked("|", out);
  const rest = shown.length - most;
  return [
    ...(rest > 0 ? [...shown.slice(0, most), `| … and ${rest} more lines`] : shown),
    ...marked("!", errors.join("")),
    ...calls.map((call) => `+ ${call}`),
    ...(code === 0 ? [] : [`exit ${code}`]),
    ...(saved ? [] : Object.entries(world.files)).flatMap(([name, content]) =>
      content === before[name] ? [] : writtenFile(name, content, before),
    ),
  ];
}

/** A line that the runner of GitHub, the agent of Azure or TeamCity would obey. */
const isObeyed = (line: string): boolean =>
  /^[|!] (?:\s*::.*::|.*##(?:vso|teamcity)?\[|.*⟨U\+000D⟩::)/.test(line);

/** The bytes of a text in which `⟨xFF⟩` stands for one; any other text stays. */
const withBytes = (text: string): string | Uint8Array =>
  text.includes("⟨x")
    ? Buffer.from(
        text.replace(/⟨x(..)⟩/g, (_, code) => characterOf(code)),
        "latin1",
      )
    : text;

function writtenFile(name: string, content: string | Uint8Array, before: Files): string[] {
  const text = Buffer.from(content).toString();
  const old = Object.entries(before).find(([, other]) => String(other) === text && text !== "");
  return old ? [`> ${name} = ${old[0]} as it was`] : [`> ${name}`, ...marked("|", text)];
}

/** Lines of output, each behind its mark; what differs from machine to machine is named. */
function marked(mark: string, text: string): string[] {
  if (text === "") return [];
  const plain = text.replaceAll(process.cwd(), "$PWD").replaceAll(packageJson.version, "VERSION");
  const lines = escaped(plain.endsWith("\n") ? plain.slice(0, -1) : `${plain}⟨end⟩`).split("\n");
  return lines.map((line) => (line === "" ? mark : `${mark} ${line}`));
}

const escaped = (text: string): string =>
  text.replace(
    /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (sign) => `⟨U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );

const characterOf = (code: string): string => String.fromCharCode(Number.parseInt(code, 16));

const unescaped = (text: string): string =>
  text
    .replaceAll("$PWD", process.cwd())
    .replace(/⟨U\+([0-9A-F]{4})⟩/g, (_, code) => characterOf(code))
    .replace(/⟨(\d+)×([^⟩]*)⟩/g, (_, count, part) =>
      Array.from(Array(Number(count)), (_, index) => part.replaceAll("№", `${index}`)).join(""),
    )
    .replace(/⟨end⟩\n$/, "");

interface Part {
  readonly words: string[];
  from?: string;
  to?: string;
}

/** The parts of a pipeline, each with its words and the files after `<` and `>`. */
function splitWords(line: string): readonly Part[] {
  const parts: Part[] = [{ words: [] }];
  let redirect: "from" | "to" | undefined;
  for (const [raw] of line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)) {
    const part = parts.at(-1) ?? { words: [] };
    if (raw === "|") parts.push({ words: [] });
    else if (raw === "<" || raw === ">") redirect = raw === "<" ? "from" : "to";
    else {
      const word = unescaped(raw.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, unquoted));
      if (redirect) part[redirect] = word;
      else part.words.push(word);
      redirect = undefined;
    }
  }
  return parts;
}

const unquoted = (_: string, single?: string, double?: string, sign?: string): string =>
  single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? sign ?? "";
