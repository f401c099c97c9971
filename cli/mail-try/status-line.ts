import type { Io } from "../io.ts";
import { isHeard } from "../messages/message.ts";

/** The progress of a long run, as one line on a terminal. A file or a pipe gets nothing. */
export class StatusLine {
  private readonly io: Io;
  private shownAt = Number.NEGATIVE_INFINITY;

  constructor(io: Io) {
    this.io = io;
  }

  /** @param text is asked for twice a second at most. */
  async show(text: () => string): Promise<void> {
    if (!this.io.errorIsTerminal || !isHeard(this.io)) return;
    const now = performance.now();
    if (now - this.shownAt < EVERY_MS) return;
    this.shownAt = now;
    await this.io.writeError(`${CLEAR}${text()}`);
  }

  async clear(): Promise<void> {
    if (this.shownAt >= 0) await this.io.writeError(CLEAR);
  }
}

const EVERY_MS = 500;
const CLEAR = "\r\u001b[K";
