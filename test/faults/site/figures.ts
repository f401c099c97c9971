import type { Answer } from "./answer.ts";

export const ms = (time: number): string => `${Math.round(time)} ms`;

/** The shortest and the longest time to an answer. */
export function spread(answers: readonly Answer[]): string {
  const times = answers.map((given) => given.ms);
  return `${Math.round(Math.min(...times))} to ${ms(Math.max(...times))}`;
}
