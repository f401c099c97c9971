import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { machineWarnings } from "../../../server/process/machine-warnings.ts";
import { hasProgram } from "../../support/programs.ts";

// Some cases start processes, which takes long on a busy machine.
setDefaultTimeout(30_000);

const ROOT = join(import.meta.dir, "../../..");
const NODE = Bun.which("node");

const folder = mkdtempSync(join(tmpdir(), "handtools-folder-"));
afterAll(() => rmSync(folder, { recursive: true }));

const warnings = (userId: number | undefined, environment: Record<string, string> = {}) =>
  machineWarnings(environment, userId);

describe("machineWarnings()", () => {
  test("tells who opens the server to others, and does not say where it is", () => {
    const told = [expect.stringMatching(/^BASE_URL is not set: links lead to localhost/)];
    expect(warnings(1_000, { HOST: "0.0.0.0" })).toEqual(told);
    expect(warnings(1_000, { HOST: "::", BASE_URL: "" })).toEqual(told);
    expect(warnings(1_000, { HOST: "0.0.0.0", BASE_URL: "https://x.test" })).toEqual([]);
    for (const HOST of ["", "127.0.0.1", "localhost", "::1", "[::1]"]) {
      expect(warnings(1_000, { HOST })).toEqual([]);
    }
  });

  test("tells root, but not where only this machine reaches the server", () => {
    const told = ["the server runs as root: run it as its own user"];
    expect(warnings(0, { BASE_URL: "https://x.test" })).toEqual(told);
    expect(warnings(0, { HOST: "10.0.0.5", BASE_URL: "https://x.test" })).toEqual(told);
    expect(warnings(0)).toEqual([]);
    expect(warnings(0, { BASE_URL: "http://localhost:3000" })).toEqual([]);
  });
});

describe.if(hasProgram("node"))("serve and signups started under Node in somebody's folder", () => {
  /** Node reads no TypeScript. */
  const built = mkdtempSync(join(tmpdir(), "handtools-built-"));
  beforeAll(async () => {
    const entry = join(ROOT, "cli/spawn.ts");
    await Bun.build({ entrypoints: [entry], target: "node", outdir: built });
  });
  afterAll(() => rmSync(built, { recursive: true }));
  beforeEach(async () => {
    await Bun.write(join(folder, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
    await Bun.write(join(folder, "evil.ts"), 'console.log("the folder\'s code ran");\n');
    await Bun.write(join(folder, ".env"), "RATE_LIMIT=nonsense\n");
  });

  const path = `${join(ROOT, "node_modules/.bin")}:${process.env.PATH}`;
  const run = async (words: readonly string[], PATH = path) => {
    const program = `
      const { runOnBun } = await import(${JSON.stringify(join(built, "spawn.js"))});
      const words = ${JSON.stringify([join(ROOT, "cli/main.ts"), ...words])};
      await runOnBun(words).catch(({ exitCode, message }) => {
        process.stderr.write(message);
        process.exitCode = exitCode;
      });
    `;
    const child = Bun.spawn([NODE ?? "", "--input-type=module", "-e", program], {
      cwd: folder,
      env: { PATH },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    const readOut = async () => {
      for await (const chunk of child.stdout) {
        out += new TextDecoder().decode(chunk);
        // A server that serves has started all that it starts.
        if (out.includes("Handtools is at")) child.kill("SIGTERM");
      }
    };
    const [, error] = await Promise.all([readOut(), child.stderr.text()]);
    return { exitCode: await child.exited, out, error };
  };

  test.each([[["signups", "count"]], [["serve", "--port", "0"]]])(
    "%j runs none of its code, and takes none of its variables",
    async (words) => {
      const { out, error } = await run(words);
      expect(out + error).not.toInclude("the folder's code ran");
      expect(error).not.toInclude("RATE_LIMIT: must be");
    },
    20_000,
  );

  test.each([[["signups", "count", "--env-file", ".env"]], [["serve", "--env-file", ".env"]]])(
    "%j takes the variables of the file that is named",
    async (words) => {
      expect(await run(words)).toMatchObject({
        exitCode: 2,
        error: expect.stringContaining("RATE_LIMIT: must be"),
      });
    },
  );

  test("say how to install Bun where there is none", async () => {
    expect(await run(["serve"], "")).toMatchObject({
      exitCode: 2,
      error: expect.stringMatching(/: npm install bun in the project .*, or npm install -g bun$/),
    });
  });

  test("--env-file: a file that is not there", async () => {
    expect(await run(["serve", "--env-file", "none"])).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining("none: no such file or directory"),
    });
  });
});
