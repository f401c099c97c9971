/** Runs a program in a process of its own. */
export const runProgram = (program: URL, ...parameters: readonly string[]) =>
  Bun.spawn([process.execPath, Bun.fileURLToPath(program), ...parameters], {
    stdio: ["pipe", "pipe", "inherit"],
  });

/** Reads standard output up to the end of its first line, and gives a reader for the rest. */
export async function firstLine(output: ReadableStream<Uint8Array>) {
  const reader = output.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const readOn = async () => {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    return !done;
  };
  while (!text.includes("\n")) if (!(await readOn())) break;
  return async () => {
    while (await readOn());
    return text;
  };
}
