import { handtools } from "./program.ts";

/** Runs `handtools signups …` in a process of its own, in a folder that may be given. */
export async function signupsCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd = process.cwd(),
  input: "ignore" | Blob = "ignore",
) {
  const { PATH = "", HOME = "" } = process.env;
  const child = Bun.spawn([...(await handtools()), "signups", ...words], {
    cwd,
    env: { PATH, HOME, ...environment },
    stdio: [input, "pipe", "pipe"],
  });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, out, error };
}
