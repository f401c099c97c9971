import { styleText } from "node:util";

/** A help text for a terminal: bold headings, and terms in another style than their descriptions. */
export const styledHelp = (help: string): string =>
  help
    .split("\n")
    .map((line) =>
      line
        .replace(/^(?:[A-Z][\w ,']*:$|Usage:)/, (heading) => style("bold", heading))
        .replace(
          /^( {2})((?:[-~a-z]|[A-Z_]+(?= ))\S*(?: \S+)*)(?= {2,}|$)/,
          (_, indent, term) => `${indent}${style("cyan", term)}`,
        ),
    )
    .join("\n");

/** Wraps a text in the escape codes of a style. */
export const style = (name: Parameters<typeof styleText>[0], text: string): string =>
  styleText(name, text, { validateStream: false });
