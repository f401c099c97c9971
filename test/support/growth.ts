import { expect } from "bun:test";

const processorMs = async (read: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await read();
  return process.cpuUsage(before).user / 1_000;
};

/** Expects that a text of a size is read in far less than a hundred times the time of a tenth of it. */
export async function expectNoSquare(size: number, read: (size: number) => unknown): Promise<void> {
  const tenth = await processorMs(() => read(size / 10));
  const whole = await processorMs(() => read(size));
  expect(whole).toBeLessThan(30 * (tenth + 10));
}
