import { createInterface } from "node:readline";
import { endProgram, type ProgramOptions, startProgram } from "./program.ts";

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}

/**
 * Starts a program that speaks JSON-RPC, one message a line, asks it one thing after the other,
 * and ends it.
 *
 * @returns the answers to the messages that have an id, in order.
 */
export async function askInJsonLines(
  command: string,
  args: readonly string[],
  messages: readonly Message[],
  { timeout = 20_000, ...options }: ProgramOptions,
): Promise<Message[]> {
  const child = startProgram(command, args, options);
  const timer = setTimeout(() => endProgram(child), timeout);
  child.stderr.resume();
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const answers: Message[] = [];
  try {
    for (const message of messages) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      if (message.id !== undefined) answers.push(await answerTo(message.id, lines));
    }
    return answers;
  } finally {
    clearTimeout(timer);
    endProgram(child);
  }
}

async function answerTo(id: number, lines: AsyncIterator<string>): Promise<Message> {
  for (;;) {
    const { done, value } = await lines.next();
    if (done) throw new Error(`the program ended or ran out of time before it answered ${id}`);
    const message: Message = JSON.parse(value);
    if (message.id === id && message.method === undefined) return message;
  }
}
