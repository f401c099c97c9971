import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { UsageError } from "../errors.ts";

/**
 * Parses JSON that may have comments and trailing commas. Every key is kept, also "__proto__".
 *
 * @param name what to call the text in messages.
 * @throws {UsageError} with "name:line:column: reason", also for a key given twice, or for no text.
 */
export function parseJsonText(text: string, name: string): unknown {
  const refuse = (offset: number, reason: string) =>
    new UsageError([`${name}:${position(text, offset)}: ${reason}`]);
  try {
    if (text.trim() === "") throw new UsageError([`${name}: is empty`]);
    const errors: ParseError[] = [];
    const tree = parseTree(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first) throw refuse(first.offset, REASONS[printParseErrorCode(first.error)]);
    if (!tree) throw refuse(0, "expected a value");
    return toValue(tree, refuse);
  } catch (error) {
    // The parser is recursive.
    if (error instanceof RangeError) throw new UsageError([`${name}: is nested too deeply`]);
    throw error;
  }
}

/** Line and column as editors count them, from 1. */
function position(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
}

type Refuse = (offset: number, reason: string) => UsageError;

function toValue({ type, value, children = [] }: Node, refuse: Refuse): unknown {
  if (type === "array") return children.map((child) => toValue(child, refuse));
  if (type !== "object") return value;
  const entries = new Map<string, unknown>();
  for (const { children: [key, member] = [] } of children) {
    if (!key || !member) continue;
    if (entries.has(key.value)) {
      throw refuse(key.offset, `the key ${JSON.stringify(key.value)} is given twice`);
    }
    entries.set(key.value, toValue(member, refuse));
  }
  // Unlike an assignment, fromEntries makes "__proto__" a key like any other.
  return Object.fromEntries(entries);
}

const REASONS: Record<ReturnType<typeof printParseErrorCode>, string> = {
  InvalidSymbol: "this is not JSON; texts and keys stand in double quotes",
  InvalidNumberFormat: "this is not a number of JSON",
  PropertyNameExpected: "expected a key in double quotes",
  ValueExpected: "expected a value",
  ColonExpected: "expected a colon",
  CommaExpected: "expected a comma",
  CloseBraceExpected: "expected a closing }",
  CloseBracketExpected: "expected a closing ]",
  EndOfFileExpected: "expected the end after the first value",
  InvalidCommentToken: "comments are not allowed here",
  UnexpectedEndOfComment: "the comment is not closed",
  UnexpectedEndOfString: "the text is not closed; its line break is written \\n",
  UnexpectedEndOfNumber: "the number is not finished",
  InvalidUnicode: "\\u needs four hexadecimal digits",
  InvalidEscapeCharacter: "this escape is not JSON; a backslash is written \\\\",
  InvalidCharacter: "a control character in a text is written as an escape, such as \\t",
  "<unknown ParseErrorCode>": "this is not JSON",
};
