import { join } from "node:path";

const ROOT = join(import.meta.dir, "../../..");

/** Runs `handtools signups …` in a process of its own, in a folder that may be given. */
export async function signupsCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd = process.cwd(),
  input: "ignore" | Blob = "ignore",
) {
  const { PATH = "", HOME = "" } = process.env;
  const child = Bun.spawn(
    [process.execPath, "--no-env-file", join(ROOT, "cli/main.ts"), "signups", ...words],
    { cwd, env: { PATH, HOME, ...environment }, stdio: [input, "pipe", "pipe"] },
  );
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, out, error };
}
