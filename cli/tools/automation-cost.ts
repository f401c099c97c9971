import { Option } from "commander";
import { PRICE_BOOK_MEANING, PriceBookSchema } from "../../schemas/price-book.ts";
import { automationCostTool } from "../../src/automation-cost/automation-cost.ts";
import type { ReadZapsOptions } from "../../src/automation-cost/read-zaps.ts";
import { visibleLog } from "../../src/text.ts";
import { withLocalLimits } from "../../src/tool.ts";
import { validate } from "../../src/validate.ts";
import { UsageError } from "../errors.ts";
import { fileInput, namingPlaces, readInput, readJson, warningMessages } from "../input/input.ts";
import type { Io } from "../io.ts";
import { writeMessages } from "../messages/message.ts";
import { allValues, isGiven, onlyValue, valueOption } from "../options.ts";
import { deliver, isPrinted, toJsonText, wrapForTerminal } from "../output.ts";
import {
  addToolFlags,
  exclude,
  FILES,
  onRun,
  type Run,
  runForInput,
  type ToolCommand,
} from "../tool-command.ts";

const tool = withLocalLimits(automationCostTool);

/** `handtools automation-cost`: prices Zaps; reads them from a table or from Zapier's export. */
export const automationCostCommand: ToolCommand = {
  contract: automationCostTool.contract,
  async define(command, words, io) {
    const priceBook = valueOption("--price-book <file>", `${PRICE_BOOK_MEANING} (a JSON file)`);
    const read = valueOption(
      "--read <file>",
      "read the Zaps of a table (CSV), or of the zapfile.json of Zapier's export, and print their input",
    );
    const runs = valueOption(
      "--runs <name=number>",
      "with --read: the runs a month of a Zap of a zapfile.json, by its title",
    );
    const runsDefault = valueOption(
      "--runs-default <number>",
      "with --read: the runs a month of all other Zaps of a zapfile.json",
    );
    const breakpoints = new Option(
      "--breakpoints",
      "print the numbers of tasks from which another plan is the cheapest",
    );
    priceBook.helpGroup("Settings:");
    for (const option of [read, runs, runsDefault]) option.helpGroup("Existing files:");
    const input = [priceBook, read, runs, runsDefault];
    const own = { input, output: [breakpoints], files: [priceBook, read], reader };
    const flags = await addToolFlags(command.argument(...FILES), tool.contract, own, words);
    exclude(read, [...flags.fields, priceBook, breakpoints, flags.json]);

    onRun(command, flags, io, async (run) => {
      const readFile = onlyValue(command, read);
      const byDefault = onlyValue(command, runsDefault);
      const known = {
        runs: runsByName(allValues(command, runs) ?? [], runs),
        runsDefault: byDefault === undefined ? undefined : wholeNumber(byDefault, runsDefault),
      };
      if (readFile !== undefined) return printZaps(readFile, known, run, io);
      const stray = [runs, runsDefault].find((option) => isGiven(command, option));
      if (stray) throw new UsageError([`${stray.long}: needs --read`]);
      await printCost(isGiven(command, breakpoints), onlyValue(command, priceBook), run, io);
    });
  },
};

const reader = {
  read: async (text: string, runs?: ReadZapsOptions) =>
    (await import("../../src/automation-cost/read-zaps.ts")).readZapsAsInput(text, runs),
  recognisedBy: ["metadata", "zaps"],
};

async function printCost(
  breakpoints: boolean,
  priceBook: string | undefined,
  { sources, destination, isJson }: Run,
  io: Io,
): Promise<void> {
  const input = await readInput(sources, io, "zaps");
  const book = priceBook === undefined ? undefined : await readPriceBook(priceBook, io);
  const result = await runForInput(tool, input, { priceBook: book, breakpoints });
  await writeMessages(io, await warningMessages(result.warnings, input));
  if (isJson) return deliver({ text: toJsonText(result) }, destination, io);
  const { text } = tool.render(result);
  await deliver({ text: isPrinted(destination) ? wrapNotes(text, io) : text }, destination, io);
}

async function readPriceBook(path: string, io: Io) {
  const file = await readJson(path, io);
  return namingPlaces(fileInput(file), () => validate(PriceBookSchema, file.value));
}

/** Wraps the notes of the text, which begin with a dash, to the width of the terminal. */
const wrapNotes = (text: string, io: Io): string =>
  visibleLog(text).replace(/^- .*/gm, (note) => wrapForTerminal(note, io));

async function printZaps(file: string, runs: ReadZapsOptions, run: Run, io: Io): Promise<void> {
  const { printInputs } = await import("../input/other-format.ts");
  await printInputs(file, (text) => reader.read(text, runs), run, io);
}

/** Reads `Name=300`; a name may hold an equals sign. */
function runsByName(values: readonly string[], option: Option): Readonly<Record<string, number>> {
  const runs = new Map<string, number>();
  for (const value of values) {
    const [, name, number = ""] = /^(.+)=(.*)$/s.exec(value) ?? [];
    if (name === undefined) {
      throw new UsageError([`${option.long}: must be a name and a number: "Name=300"`]);
    }
    if (runs.has(name)) {
      throw new UsageError([`${option.long}: ${JSON.stringify(name)} is given twice`]);
    }
    runs.set(name, wholeNumber(number, option));
  }
  return Object.fromEntries(runs);
}

function wholeNumber(text: string, option: Option): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError([`${option.long}: must be a whole number`]);
  return Number(text);
}
