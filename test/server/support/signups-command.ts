import { commandLine } from "../../cli/support.ts";
import { handtools, handtoolsOnNode } from "./program.ts";

type Environment = Readonly<Record<string, string>>;

/** Runs `handtools signups …` within this process, with these files; `-` is standard input. */
export async function signups(
  words: readonly string[],
  environment: Environment,
  files: Readonly<Record<string, string | Uint8Array>> = {},
) {
  const { "-": stdin } = files;
  const world = { environment, files, ...(stdin !== undefined && { stdin }) };
  const { exitCode, out, error } = await commandLine(["signups", ...words], world);
  return { exitCode, out, error };
}

interface Process {
  readonly input?: "ignore" | Blob;
  /** Starts it on Node, which starts Bun. */
  readonly onNode?: boolean;
}

/** Runs `handtools signups …` in a process of its own. */
export async function signupsCommand(
  words: readonly string[],
  environment: Environment,
  { input = "ignore", onNode = false }: Process = {},
) {
  const { PATH = "", HOME = "" } = process.env;
  const program = await (onNode ? handtoolsOnNode() : handtools());
  const child = Bun.spawn([...program, "signups", ...words], {
    env: { PATH, HOME, ...environment },
    stdio: [input, "pipe", "pipe"],
  });
  const [out, error] = await Promise.all([
    Bun.readableStreamToText(child.stdout),
    Bun.readableStreamToText(child.stderr),
  ]);
  return { exitCode: await child.exited, out, error };
}
