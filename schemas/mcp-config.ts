import * as v from "valibot";
import type { WarningCode } from "./codes.ts";
import {
  closedObject,
  described,
  isJsonObject,
  list,
  MAX_SERVER_NAME_LENGTH,
  type ReadonlyLists,
  text,
  textUpTo,
  toServerName,
  uri,
} from "./common.ts";
import { defineContract, resultList, resultObject, warningsSchema } from "./contract.ts";

const NO_LINE_BREAK = /^[^\r\n]*$/;
const MAX_VALUE_LENGTH = 2000;

const mapValue = v.pipe(
  v.string("must be a string"),
  v.maxCodePoints(MAX_VALUE_LENGTH, "must have at most 2,000 characters"),
  v.regex(NO_LINE_BREAK, "must be without line breaks"),
);

/** A map of strings. Like `recordOf`, it keeps all keys. */
const textMap = (name: RegExp, nameIs: string) =>
  v.pipe(
    v.custom<Record<string, string>>(isJsonObject, "must be an object"),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const [key, value] of Object.entries<unknown>(dataset.value)) {
        const place = {
          type: "unknown",
          origin: "value",
          input: dataset.value,
          key,
          value,
        } as const;
        const report = (message: string) => addIssue({ message, path: [place] });
        if (!name.test(key)) report(`the name must be ${nameIs}`);
        const checked = v.safeParse(mapValue, value, { abortPipeEarly: true });
        if (!checked.success) report(checked.issues[0].message);
      }
    }),
    v.metadata({
      type: "object",
      propertyNames: { type: "string", pattern: name.source },
      additionalProperties: {
        type: "string",
        maxLength: MAX_VALUE_LENGTH,
        pattern: NO_LINE_BREAK.source,
      },
    }),
  );

const headers = (name: RegExp, nameIs: string) =>
  v.optional(
    described(
      textMap(name, nameIs),
      "For a remote server: HTTP headers, such as Authorization. ${NAME} as in args: Bearer ${TOKEN}.",
    ),
  );

const INPUT_ENTRIES = {
  name: v.pipe(
    v.string(),
    v.regex(new RegExp(`^[A-Za-z0-9_-]{1,${MAX_SERVER_NAME_LENGTH}}$`), ({ input }) => {
      const usable = toServerName(input);
      return `must be 1 to ${MAX_SERVER_NAME_LENGTH} letters, digits, - or _${usable === undefined ? "" : `, such as ${usable}`}`;
    }),
    v.description("The server's name in the config: letters, digits, - and _."),
  ),
  command: v.optional(described(text(1, 500), "For a local server: the program to start.")),
  args: v.optional(
    described(
      list(textUpTo(1000), { max: 50 }),
      "For a local server: the program's arguments, one item each. ${NAME} stands for a variable of the environment in which the client runs.",
    ),
  ),
  env: v.optional(
    described(
      textMap(
        /^[A-Za-z_][A-Za-z0-9_]{0,99}$/,
        "1 to 100 letters, digits or _, not starting with a digit",
      ),
      "For a local server: environment variables. ${NAME} as in args.",
    ),
  ),
  url: v.optional(
    described(
      v.pipe(v.string(), uri()),
      "For a remote server: its http or https URL. Leave command out. Write ${NAME} encoded, as %24%7BNAME%7D.",
    ),
  ),
  headers: headers(
    /^[A-Za-z0-9-]{1,100}$/,
    "1 to 100 letters, digits or -; many servers drop headers whose names contain _; check whether yours accepts - instead",
  ),
};

/** The input after validation. It is a copy with the same fields, because none has a default. */
export interface ValidMcpConfigInput
  extends v.InferOutput<v.StrictObjectSchema<typeof INPUT_ENTRIES, undefined>> {}
/** One MCP server: `command` for a local server, `url` for a remote one. */
export interface McpConfigInput
  extends ReadonlyLists<v.InferInput<v.StrictObjectSchema<typeof INPUT_ENTRIES, undefined>>> {}

export const mcpConfigInput: v.GenericSchema<McpConfigInput, ValidMcpConfigInput> =
  closedObject(INPUT_ENTRIES);

/** Also allows what clients' files contain: any header name, and variables in a URL. */
export const extendedMcpConfigInput: typeof mcpConfigInput = closedObject({
  ...INPUT_ENTRIES,
  url: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (url) => uri().requirement(resolveUrlVariables(url)),
        "must be an absolute URL, such as https://example.com/mcp or ${BASE_URL}/mcp, with other characters percent-encoded",
      ),
      v.description(
        "For a remote server: its http or https URL. Leave command out. ${NAME} as in args.",
      ),
    ),
  ),
  headers: headers(
    /^[!#$%&'*+.^_`|~A-Za-z0-9-]{1,100}$/,
    "1 to 100 letters, digits or any of !#$%&'*+-.^_`|~",
  ),
});

/** Replaces each variable with its default, as in `${NAME:-https://a.example}`, or a valid value. */
export function resolveUrlVariables(url: string): string {
  const authority = /^[^/?#]*\/\/[^/?#]*/.exec(url)?.[0] ?? "";
  return url.replace(
    /\$\{([^{}\s]*)\}|(?:\$|%24)%7B\w+%7D/gi,
    (variable: string, inner = "", at: number) => {
      const [, preset = ""] = /^\w+:-(.*)$/.exec(inner) ?? [];
      if (preset !== "") return preset;
      if (at === 0) return url.startsWith("://", variable.length) ? "https" : "https://x";
      const isPort = url[at - 1] === ":" && at <= authority.length;
      return isPort ? "1" : "x";
    },
  );
}

/** Streamable HTTP, and the older SSE. */
export const REMOTE_TRANSPORTS = ["http", "sse"] as const;
export const TRANSPORTS = ["stdio", ...REMOTE_TRANSPORTS] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** The AI clients that every result includes, in this order. */
export const CLIENTS = ["claude-desktop", "claude-code", "cursor", "vscode", "codex"] as const;

/** All supported clients. */
export const ALL_CLIENTS = [
  ...CLIENTS,
  "copilot-cli",
  "opencode",
  "gemini-cli",
  "zed",
  "lm-studio",
  "kiro",
  "qwen-code",
  "junie",
  "antigravity",
  "copilot-jetbrains",
  "cline",
  "windsurf",
  "devin",
  "kilo-code",
] as const;

/** An option of the call, not a field of the input. */
export const clientsSchema = v.pipe(
  v.array(v.picklist(ALL_CLIENTS)),
  v.minLength(1),
  v.description(`The clients to write for, instead of ${CLIENTS.join(", ")}.`),
);

/** The identifier of an AI client. */
export type Client = (typeof ALL_CLIENTS)[number];

const configResultSchema = () =>
  v.strictObject({
    name: described(v.string(), "The server's name."),
    transport: described(
      v.picklist(TRANSPORTS),
      "stdio: a local server; http: a remote server (Streamable HTTP); sse: a remote server with the older transport.",
    ),
    clients: resultList("One per client, in a fixed order.", {
      client: described(v.picklist(ALL_CLIENTS), "The client's identifier."),
      title: described(v.string(), "The client's name, such as Claude Desktop."),
      source: described(v.string(), "The page that the config follows."),
      verified: described(
        v.string(),
        "The date and the client's version that we tested, or documented.",
      ),
      format: described(v.picklist(["json", "toml"]), "The format of the client's file."),
      locations: resultList("The paths where the client looks for its file.", {
        scope: described(
          v.picklist(["user", "project"]),
          "For all projects of the user, or for one.",
        ),
        os: described(
          v.picklist(["macos", "windows", "linux"]),
          "The operating system of this path.",
        ),
        path: described(
          v.string(),
          "~ and %NAME% are the user's folders; other paths are relative to the project.",
        ),
      }),
      snippet: described(v.string(), "The whole file, ready to paste."),
      entry: described(
        v.string(),
        "For a file that has other servers: the member to add to the object of servers, or the TOML tables to append.",
      ),
      install: resultObject(
        "Commands and a link that add the server, where they are known to work.",
        {
          bash: v.optional(described(v.string(), "A command for bash and other POSIX shells.")),
          powershell: v.optional(described(v.string(), "The same command for PowerShell.")),
          link: v.optional(described(v.string(), "A link that opens the client.")),
        },
      ),
      notes: described(v.array(v.string()), "Notes, in sentences."),
    }),
    warnings: warningsSchema<WarningCode<"mcp_config_generator">>(),
  });

/** The result of `createMcpConfig()`: the server's config for each client. */
export interface McpConfigResult extends v.InferOutput<ReturnType<typeof configResultSchema>> {}
/** The server's config for one client. */
export type ClientConfig = McpConfigResult["clients"][number];
/** A path where the client looks for its config. */
export type ClientLocation = ClientConfig["locations"][number];

/** The contract of the MCP config generator. */
export const mcpConfigContract = /*#__PURE__*/ defineContract({
  name: "mcp_config_generator",
  title: "MCP config generator",
  description:
    "Writes the config of one MCP server for Claude Desktop, Claude Code, Cursor, VS Code and Codex, or for other clients that you name. Give command, args and env for a local server, or url and headers for a remote one; get each client's file locations, a paste-ready snippet, install commands and links, and warnings.",
  command: "mcp-config",
  function: "createMcpConfig",
  input: mcpConfigInput,
  extended_input: extendedMcpConfigInput,
  clients: clientsSchema,
  output: /*#__PURE__*/ configResultSchema() as v.GenericSchema<McpConfigResult>,
  example_input: {
    name: "files",
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/notes"],
  },
  prints: "the snippets of the five clients, with headings",
  sensitive: true,
});
