import { describe, expect, test } from "bun:test";
import { commandLine, echoLoaders as loaders } from "./support.ts";

const argv = ["echo", "--label", "a"];
const product = '{"items":[{"label":"a"}],"loud":false,"remarks":[]}\n';

describe("the product", () => {
  test("alone goes to standard output", async () => {
    expect(await commandLine(argv, { loaders })).toMatchObject({ out: product, error: "" });
  });

  test("with --json is the whole result", async () => {
    const { out } = await commandLine([...argv, "--json"], { loaders });
    expect(out).toEndWith("\n}\n");
    expect(JSON.parse(out)).toEqual({ input: JSON.parse(product), warnings: [] });
  });

  test("with -o - goes to standard output", async () => {
    const result = await commandLine([...argv, "-o", "-"], { loaders });
    expect(result).toMatchObject({ exitCode: 0, out: product, files: {} });
    expect(Object.keys(result.files)).toEqual([]);
  });

  test("with -o goes to the file alone", async () => {
    const result = await commandLine([...argv, "-o", "out.txt"], { loaders });
    expect(result).toMatchObject({ exitCode: 0, out: "", files: { "out.txt": product } });
  });
});

describe("--check", () => {
  const check = (content: string | undefined) =>
    commandLine([...argv, "--check", "out.txt"], {
      loaders,
      files: content === undefined ? {} : { "out.txt": content },
    });

  test("says nothing when the file is the same", async () => {
    expect(await check(product)).toMatchObject({ exitCode: 0, out: "", error: "" });
  });

  const stale = "out.txt: is not up to date; write it anew with --output out.txt";
  const failing: [name: string, content: string | undefined, error: string][] = [
    ["differs by a character", product.replace("a", "b"), stale],
    ["is longer", `${product}\n`, stale],
    ["is empty", "", stale],
    ["is not there", undefined, "out.txt: no such file or directory"],
  ];
  for (const [name, content, error] of failing) {
    test(`fails when the file ${name}, and leaves it`, async () => {
      const result = await check(content);
      expect(result).toMatchObject({ exitCode: 1, out: "", error: `error: ${error}\n` });
      expect(result.files["out.txt"]).toBe(content);
    });
  }
});

describe("messages", () => {
  const remarks = { items: [{}], remarks: ["!forward with care", "an aside"] };
  const files = { "in.json": JSON.stringify(remarks) };

  test("name the place in a file", async () => {
    const { exitCode, error } = await commandLine(["echo", "in.json"], { loaders, files });
    expect({ exitCode, error }).toEqual({
      exitCode: 0,
      error:
        "warning: items[0].from_whom[1]: !forward with care\ninfo: items[0].from_whom[1]: an aside\n",
    });
  });

  test("name the flag", async () => {
    const { error } = await commandLine(["echo", "--remarks", "hm"], { loaders });
    expect(error).toBe("info: --from-whom[1]: hm\n");
  });

  test("come beside --json and -o too", async () => {
    const flags = ["echo", "--remarks", "hm", "--json", "-o", "x"];
    expect((await commandLine(flags, { loaders })).error).toBe("info: --from-whom[1]: hm\n");
  });

  test("have colour on a terminal, unless NO_COLOR says no", async () => {
    const world = { loaders, files, errorIsTerminal: true };
    const coloured = await commandLine(["echo", "in.json"], world);
    expect(coloured.error).toStartWith("\u001b[33mwarning\u001b[39m: items[0]");
    for (const [NO_COLOR, escapes] of [
      ["1", false],
      ["", true],
    ] as const) {
      const { error } = await commandLine(["echo", "in.json"], {
        ...world,
        environment: { NO_COLOR },
      });
      expect(error.includes("\u001b")).toBe(escapes);
    }
  });

  test("never bring the user's control characters to the terminal", async () => {
    const hostile = "a\u001b]0;x\u0007\u009b\n\u202e\r";
    const shown = "a\\u001b]0;x\\u0007\\u009b\\n\\u202e\\u000d";
    const { error } = await commandLine(["echo", "--remarks", hostile], { loaders });
    expect(error).toBe(`info: --from-whom[1]: ${shown}\n`);
    for (const argv of [
      ["echo", hostile],
      ["echo", `--${hostile}`],
      [hostile],
      ["schema", hostile],
    ]) {
      expect((await commandLine(argv, { loaders })).error).toMatch(/^[ -~]+\n$/);
    }
  });
});

describe("a fault of ours", () => {
  const fault = ["echo", "--label", "fault"];
  const line = "error: this is a fault of handtools; ";

  test("is one line", async () => {
    expect(await commandLine(fault, { loaders })).toMatchObject({
      exitCode: 1,
      out: "",
      error: `${line}DEBUG=1 in the environment shows where\n`,
    });
  });

  test("has its stack with DEBUG=1", async () => {
    const { exitCode, error } = await commandLine(fault, { loaders, environment: { DEBUG: "1" } });
    expect(exitCode).toBe(1);
    expect(error).toStartWith(
      `${line}please report it with these lines\nError: a fault in the tool\n`,
    );
    expect(error).toContain("test/cli/support.ts");
  });
});
