import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseJsonc } from "../../cli/input/parse-jsonc.ts";
import { startServer } from "../server/support/servers.ts";
import { hasProgram } from "../support/programs.ts";
import { type Block, blocksOf, type Document, documents, ROOT } from "./document.ts";

/*
 * Every example of the documents runs, from top to bottom of a document, in a folder with the examples and
 * an export of Gmail's, which is the reader's home too. By the language of a block:
 *
 * - sh: must succeed without a warning or an error.
 * - console: each $ line must print what follows it; a line … stands for any lines.
 * - shell: belongs to another machine or takes other programs; only its syntax is checked.
 * - ts: prints what its comments behind console.log say. js: runs as on a page of the server.
 * - json, jsonc, yaml: can be read.
 */

const RUN = ["sh", "console", "shell", "ts", "js", "json", "jsonc", "yaml"];

const CURL = Bun.which("curl");

/** npm run test:integration deploy tries deploy/, and CONTRIBUTING is about this very machine. */
const withCommands = documents.filter(({ path }) => /^(?:README|docs\/.*)\.md$/.test(path));

describe.each(withCommands.map((document) => [document.path, document] as const))(
  "%s",
  (_, document) => {
    const blocks = blocksOf(document).filter(({ language }) => language !== "");
    const workshop = openWorkshop(document);

    test("has blocks of known languages only", () => {
      expect(blocks.map(({ language }) => language).filter((name) => !RUN.includes(name))).toEqual(
        [],
      );
    });

    for (const block of blocks) {
      test.if(hasProgram("curl") || !/^curl /m.test(block.code))(
        `${block.language}: ${block.code.trim().split("\n")[0]}`,
        () => workshop.run(block),
      );
    }
  },
);

describe("no document fetches a package of the project's name, which anybody may publish", () => {
  test.each(documents.map(({ path, text }) => [path, text] as const))("%s", (_, text) => {
    expect(text).not.toMatch(
      /\b(?:bunx|dlx|npx)(?: -\S+)+ handtools|\bbunx handtools|npm:handtools/,
    );
    // In the clone npx runs the clone.
    const sections = text.split(/^(?=#)/m).filter((section) => section.includes("npx handtools"));
    expect(sections.filter((section) => !/\bclone\b/i.test(section))).toEqual([]);
  });
});

/** A folder in which the blocks of a document run one after the other. */
function openWorkshop({ path }: Document) {
  const folder = mkdtempSync(join(tmpdir(), "handtools-documents-"));
  afterAll(() => {
    server?.signal("SIGTERM");
    rmSync(folder, { recursive: true });
  });
  symlinkSync(join(ROOT, "examples"), join(folder, "examples"));
  mkdirSync(join(folder, "bin"));
  const handtools = `"${process.execPath}" "${ROOT}/cli/main.ts" "$@"`;
  writeProgram("handtools", `exec ${handtools}`);
  writeProgram("npx", `[ "$1" = handtools ] && shift && exec ${handtools}`);
  if (CURL !== null) writeProgram("curl", `exec "${CURL}" --silent --show-error --fail "$@"`);
  writeProgram("npm", `[ "$*" = install ]`);
  const made = bash("handtools mail-filter examples/project-notifications.json > mailFilters.xml");
  if (made.exitCode !== 0) throw new Error(made.output);
  let server: Awaited<ReturnType<typeof startServer>> | undefined;

  return {
    async run({ language, code }: Block): Promise<void> {
      if (language === "sh") await runScript(code);
      else if (language === "console") runSession(code);
      else if (language === "shell") expect(syntaxFaults(code)).toBe("");
      else if (language === "ts") runProgram(code);
      else if (language === "js") runOnPage(code);
      else if (language === "yaml") expect(Bun.YAML.parse(code)).toBeObject();
      else expect(parseJsonc(code, path)).toBeObject();
    },
  };

  function writeProgram(name: string, script: string): void {
    writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, "bin", name), 0o755);
  }

  async function runScript(code: string): Promise<void> {
    const script = code.replace(SERVE, "");
    if (script !== code) {
      const database = { DATABASE_URL: `file:${join(folder, "handtools.sqlite")}` };
      server = await startServer(["--port", "0"], database);
    }
    const { exitCode, output } = bash(`set -e\n${here(script)}`);
    expect({ exitCode, said: output.match(/^(?:warning|error|curl): .*/gm) }).toEqual({
      exitCode: 0,
      said: null,
    });
  }

  function runSession(code: string): void {
    for (const [, command = "", expected = ""] of code.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
      const pattern = expected.split(/^…\n/m).map(escapeRegExp).join("(?:.*\n)*");
      expect(`$ ${command}\n${bash(here(command)).output}`).toMatch(
        new RegExp(`^\\$ .*\n${pattern}$`),
      );
    }
  }

  function runProgram(code: string): void {
    const said = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(
      ([, text]) => `${text}\n`,
    );
    const { exitCode, output } = runFile(
      "program.ts",
      code.replaceAll(/"handtools(?:\/([\w-]+))?"/g, (_, part: string | undefined) =>
        JSON.stringify(join(ROOT, sourceOf(part))),
      ),
    );
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: said.join("") });
  }

  /** A page has an origin, and its relative addresses are the server's. */
  function runOnPage(code: string): void {
    if (!server) throw new Error(`${path} starts no server before its page`);
    const page = `const [email, name, origin] = ["ada@example.org", "Ada Lovelace", ${JSON.stringify(`http://localhost:${server.port}`)}];
async function fetch(path, init = {}) {
  const headers = { ...init.headers, Origin: origin };
  const response = await globalThis.fetch(origin + path, { ...init, headers });
  if (!response.ok) throw new Error(await response.text());
  return response;
}
`;
    expect(runFile("page.js", page + code)).toEqual(SILENT);
  }

  function runFile(name: string, code: string) {
    writeFileSync(join(folder, name), code);
    return bash(`"${process.execPath}" ${name}`);
  }

  function bash(script: string) {
    const { exitCode } = Bun.spawnSync(
      ["bash", "-c", `exec > "${folder}/output" 2>&1\n${script}`],
      { cwd: folder, env: { HOME: folder, PATH: `${folder}/bin:${process.env.PATH}` } },
    );
    return { exitCode, output: readFileSync(join(folder, "output"), "utf8") };
  }

  /** The documents' server has the usual port, the one of the tests any. */
  function here(script: string): string {
    return server ? script.replaceAll("localhost:3000", `127.0.0.1:${server.port}`) : script;
  }
}

/** The line that starts a server beside what follows. */
const SERVE = /^(?:npx )?handtools serve &\n/m;

const syntaxFaults = (code: string): string =>
  Bun.spawnSync(["bash", "-n", "-c", code]).stderr.toString();

const SILENT = { exitCode: 0, output: "" };

const sourceOf = (part: string | undefined): string =>
  part === "schemas" ? "schemas/index.ts" : join("src", part ?? "", "index.ts");

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
