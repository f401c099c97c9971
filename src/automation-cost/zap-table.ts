import papaparse from "papaparse";
import type { WarningCode } from "../../schemas/codes.ts";
import type { Warning } from "../../schemas/index.ts";
import { actionStepsSchema, runsPerMonthSchema } from "../../schemas/inputs/automation-cost.ts";
import { Diagnostics } from "../issues.ts";
import { listSome, plural, thousands } from "../text.ts";
import { findProblem } from "../validate.ts";
import { shortTitle } from "./zapfile.ts";

/** The Zaps of a table, and its rows that are not read. */
export interface ZapTable {
  readonly zaps: ReadZap[];
  readonly left_out: LeftOutRow[];
  readonly warnings: readonly Warning[];
}

/** A Zap of a file. */
export interface ReadZap {
  readonly name?: string;
  readonly action_steps: number;
  readonly runs_per_month: number;
}

interface LeftOutRow {
  readonly name: string;
  /** The row in the table, counted from 1 with blank rows. */
  readonly row: number;
  readonly reason: string;
  readonly severity: Warning["severity"];
}

/**
 * Parses a table of Zaps: comma-, semicolon- or tab-separated, with or without a heading. It takes
 * only what the text says for sure, because a wrong number gives a wrong price.
 *
 * @returns the reasons, as strings, for a text that is not such a table.
 */
export function parseZapTable(text: string): ZapTable | readonly string[] {
  const lines = text.replace(/\r\n?/g, "\n");
  const breaks = lines.length - lines.replaceAll("\n", "").length;
  if (breaks > MAX_LINES) {
    return [`has ${plural(breaks, "line")}; a table has at most ${thousands(MAX_LINES)}`];
  }
  if (lines.length > MAX_CHARACTERS) return ["has more than 1 MiB, which is too much for a table"];
  // Excel marks the separator in a line of its own.
  const [mark = "", named] = /^sep=(.)(?=\n)/i.exec(lines) ?? [];
  const { data, errors, meta } = papaparse.parse(lines.slice(mark.length), {
    delimiter: named,
    delimitersToGuess: ["\t", ";", ","],
    newline: "\n",
  });
  const broken = errors.find(({ type }) => type === "Quotes");
  if (broken) {
    return [
      `has a cell in row ${Number(broken.row) + 1} that begins with a quote and does not end with one; write a quote within a cell twice`,
    ];
  }
  const rows = data
    .map((cells, index): Row => ({ number: index + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const layout = findLayout(rows);
  return "columns" in layout ? readRows(rows, layout, meta.delimiter) : layout;
}

/** The most lines of a table: ten for each Zap that the calculator takes. */
const MAX_LINES = 10_000;

/** The most characters: a thousand for each Zap. The parser needs 200 bytes of memory for a stray quote. */
const MAX_CHARACTERS = 1_024 * 1_024;

interface Row {
  readonly number: number;
  /** The cells, without outer spaces. */
  readonly cells: readonly string[];
}

interface Layout {
  /** The index of the heading; -1 for a table without one. */
  readonly heading: number;
  readonly width: number;
  /** The index of the column; -1 if the table does not have it. */
  readonly columns: Readonly<Record<NumberField | "name" | "status", number>>;
}

const NUMBER_FIELDS = ["action_steps", "runs_per_month"] as const;

type NumberField = (typeof NUMBER_FIELDS)[number];

/** The plain words of a heading that means the field for sure, and of one that may. */
const HEADINGS = {
  action_steps: {
    schema: actionStepsSchema,
    sure: /^(?:(?:number )?of )?(?:zap )?(?:action steps|steps|actions)(?: (?:per|a|each) (?:run|zap))?(?: that do something)?$|^(?:action|step) count$/,
    perhaps: /step|action|task/,
    title: "the action steps",
  },
  runs_per_month: {
    schema: runsPerMonthSchema,
    sure: /^(?:(?:number )?of )?(?:zap )?runs$|^(?:(?:average|avg|estimated|est) )?(?:monthly (?:zap )?runs|(?:zap )?(?:runs|times)(?: (?:per|a|each|every|in a|last|in the last))? (?:month|mo|30 ?d(?:ays)?))(?: (?:average|avg|estimated|est))?$/,
    perhaps: /run|month|times|volume|execution/,
    title: "the runs a month",
  },
} as const;

const NAMES = ["zap name", "zap title", "zap", "name", "title", "automation"];

/** Finds the columns in the first row that names both, or says why that is not sure. */
function findLayout(rows: readonly Row[]): Layout | readonly string[] {
  const headings = rows.slice(0, MAX_TITLES).map(({ cells }) => cells.map(plainWords));
  const heading = headings.findIndex((words) =>
    NUMBER_FIELDS.every((field) => findColumns(field, words).length > 0),
  );
  const [first] = rows;
  if (heading < 0 && first && isData(first)) {
    const columns = { name: 0, action_steps: 1, runs_per_month: 2, status: -1 };
    return { heading, width: 3, columns };
  }
  const words = headings[heading] ?? headings.find(isLikeHeading);
  if (!words) return [NO_ZAPS];
  const { cells } = rows[headings.indexOf(words)] ?? { cells: [] };
  const reasons = NUMBER_FIELDS.flatMap((field) => whyUnsure(field, words, cells));
  if (reasons.length > 0) return reasons;
  const [action_steps = -1, runs_per_month = -1] = NUMBER_FIELDS.flatMap((f) =>
    findColumns(f, words),
  );
  const named = NAMES.map((name) => words.indexOf(name)).find((index) => index >= 0);
  const name = named ?? words.findIndex((word) => /name|zap|title/.test(word));
  const status = words.findIndex((word) => STATUS.test(word));
  return { heading, width: cells.length, columns: { name, status, action_steps, runs_per_month } };
}

/** The number of rows in which a heading is looked for: titles may precede it. */
const MAX_TITLES = 10;

/** True for a row of a Zap, and not for a heading of months, whose 2026-09 is not a number of steps. */
const isData = ({ cells: [, steps, runs = ""] }: Row): boolean =>
  findProblem(actionStepsSchema, Number(steps)) === undefined && /^\d/.test(runs);

const STATUS = /^(?:zap )?(?:status|state)$|^(?:is )?(?:on|enabled|active)$/;

const NO_ZAPS =
  "has no Zaps: expected the columns Zap, Steps and Runs (CSV), or Zapier's zapfile.json";

const plainWords = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%]+/gu, " ")
    .trim();

const findColumns = (field: NumberField, words: readonly string[]): readonly number[] =>
  words.flatMap((name, index) => (HEADINGS[field].sure.test(name) ? index : []));

const isLikeHeading = (words: readonly string[]): boolean =>
  words.length > 1 &&
  (NUMBER_FIELDS.some((field) => findColumns(field, words).length > 0) ||
    NUMBER_FIELDS.every((field) => words.some((name) => HEADINGS[field].perhaps.test(name))));

function whyUnsure(
  field: NumberField,
  words: readonly string[],
  cells: readonly string[],
): readonly string[] {
  const { title, perhaps } = HEADINGS[field];
  const named = (indexes: readonly number[]) => indexes.map((index) => quoteCell(cells[index]));
  const columns = findColumns(field, words);
  if (columns.length === 1) return [];
  if (columns.length > 1) {
    return [
      `has several columns of ${title}, ${listSome(named(columns))}; name only one of them so`,
    ];
  }
  const others = NUMBER_FIELDS.flatMap((other) => findColumns(other, words));
  const candidates = words.flatMap((name, index) =>
    perhaps.test(name) && !others.includes(index) ? index : [],
  );
  return candidates.length === 0
    ? [`has no column of ${title}; name it ${field}`]
    : [
        `has no column that is ${title} for sure; if it is ${listSome(named(candidates), "or")}, name that ${field}`,
      ];
}

const quoteCell = (cell = ""): string =>
  JSON.stringify(cell.length > MAX_SHOWN ? `${cell.slice(0, MAX_SHOWN)}…` : cell);

const MAX_SHOWN = 40;

/** @param separator of the cells, which tells how a table writes thousands. */
function readRows(rows: readonly Row[], layout: Layout, separator: string): ZapTable {
  const { heading, width, columns } = layout;
  const diagnostics = Diagnostics.start<WarningCode<"automation_cost_calculator">>();
  const zaps: ReadZap[] = [];
  const left_out: LeftOutRow[] = [];
  const rowsByName = new Map<string, number>();
  let runs = 0;
  for (const [index, { number, cells }] of rows.entries()) {
    const name = shortTitle(cells[columns.name] ?? "");
    const leaveOut = (reason: string, severity: Warning["severity"] = "warning") =>
      left_out.push({ name, row: number, reason, severity });
    if (index <= heading) {
      // A row with one cell is a title.
      if (index < heading && cells.filter(Boolean).length > 1) leaveOut("is above the heading");
      continue;
    }
    if (cells.length !== width) {
      const wanted = heading < 0 ? "three without a heading" : `the heading has ${width}`;
      leaveOut(
        `has ${plural(cells.length, "cell")} (${wanted}); a cell with the separator in it needs quotes`,
      );
    } else if (OFF.test(cells[columns.status] ?? "")) leaveOut("is switched off", "info");
    else if (TOTAL.test(name)) leaveOut("is a total by its name", "info");
    else {
      const zap = parseNumbers(cells, layout, separator);
      if (typeof zap === "string") leaveOut(zap);
      else if (name === "" && zaps.length > 1 && zap.runs_per_month === runs) {
        leaveOut("has no name, and the runs of all rows above");
      } else {
        const earlier = rowsByName.get(name);
        if (name !== "" && earlier !== undefined) {
          const message = `has the same name as row ${earlier}: the runs of both rows are counted`;
          diagnostics.at("zaps", zaps.length).warn("title-repeated", message);
        }
        rowsByName.set(name, number);
        zaps.push({ ...(name !== "" && { name }), ...zap });
        runs += zap.runs_per_month;
      }
    }
  }
  return { zaps, left_out, warnings: diagnostics.warnings };
}

const OFF = /^(?:off|paused|draft|disabled|inactive|stopped|false|no)$/i;

const TOTAL = /^(?:(?:grand|sub)[ -]?)?(?:total|sum|average)s?:?$/i;

/** @returns the reason, as a string, for a row that is not read. */
function parseNumbers(
  cells: readonly string[],
  { columns }: Layout,
  separator: string,
): Omit<ReadZap, "name"> | string {
  const action_steps = parseNumber("action_steps", cells[columns.action_steps], separator);
  if (typeof action_steps === "string") return action_steps;
  const runs_per_month = parseNumber("runs_per_month", cells[columns.runs_per_month], separator);
  if (typeof runs_per_month === "string") return runs_per_month;
  return { action_steps, runs_per_month };
}

/**
 * A whole number, with or without thousands separators. A dot or a comma before three digits may be
 * a decimal mark as well: where the decimal mark is a comma, spreadsheets separate cells by semicolons.
 */
function parseNumber(field: NumberField, cell = "", separator: string): number | string {
  const found = /^\d{1,12}$|^[1-9]\d{0,2}(?:([\s.,'’])\d{3})(?:\1\d{3}){0,2}$/.exec(cell);
  const decimalMark = separator === ";" ? "," : ".";
  const title = HEADINGS[field].title;
  if (!found || (found[1] === decimalMark && cell.split(decimalMark).length === 2)) {
    return `has ${quoteCell(cell)} as ${title}, and needs a whole number without separators`;
  }
  const number = Number(cell.replace(/\D/g, ""));
  const problem = findProblem(HEADINGS[field].schema, number);
  return problem === undefined ? number : `has ${thousands(number)} as ${title}, which ${problem}`;
}
