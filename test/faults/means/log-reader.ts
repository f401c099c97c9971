import { join } from "node:path";

/** A process that reads a pipe, as a program does that ships logs. */
export function openLogReader(folder: string) {
  const path = join(folder, "log");
  const made = Bun.spawnSync(["mkfifo", path]);
  if (!made.success) throw new Error(`mkfifo failed: ${made.stderr}`);
  const reader = Bun.spawn(["cat", path], { stdio: ["ignore", "pipe", "inherit"] });
  const text = new Response(reader.stdout).text();
  return {
    path,
    stick: () => reader.kill("SIGSTOP"),
    goOn: () => reader.kill("SIGCONT"),
    leave: async () => {
      reader.kill("SIGKILL");
      await reader.exited;
    },
    /** All that it has read; it waits for the end. */
    text: () => text,
    [Symbol.dispose]: () => reader.kill("SIGKILL"),
  };
}
