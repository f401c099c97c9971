import { describe, expect, test } from "bun:test";
import { commandLine, echoLoaders } from "../support.ts";

const echo = (argv: readonly string[], files: Readonly<Record<string, unknown>>, stdin = "") =>
  commandLine(["echo", ...argv], {
    loaders: echoLoaders,
    stdin,
    files: Object.fromEntries(
      Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)]),
    ),
  });

const a = { items: [{ label: "a" }, { label: "b" }] };
const c = { items: [{ label: "c" }] };

describe("several files", () => {
  test("are one input, in their order", async () => {
    const { exitCode, out } = await echo(["c", "-", "a"], { a, c }, JSON.stringify(c));
    expect(exitCode).toBe(0);
    expect(JSON.parse(out).items.map(({ label }: { label: string }) => label)).toEqual([..."ccab"]);
  });

  test("may say the same beside their lists, or only one of them", async () => {
    const { out } = await echo(["a", "b"], { a: { ...a, loud: true }, b: { ...c, loud: true } });
    expect(JSON.parse(out)).toMatchObject({ loud: true });
    const one = await echo(["a", "b"], { a, b: { ...c, remarks: ["hm"] } });
    expect(JSON.parse(one.out)).toMatchObject({ remarks: ["hm"] });
  });

  const long = { label: "0123456789" };
  const rejected: [name: string, files: object, error: string][] = [
    [
      "an item of the second",
      { a, b: { items: [long] } },
      "b:1:20: items[0].label: must have at most 9 items",
    ],
    [
      "an item of the first",
      { a: { items: [long] }, b: a },
      "a:1:20: items[0].label: must have at most 9 items",
    ],
    [
      "an empty file among others",
      { a: { items: [] }, b: { items: [long] } },
      "b:1:20: items[0].label: must have at most 9 items",
    ],
    [
      "another field of the second",
      { a, b: { ...c, loud: 1 } },
      "b:1:33: loud: must be true or false",
    ],
    [
      "an unknown field",
      { a, b: { ...c, x: 1 } },
      "b:1:30: x: is not a known field; known are items, loud, remarks",
    ],
    [
      "a key of the prototype",
      { a, b: { ...c, constructor: 1 } },
      "b:1:40: constructor: is not a known field; known are items, loud, remarks",
    ],
    [
      "files that disagree",
      { a: { ...a, loud: true }, b: { ...c, loud: false } },
      "b: loud: must be the same as in a",
    ],
    ["a list of lists", { a, b: [c] }, "b: must be an object"],
    ["a file without the list", { a, b: {} }, "b: items: must be an array"],
    [
      "too many together",
      { a: { items: [...a.items, ...a.items] }, b: a },
      "items: must have at most 5 items",
    ],
  ];
  for (const [name, files, error] of rejected) {
    test(`are rejected for ${name}`, async () => {
      const result = await echo(Object.keys(files), files as Record<string, unknown>);
      expect(result).toMatchObject({ exitCode: 2, out: "", error: `error: ${error}\n` });
    });
  }

  test("are named in warnings, also within a message", async () => {
    const b = { ...c, remarks: ["item", "like `items[2]`", "like `items[10]` and `items[1]`"] };
    const { error } = await echo(["a", "b"], { a, b });
    expect(error).toBe(
      [
        "info: a:1:11: items[0]: item [remark]",
        "info: a:1:11: items[0].from_whom[1]: like b: items[0] [remark]",
        "info: a:1:11: items[0].from_whom[1]: like b: items[8] and a: items[1] [remark]",
        "",
      ].join("\n"),
    );
  });

  test("that are standard input twice are rejected", async () => {
    expect((await echo(["-", "-"], {})).error).toBe(
      "error: FILE: standard input is already used; give a file\n",
    );
  });

  test("are too many where the input is not a list", async () => {
    const { exitCode, error } = await commandLine(["mcp-config", "a", "b"]);
    expect({ exitCode, error }).toEqual({
      exitCode: 2,
      error:
        "error: too many arguments for 'mcp-config'. Expected 1 argument but got 2; see handtools mcp-config --help\n",
    });
  });
});
