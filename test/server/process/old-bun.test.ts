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
import { isUnsupportedVersion } from "../../../cli/run-on-bun.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { hasProgram } from "../../support/programs.ts";

// Some cases start processes, which takes long on a busy machine.
setDefaultTimeout(30_000);

const ROOT = join(import.meta.dir, "../../..");
const NODE = Bun.which("node");
const MINIMUM = packageJson.peerDependencies.bun.replace(">=", "");

const folder = mkdtempSync(join(tmpdir(), "handtools-folder-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the Bun of the tests is new enough, and one of another number is judged by it", () => {
  expect(
    [Bun.version, MINIMUM, `${MINIMUM}0`, `${MINIMUM}-canary.1`, "2.0.0"].map(isUnsupportedVersion),
  ).toEqual(Array(5).fill(false));
  expect(
    ["0.8.1", "1.0.36", "1.1.38", "1.2.23", "1.3.5", "1.3.14"].map(isUnsupportedVersion),
  ).toEqual(Array(6).fill(true));
});

describe.if(hasProgram("node"))("serve and signups started under Node in somebody's folder", () => {
  /** Node reads no TypeScript. */
  const built = mkdtempSync(join(tmpdir(), "handtools-built-"));
  beforeAll(async () => {
    const entry = join(ROOT, "cli/run-on-bun.ts");
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
      const { runOnBun } = await import(${JSON.stringify(join(built, "run-on-bun.js"))});
      process.argv = ["node", ...${JSON.stringify([join(ROOT, "cli/main.ts"), ...words])}];
      await runOnBun().catch(({ exitCode, message }) => {
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
    const [, error] = await Promise.all([readOut(), Bun.readableStreamToText(child.stderr)]);
    return { exitCode: await child.exited, out, error };
  };

  const needsBun = (found: string) => ({
    exitCode: 2,
    out: "",
    error: `this command needs Bun ${MINIMUM} or newer, and ${found}: npm install bun@latest in the project that has handtools, or npm install -g bun@latest`,
  });

  test("a Bun that is too old does nothing but say so", async () => {
    const program = `
      Object.defineProperty(process, "versions", { value: { bun: "1.3.14" } });
      const { runOnBun } = await import(${JSON.stringify(join(ROOT, "cli/run-on-bun.ts"))});
      await runOnBun(() => console.log("works")).catch(({ exitCode, message }) => {
        process.stderr.write(message);
        process.exitCode = exitCode;
      });
    `;
    const child = Bun.spawn([process.execPath, "-e", program], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, error] = await Promise.all([
      Bun.readableStreamToText(child.stdout),
      Bun.readableStreamToText(child.stderr),
    ]);
    expect({ exitCode: await child.exited, out, error }).toEqual(needsBun("this is Bun 1.3.14"));
  });

  test("serve runs none of its code, and takes none of its variables", async () => {
    const { out, error } = await run(["serve", "--port", "0"]);
    expect(out + error).not.toInclude("the folder's code ran");
    expect(error).not.toInclude("RATE_LIMIT: must be");
  }, 20_000);

  test("signups says how to install Bun where there is none", async () => {
    expect(await run(["signups", "count"], "")).toEqual(
      needsBun("there is none beside handtools or on the PATH"),
    );
  });
});
