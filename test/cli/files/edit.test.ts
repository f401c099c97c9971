import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
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

describe.if(process.platform !== "win32")("editFile()", () => {
  test.each([0o600, 0o640, 0o666])("keeps the mode of a file of %o, and no copy", async (mode) => {
    writeFileSync(at("a.json"), "old");
    chmodSync(at("a.json"), mode);
    await editFile(at("a.json"), append);
    expect(read("a.json")).toBe("old+");
    expect(statSync(at("a.json")).mode & 0o777).toBe(mode);
    expect(readdirSync(folder)).toEqual(["a.json"]);
  });

  test("writes nothing when the text stays", async () => {
    writeFileSync(at("a.json"), "old");
    const before = statSync(at("a.json"));
    expect(await editFile(at("a.json"), (text) => text)).toEqual({ readableByOthers: false });
    expect(statSync(at("a.json")).ino).toBe(before.ino);
    expect(readdirSync(folder)).toEqual(["a.json"]);
  });

  test("makes a new file and its folders for the owner alone", async () => {
    await editFile(at("deep/er/a.json"), append);
    expect(read("deep/er/a.json")).toBe("+");
    expect(statSync(at("deep/er/a.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(at("deep/er"))).toEqual(["a.json"]);
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
      expect(readdirSync(folder)).toEqual(["a.json"]);
    });
  }
});
