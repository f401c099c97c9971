import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const main = join(import.meta.dir, "../../../cli/main.ts");
const product = Bun.spawnSync([process.execPath, main, "example", "mail-filter"]).stdout.toString();

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "handtools-"));
  writeFileSync(join(folder, "in.json"), product);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs `handtools mail-filter in.json -o <file>` in the folder. */
const writeTo = (file: string, before?: string) =>
  handtools(["mail-filter", "in.json", "-o", file], before);

/** Runs a command line in the folder, after a line of shell. */
function handtools(argv: readonly string[], before = ":") {
  const command = [process.execPath, main, ...argv];
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    ["sh", "-c", `${before}; exec "$@"`, "sh", ...command],
    { cwd: folder, timeout: 20_000 },
  );
  return { exitCode, out: stdout.toString(), error: stderr.toString() };
}

const config = (file: string) => [
  ...["mcp-config", "--name", "a", "--command", "b"],
  ...["--client", "cursor", "-o", file],
];

const wrote = (file: string) => ({ exitCode: 0, out: "", error: `wrote ${file}\n` });
const read = (file: string) => readFileSync(join(folder, file), "utf8");
const names = () => readdirSync(folder).sort();

describe.if(process.platform !== "win32")("-o", () => {
  test("writes a new file with the usual rights and leaves nothing else", () => {
    expect(writeTo("new.xml", "umask 027")).toEqual(wrote("new.xml"));
    expect(read("new.xml")).toStartWith("<?xml");
    expect(statSync(join(folder, "new.xml")).mode & 0o777).toBe(0o640);
    expect(names()).toEqual(["in.json", "new.xml"]);
  });

  test("replaces a longer file whole and keeps its rights", () => {
    writeFileSync(join(folder, "old.xml"), "old".repeat(9999));
    chmodSync(join(folder, "old.xml"), 0o600);
    expect(writeTo("old.xml", "umask 000")).toEqual(wrote("old.xml"));
    expect(read("old.xml")).toEndWith("</feed>\n");
    expect(statSync(join(folder, "old.xml")).mode & 0o777).toBe(0o600);
  });

  test("replaces what a link leads to, not the link", () => {
    mkdirSync(join(folder, "deep"));
    writeFileSync(join(folder, "deep/target.xml"), "old");
    symlinkSync("deep/target.xml", join(folder, "link.xml"));
    expect(writeTo("link.xml")).toEqual(wrote("link.xml"));
    expect(lstatSync(join(folder, "link.xml")).isSymbolicLink()).toBe(true);
    expect(read("deep/target.xml")).toStartWith("<?xml");
    expect(readdirSync(join(folder, "deep"))).toEqual(["target.xml"]);
  });

  test("leaves a file that is read, whatever it is called", () => {
    symlinkSync("in.json", join(folder, "link.json"));
    const stdin = ["mail-filter", "-", "-o"];
    const cases = [
      writeTo("link.json"),
      writeTo("./in.json"),
      handtools(["mail-filter", "link.json", "-o", "in.json"]),
      handtools([...stdin, "link.json"], "exec < in.json"),
    ];
    for (const { exitCode, error } of cases) {
      expect(exitCode).toBe(2);
      expect(error).toMatch(/^error: --output: .+ is also an input; choose another file\n$/);
    }
    expect(read("in.json")).toBe(product);
    expect(handtools([...stdin, "out.xml"], "exec < in.json")).toEqual(wrote("out.xml"));
  });

  test("writes what a link leads to when it is not there yet", () => {
    mkdirSync(join(folder, "deep"));
    symlinkSync("deep", join(folder, "shallow"));
    symlinkSync("../new.xml", join(folder, "deep/second.xml"));
    symlinkSync("shallow/second.xml", join(folder, "first.xml"));
    expect(writeTo("first.xml")).toEqual(wrote("first.xml"));
    expect(lstatSync(join(folder, "first.xml")).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(folder, "deep/second.xml")).isSymbolicLink()).toBe(true);
    expect(read("new.xml")).toStartWith("<?xml");
    expect(names()).toEqual(["deep", "first.xml", "in.json", "new.xml", "shallow"]);
  });

  test("leaves links that lead in a circle, and a link into a folder that is not there", () => {
    symlinkSync("b.xml", join(folder, "a.xml"));
    symlinkSync("a.xml", join(folder, "b.xml"));
    symlinkSync("no/c.xml", join(folder, "c.xml"));
    const lines = [
      "a.xml: its links form a loop",
      "c.xml: must be in an existing directory; create it: mkdir -p no",
    ];
    expect([writeTo("a.xml").error, writeTo("c.xml").error]).toEqual(
      lines.map((line) => `error: ${line}\n`),
    );
    expect(names()).toEqual(["a.xml", "b.xml", "c.xml", "in.json"]);
  });

  test("writes into something other than a file, such as a pipe", () => {
    const { exitCode, out } = writeTo("/dev/stdout", `"$@" | cat; exit`);
    expect(exitCode).toBe(0);
    expect(out).toEndWith("</feed>\n");
  });

  test("writes a new file that may hold a secret for its owner alone", () => {
    expect(handtools(config("new.json"), "umask 000")).toEqual(wrote("new.json"));
    expect(statSync(join(folder, "new.json")).mode & 0o777).toBe(0o600);
  });

  test("warns when others can read an existing file that may hold a secret", () => {
    writeFileSync(join(folder, "old.json"), "");
    chmodSync(join(folder, "old.json"), 0o640);
    const { exitCode, error } = handtools(config("old.json"));
    expect({ exitCode, error }).toEqual({
      exitCode: 0,
      error:
        "warning: old.json: other users can read it; if it holds a secret: chmod 600 old.json\nwrote old.json\n",
    });
    expect(statSync(join(folder, "old.json")).mode & 0o777).toBe(0o640);
  });

  test.if(process.getuid?.() === 0)("keeps the owner of a file that root replaces", () => {
    for (const [file, argv] of [
      ["old.json", config("old.json")],
      ["old.xml", ["mail-filter", "in.json", "-o", "old.xml"]],
    ] as const) {
      writeFileSync(join(folder, file), "", { mode: 0o600 });
      chownSync(join(folder, file), 65_534, 65_533);
      expect(handtools(argv)).toEqual(wrote(file));
      const { uid, gid, mode } = statSync(join(folder, file));
      expect({ uid, gid, mode: mode & 0o7777 }).toEqual({ uid: 65_534, gid: 65_533, mode: 0o600 });
    }
  });

  describe.if(process.getuid?.() === 0)("in a folder where everyone may write", () => {
    const NOBODY = 65_534;
    beforeEach(() => {
      mkdirSync(join(folder, "shared"));
      chmodSync(join(folder, "shared"), 0o1777);
      writeFileSync(join(folder, "mine.xml"), "mine");
    });
    const denied = (file: string) => ({
      exitCode: 1,
      out: "",
      error: `error: ${file}: permission denied\n`,
    });

    test.each([
      ["to a file", "../mine.xml"],
      ["to nothing yet", "../new.xml"],
    ])("follows no link of another user: %s", (_, target) => {
      symlinkSync(target, join(folder, "shared/link.xml"));
      lchownSync(join(folder, "shared/link.xml"), NOBODY, NOBODY);
      symlinkSync("shared/link.xml", join(folder, "first.xml"));
      for (const file of ["shared/link.xml", "first.xml"]) {
        expect(writeTo(file)).toEqual(denied(file));
      }
      expect(read("mine.xml")).toBe("mine");
      expect(names()).toEqual(["first.xml", "in.json", "mine.xml", "shared"]);
    });

    test("gives nothing to the file of another user", () => {
      writeFileSync(join(folder, "shared/theirs.xml"), "theirs");
      chownSync(join(folder, "shared/theirs.xml"), NOBODY, NOBODY);
      expect(writeTo("shared/theirs.xml")).toEqual(denied("shared/theirs.xml"));
      expect(read("shared/theirs.xml")).toBe("theirs");
    });
  });

  const failing: [name: string, file: string, error: string][] = [
    ["a directory", ".", "is a directory"],
    [
      "a folder that is not there",
      "no/such.xml",
      "must be in an existing directory; create it: mkdir -p no",
    ],
    ["a file as a folder", "in.json/x.xml", "part of the path is not a directory"],
  ];
  for (const [name, file, error] of failing) {
    test(`fails in one line for ${name}`, () => {
      const line = `error: ${file}: ${error}\n`;
      expect(writeTo(file)).toEqual({ exitCode: 1, out: "", error: line });
      expect(names()).toEqual(["in.json"]);
    });
  }

  test("keeps the old file and removes its own when the disk takes no more", () => {
    writeFileSync(join(folder, "old.xml"), "old");
    // A limit on the size of files, in blocks, stands for a full disk.
    const { exitCode, error } = writeTo("old.xml", "trap '' XFSZ; ulimit -f 0");
    expect({ exitCode, error }).toEqual({
      exitCode: 1,
      error: "error: old.xml: the file would grow too large\n",
    });
    expect(read("old.xml")).toBe("old");
    expect(names()).toEqual(["in.json", "old.xml"]);
  });
});
