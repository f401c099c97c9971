/** Lines wait this long, so that many are written at once. */
const FLUSH_MS = 50;

/** Writes lines to standard output, some at a time. */
export function lineWriter() {
  let waiting: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Nobody may read the log any more; the server goes on.
  process.stdout.on("error", () => {});
  const flush = () =>
    new Promise<void>((resolve) => {
      clearTimeout(timer);
      timer = undefined;
      const text = waiting.join("");
      waiting = [];
      if (text === "") resolve();
      else process.stdout.write(text, () => resolve());
    });
  return {
    write(line: string): void {
      waiting.push(line);
      timer ??= setTimeout(flush, FLUSH_MS);
    },
    /** Resolves when all is written. */
    end: flush,
  };
}
