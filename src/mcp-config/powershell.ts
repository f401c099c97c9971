import { unicodeEscape } from "./json.ts";

/** cmd.exe, which runs `code.cmd`, takes no longer line. */
const LONGEST_LINE = 8000;

/**
 * A line for PowerShell on Windows that gives a `.cmd` program one JSON argument; undefined when
 * it would be too long.
 *
 * PowerShell drops the inner quotes of an argument unless they are written `\"`
 * (microsoft/vscode#279280). Every character that PowerShell, cmd.exe or the program's own
 * splitting could take for its own is written as JSON's `\uXXXX`.
 */
export function powershellJsonLine(command: string, value: unknown): string | undefined {
  const json = JSON.stringify(value)
    .replace(/\\["\\]|[^ -~]|[%&<>^|!'`]/g, (match) => unicodeEscape(match.slice(-1)))
    .replaceAll('"', '\\"');
  const line = `${command} '${json}'`;
  return line.length > LONGEST_LINE ? undefined : line;
}
