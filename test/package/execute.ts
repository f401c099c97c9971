interface Options {
  readonly cwd: string;
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

interface Outcome {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a program to its end, for two minutes at most. */
export async function execute(command: readonly string[], options: Options): Promise<Outcome> {
  const child = Bun.spawn([...command], {
    cwd: options.cwd,
    env: { ...process.env, ...options.environment },
    stdin: new TextEncoder().encode(options.stdin ?? ""),
    stdout: "pipe",
    stderr: "pipe",
    timeout: 120_000,
  });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, out, error };
}

/**
 * What a program prints that has to succeed.
 *
 * @throws {Error} with what it said, when it fails.
 */
export async function outputOf(command: readonly string[], options: Options): Promise<string> {
  const { exitCode, out, error } = await execute(command, options);
  if (exitCode !== 0)
    throw new Error(`${command.join(" ")} ended with ${exitCode}\n${out}${error}`);
  return out;
}
