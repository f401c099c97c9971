import { type Explanation, errorCodes, warningCodes } from "../schemas/codes.ts";
import { tools } from "../schemas/index.ts";
import type { Io } from "./io.ts";
import { addExamples, type Define, unknownName } from "./options.ts";
import { toJsonText, wrapForTerminal, writeTable } from "./output.ts";

/** A code, and the command whose warning it is; that of an error has none. */
interface ExplainedCode extends Explanation {
  readonly code: string;
  readonly command: string | undefined;
}

/** `handtools explain [code]`: what a warning or an error means, why it matters and what to do. */
const defineExplain: Define = (command, io) => {
  command
    .description(
      "Explain the code of a warning or an error: what it means, why it matters and what to do. Without a code, list all.",
    )
    .argument("[code]", "the code in brackets at the end of a warning")
    .option("--json", "print the explanations as JSON")
    .action(async (wanted: string | undefined, { json = false }: { json?: boolean }) => {
      const codes = explainedCodes();
      if (json) {
        const found = wanted === undefined ? codes : findCodes(codes, wanted);
        return io.writeOut(toJsonText({ codes: found }));
      }
      if (wanted === undefined) return listCodes(codes, io);
      const text = findCodes(codes, wanted).map(explanation).join("\n");
      await io.writeOut(wrapForTerminal(text, io));
    });
  addExamples(command, ["handtools explain", "handtools explain plain-http"]);
};

export const commands = { explain: defineExplain };

/** All codes: those of each tool's warnings, then those of errors. */
function explainedCodes(): readonly ExplainedCode[] {
  const byTool = new Map<string, Readonly<Record<string, Explanation>>>(
    Object.entries(warningCodes),
  );
  const withCommand = (codes: Readonly<Record<string, Explanation>>, command?: string) =>
    Object.entries(codes).map(([code, text]) => ({ code, command, ...text }));
  return [
    ...tools.flatMap(({ name, command }) => withCommand(byTool.get(name) ?? {}, command)),
    ...withCommand(errorCodes),
  ];
}

const listCodes = (codes: readonly ExplainedCode[], io: Io): Promise<void> =>
  writeTable(
    [
      { heading: "CODE", align: "left", cells: codes.map(({ code }) => code) },
      { heading: "OF", align: "left", cells: codes.map(({ command = "errors" }) => command) },
      { heading: "MEANING", align: "left", cells: codes.map(({ meaning }) => meaning) },
    ],
    io,
  );

/**
 * The explanations of a code, which two tools may have.
 *
 * @throws {UsageError} for an unknown code.
 */
function findCodes(codes: readonly ExplainedCode[], wanted: string): readonly ExplainedCode[] {
  // A message prints the code in brackets, and a reader may type capitals.
  const name = wanted.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const found = codes.filter(({ code }) => code === name);
  if (found.length > 0) return found;
  const known = codes.map(({ code }) => code);
  throw unknownName("code", wanted, known, "handtools explain lists all");
}

const explanation = ({ code, command, meaning, why, remedy }: ExplainedCode): string =>
  `${code} (${command === undefined ? "an error" : `handtools ${command}`})\n\n${meaning}\n\nWhy it matters: ${why}\n\nWhat to do: ${remedy}\n`;
