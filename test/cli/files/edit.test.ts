import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
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
import { processIo } from "../../../cli/io.ts";

const { editFile } = processIo();
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "handtools-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (file: string) => join(folder, file);
const read = (file: string) => readFileSync(at(file), "utf8");
const append = (text: string) => `${text}+`;
const backups = () => readdirSync(folder).filter((name) => name.endsWith(".bak"));

describe.if(process.platform !== "win32")("editFile()", () => {
  test("replaces the text and keeps the old one beside it", async () => {
    writeFileSync(at("a.json"), "old");
    chmodSync(at("a.json"), 0o640);
    const { backup } = await editFile(at("a.json"), append);
    expect(read("a.json")).toBe("old+");
    expect(backups()).toEqual(["a.json.handtools.bak"]);
    expect(backup).toBe(at(backups()[0] ?? ""));
    expect(read(backups()[0] ?? "")).toBe("old");
    expect(statSync(at("a.json")).mode & 0o777).toBe(0o640);
  });

  test.each([0o600, 0o644, 0o666])(
    "keeps the old text of a file of %o for its owner",
    async (mode) => {
      for (const name of ["a.json", "a.json.handtools.bak"]) {
        writeFileSync(at(name), "old");
        chmodSync(at(name), mode);
      }
      await editFile(at("a.json"), append);
      expect(statSync(at("a.json")).mode & 0o777).toBe(mode);
      expect(statSync(at("a.json.handtools.bak")).mode & 0o777).toBe(0o600);
    },
  );

  test("keeps one old text, as private as the file", async () => {
    writeFileSync(at("a.json"), "0", { mode: 0o600 });
    writeFileSync(at("other"), "other");
    symlinkSync("other", at("a.json.handtools.bak"));
    for (let edit = 0; edit < 3; edit += 1) await editFile(at("a.json"), append);
    expect(backups().map(read)).toEqual(["0++"]);
    expect(lstatSync(at("a.json.handtools.bak")).mode & 0o777).toBe(0o600);
    expect(read("other")).toBe("other");
  });

  test("writes nothing when the text stays", async () => {
    writeFileSync(at("a.json"), "old");
    const before = statSync(at("a.json"));
    expect(await editFile(at("a.json"), (text) => text)).toEqual({ readableByOthers: false });
    expect(statSync(at("a.json")).ino).toBe(before.ino);
    expect(readdirSync(folder)).toEqual(["a.json"]);
  });

  test("makes a new file and its folders for the owner alone, without a backup", async () => {
    const { backup } = await editFile(at("deep/er/a.json"), append);
    expect(backup).toBeUndefined();
    expect(read("deep/er/a.json")).toBe("+");
    expect(statSync(at("deep/er/a.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(at("deep/er"))).toEqual(["a.json"]);
  });

  test("edits the file behind a link, and backs it up there", async () => {
    mkdirSync(at("deep"));
    writeFileSync(at("deep/real.json"), "old");
    symlinkSync("deep/real.json", at("a.json"));
    const { backup } = await editFile(at("a.json"), append);
    expect(lstatSync(at("a.json")).isSymbolicLink()).toBe(true);
    expect(read("deep/real.json")).toBe("old+");
    expect(backup).toStartWith(at("deep/real.json.handtools.bak"));
    expect(backups()).toEqual([]);
  });

  test.if(process.getuid?.() === 0)("keeps the owner of the file and of its backup", async () => {
    writeFileSync(at("a.json"), "old");
    chownSync(at("a.json"), 65_534, 65_533);
    await editFile(at("a.json"), append);
    for (const name of ["a.json", ...backups()]) {
      const { uid, gid } = statSync(at(name));
      expect({ uid, gid }).toEqual({ uid: 65_534, gid: 65_533 });
    }
  });

  test("starts again when the file has changed meanwhile", async () => {
    writeFileSync(at("a.json"), "old");
    const seen: string[] = [];
    await editFile(at("a.json"), (text) => {
      seen.push(text);
      if (seen.length === 1) writeFileSync(at("a.json"), "newer");
      return append(text);
    });
    expect(seen).toEqual(["old", "newer"]);
    expect(read("a.json")).toBe("newer+");
    expect(backups().map(read)).toEqual(["newer"]);
  });

  test("gives up on a file that changes all the time", async () => {
    let edits = 0;
    const edit = (text: string) => {
      edits += 1;
      writeFileSync(at("a.json"), String(edits));
      return append(text);
    };
    await expect(editFile(at("a.json"), edit)).rejects.toThrow(
      `${at("a.json")}: another program keeps changing it; close that program first`,
    );
    expect(readdirSync(folder)).toEqual(["a.json"]);
  });

  const rejected: [name: string, content: string | Uint8Array, error: string][] = [
    ["a file over 32 MiB", " ".repeat(32 * 1024 * 1024 + 1), "is larger than 32 MiB"],
    ["a file in another encoding", new Uint8Array([0x22, 0xff, 0x22]), "must be saved as UTF-8"],
  ];
  for (const [name, content, error] of rejected) {
    test(`rejects ${name}`, async () => {
      writeFileSync(at("a.json"), content);
      await expect(editFile(at("a.json"), append)).rejects.toThrow(`${at("a.json")}: ${error}`);
      expect(readFileSync(at("a.json"))).toEqual(Buffer.from(content));
      expect(backups()).toEqual([]);
    });
  }

  test("fails for a folder, a device, and a folder that is a file", async () => {
    writeFileSync(at("file"), "");
    for (const [path, error] of [
      [folder, "is a directory"],
      ["/dev/null", "must be a regular file"],
      [at("file/a.json"), "a part of the path is not a directory"],
    ] as const) {
      await expect(editFile(path, append)).rejects.toThrow(`${path}: ${error}`);
    }
  });
});
