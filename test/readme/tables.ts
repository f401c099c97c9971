import { tools, warningMeanings } from "../../schemas/index.ts";
import { fieldsOf } from "../../src/fields.ts";

type Row = readonly string[];

const markdown = (heading: Row, rows: readonly Row[]): string =>
  [heading, heading.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** A tool's fields, those of a list of objects in brackets: `filters[from, to, …]`. */
const fieldNames = (input: (typeof tools)[number]["input"]): string =>
  fieldsOf(input)
    .map(({ name, ...field }) => (field.kind === "items" ? `\`${name}[]\`` : `\`${name}\``))
    .join(", ");

/** The generated parts of the README, by the name of their markers. */
export const tables: Readonly<Record<string, string>> = {
  tools: markdown(
    ["command", "function", "input", "gives"],
    tools.map(({ command, function: name, input, text, title }) => [
      `\`handtools ${command}\``,
      `\`${name}()\``,
      fieldNames(input),
      `${title}: ${text.description}`,
    ]),
  ),
  warnings: markdown(
    ["tool", "code", "meaning"],
    tools.flatMap(({ name, command }) =>
      Object.entries(warningMeanings[name]).map(([code, meaning]) => [
        command,
        `\`${code}\``,
        meaning,
      ]),
    ),
  ),
};
