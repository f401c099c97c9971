import { commandLine } from "../../cli/support.ts";
import { handtools } from "./program.ts";

type Environment = Readonly<Record<string, string>>;

/** Runs `handtools signups …` within this process, with these files. */
export async function signups(
  words: readonly string[],
  environment: Environment,
  files: Readonly<Record<string, string>> = {},
) {
  const { exitCode, out, error } = await commandLine(["signups", ...words], { environment, files });
  return { exitCode, out, error };
}

/** Runs `handtools signups …` in a process of its own, in a folder that may be given. */
export async function signupsCommand(
  words: readonly string[],
  environment: Environment,
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
