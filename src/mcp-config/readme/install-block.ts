/** A README without exactly one pair of markers. */
export class ReadmeMarkerError extends Error {
  override readonly name = "ReadmeMarkerError";
}

/** The comments around the section. */
const OPEN = "<!-- handtools:install -->";
const CLOSE = "<!-- /handtools:install -->";

/**
 * Puts a section between the two markers of a README. Every other byte stays, and the section gets the
 * file's line ends and the marker's indentation.
 *
 * @throws {ReadmeMarkerError} without exactly one pair of markers outside of code.
 */
export function replaceInstallBlock(readme: string, markdown: string): string {
  const [open, close, ...more] = findMarkers(readme);
  if (!open) {
    throw new ReadmeMarkerError(
      `has no place for the section; add a line ${OPEN}, and below it a line ${CLOSE}`,
    );
  }
  if (open.text !== OPEN || close?.text !== CLOSE || more.length > 0) {
    throw new ReadmeMarkerError(`must have ${OPEN} once, and ${CLOSE} once after it`);
  }
  const end = /\r?\n/.exec(readme)?.[0] ?? "\n";
  const lines = markdown
    .trimEnd()
    .split("\n")
    .map((line) => (line === "" ? "" : open.indent + line));
  const section = ["", ...lines, ""].map((line) => line + end).join("");
  return readme.slice(0, open.after) + section + readme.slice(close.before);
}

interface Marker {
  readonly text: string;
  readonly indent: string;
  /** The offsets of the marker's line and of the next line. */
  readonly before: number;
  readonly after: number;
}

/** The lines that are markers; one in a block of code is text. */
function findMarkers(readme: string): Marker[] {
  const markers: Marker[] = [];
  for (const { text, offset, next } of linesOutsideCode(readme)) {
    const trimmed = text.trim();
    if (trimmed !== OPEN && trimmed !== CLOSE) continue;
    const indent = /^\s*/.exec(text)?.[0] ?? "";
    markers.push({ text: trimmed, indent, before: offset, after: next });
  }
  return markers;
}

/** The lines of a Markdown text that are in no fenced block of code. */
function* linesOutsideCode(text: string): Generator<{
  readonly text: string;
  readonly offset: number;
  readonly next: number;
}> {
  let fence = "";
  for (const { 0: whole, 1: content = "", index } of text.matchAll(/([^\n]*)(?:\n|$)/g)) {
    if (whole === "") break;
    const [, mark = ""] = /^\s*(?:>\s*)*(`{3,}|~{3,})/.exec(content) ?? [];
    if (fence === "" && mark !== "") fence = mark;
    else if (fence !== "") {
      const isEnd = mark.startsWith(fence) && content.trim().replace(/^(?:>\s*)*/, "") === mark;
      if (isEnd) fence = "";
    } else yield { text: content, offset: index, next: index + whole.length };
  }
}
