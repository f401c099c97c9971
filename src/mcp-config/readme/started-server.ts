import type { McpConfigInput } from "../../../schemas/mcp-config.ts";
import { isObject } from "../values.ts";

/** A server as all clients' links to it have it in common. */
export interface StartedServer {
  /** The command line or the URL, and the names of variables and headers; equal for the same server. */
  readonly shown: string;
  /** The package or the URL alone. */
  readonly key: string;
  readonly isCommandLine: boolean;
}

/** The server that an entry starts, in one form for the spellings of all clients. */
export function startedServer(
  entry: Readonly<Record<string, unknown>> | McpConfigInput,
): StartedServer {
  const { command, args, env, url, headers }: Record<string, unknown> = { ...entry };
  const list = Array.isArray(args) ? args.map(String) : [];
  const isCommandLine = typeof command === "string" && list.length === 0 && /\S\s+\S/.test(command);
  // `cmd /c npx` is npx on Windows; `-y` only answers a question, and npx takes the latest version anyway.
  const line = withoutPlaceholder([command ?? "", ...list].join(" "))
    .trim()
    .replace(/\s+/g, " ")
    .replace(/^cmd \/c /i, "")
    .replace(/ (?:-y|--yes)(?= |$)/g, "")
    .replace(/^(npx .*?)@latest(?= |$)/, "$1");
  const names = (map: unknown) => (isObject(map) ? Object.keys(map).sort() : []);
  const target = typeof url === "string" ? withoutPlaceholder(url).replace(/\/$/, "") : "";
  const shown = [
    target === "" ? line : target,
    ...names(env).map((name) => `${name}=…`),
    ...names(headers).map((name) => `${name}: …`),
  ].join(" ");
  const key = target === "" ? identifierIn(line.split(" ")) : target;
  return { shown, key, isCommandLine };
}

/** Values that a user fills in are the same, however a client asks for them. */
const withoutPlaceholder = (text: string): string =>
  text.replace(
    /\$\{[^}]*\}|\{env:\w+\}|%24%7B\w+%7D|<[^>]*>|\bYOUR[_-][\w-]*|\byour[_-][\w-]*/g,
    "…",
  );

/** The package among the words, without its version. */
function identifierIn([program = "", ...words]: readonly string[]): string {
  const name = words.find((word) => !word.startsWith("-") && word !== "run") ?? "";
  return `${program} ${name.replace(/(?<=.)(?:@[^/@]*|==.*)$/, "")}`;
}
