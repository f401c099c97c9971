import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/** Parsed JSON, or a part of it: a syntax node with offsets, and its value. */
export interface JsonTree {
  readonly node: Node;
  readonly value: unknown;
}

/** Thrown for invalid JSON, and for JSON that programs read in different ways. */
export class JsonTextError extends Error {
  override readonly name = "JsonTextError";
  readonly offset: number;
  /** Undefined if the JSON is valid but ambiguous. */
  readonly syntaxError: SyntaxErrorCode | undefined;

  constructor(reason: string, offset: number, syntaxError?: SyntaxErrorCode) {
    super(reason);
    this.offset = offset;
    this.syntaxError = syntaxError;
  }
}

type SyntaxErrorCode = ReturnType<typeof printParseErrorCode>;

/**
 * Parses JSON that may start with a byte order mark. Keeps every key, even `__proto__`.
 *
 * @throws {JsonTextError} for the first problem, such as a duplicate key.
 */
export function parseJsonTree(
  text: string,
  { comments = true, trailingCommas = true } = {},
): JsonTree {
  const errors: ParseError[] = [];
  const start = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  try {
    // The parser rejects a byte order mark, and removing it would change the offsets.
    const node = parseTree(" ".repeat(start) + text.slice(start), errors, {
      disallowComments: !comments,
      allowTrailingComma: trailingCommas,
    });
    const [error] = errors;
    if (error) {
      const code = printParseErrorCode(error.error);
      throw new JsonTextError(JSON_ERROR_REASONS[code] ?? "this is not JSON", error.offset, code);
    }
    if (!node) throw new JsonTextError("expected a value", start, "ValueExpected");
    return { node, value: toJsonValue(node) };
  } catch (error) {
    // The parser is recursive, so deep nesting overflows the stack.
    if (error instanceof RangeError) throw new JsonTextError(TOO_DEEP, start);
    throw error;
  }
}

/** Returns the offset after leading white space and comments. */
export function skipComments(text: string): number {
  const part = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
  let end = 0;
  while (part.test(text)) end = part.lastIndex;
  return end;
}

const BYTE_ORDER_MARK = "\ufeff";

function toJsonValue(node: Node, depth = 0): unknown {
  const { type, value, children = [] } = node;
  if (depth > MAX_JSON_DEPTH) throw new JsonTextError(TOO_DEEP, node.offset);
  if (type === "array") return children.map((child) => toJsonValue(child, depth + 1));
  if (type !== "object") return value;
  const members = new Map<string, unknown>();
  for (const { children: [key, member] = [] } of children) {
    if (!key || !member) continue;
    if (members.has(key.value)) {
      const reason = `the key ${JSON.stringify(key.value)} is given twice`;
      throw new JsonTextError(reason, key.offset);
    }
    members.set(key.value, toJsonValue(member, depth + 1));
  }
  // An assignment to "__proto__" would change the prototype instead.
  return Object.fromEntries(members);
}

export const TOO_DEEP = "is nested too deeply";

/** Deeper than any config, and within the stack of every engine. */
export const MAX_JSON_DEPTH = 1_000;

const JSON_ERROR_REASONS: Partial<Record<SyntaxErrorCode, string>> = {
  InvalidSymbol: "this is not JSON; strings and keys need double quotes",
  PropertyNameExpected: "expected a key in double quotes",
  ValueExpected: "expected a value",
  ColonExpected: "expected a colon",
  CommaExpected: "expected a comma",
  CloseBraceExpected: "expected a closing }",
  CloseBracketExpected: "expected a closing ]",
  EndOfFileExpected: "expected the end of the file after the first value",
  InvalidCommentToken: "comments are not allowed here",
  UnexpectedEndOfString: "the string is not closed; write a line break as \\n",
  InvalidEscapeCharacter: "this escape is not JSON; write a backslash as \\\\",
  InvalidCharacter: "write a control character in a string as an escape, such as \\t",
};
