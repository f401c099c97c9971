import { cutToBytes, visibleText } from "../../src/text.ts";

export type Id = string | number;

export const errorAnswer = (id: Id | null, code: number, message: string) => ({
  jsonrpc: "2.0" as const,
  id,
  error: { code, message: errorText(message) },
});

/** The result of a call with bad arguments, which the model reads and corrects. */
export const problemResult = (problem: string) => ({
  content: [{ type: "text" as const, text: errorText(problem) }],
  isError: true,
});

/** An answer of the SDK, whose errors may repeat a part of the message or its headers. */
export const boundedAnswer = <Answer extends object>(answer: Answer): Answer =>
  "error" in answer
    ? {
        ...answer,
        error: JSON.parse(JSON.stringify(answer.error), (_, value) =>
          typeof value === "string" ? errorText(sentence(value)) : value,
        ),
      }
    : answer;

/** The SDK lists the problems of a message in the JSON of its schema library. */
function sentence(text: string): string {
  const [, list] = /^(?:Invalid \S+ request: )?(\[\n {2}\{.*\])$/s.exec(text) ?? [];
  if (list === undefined) return text;
  const problems: readonly { path: readonly string[]; message: string }[] = JSON.parse(list);
  return problems.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}

const errorText = (text: string): string => cutToBytes(visibleText(text), MAX_ERROR_BYTES);

export const MAX_ERROR_BYTES = 2_048;
