import fc from "fast-check";
import type {
  Client,
  ClientConfig,
  McpConfigInput,
  McpConfigResult,
} from "../../../schemas/index.ts";
import { extendedMcpConfigInput } from "../../../schemas/mcp-config.ts";
import { validate } from "../../../src/issues.ts";
import { writeConfigsInParts } from "../../../src/mcp-config/mcp-config.ts";
import type { ParsedServer } from "../../../src/mcp-config/mcp-server.ts";
import type { WrittenServer } from "../../../src/mcp-config/write-client-config.ts";

export function configOf(result: McpConfigResult, client: Client): ClientConfig {
  const config = result.clients.find((candidate) => candidate.client === client);
  if (!config) throw new Error(`the result has no ${client}`);
  return config;
}

/** A server as a client's file has it. */
export function writtenFor(
  client: Client,
  input: McpConfigInput,
  options: Parameters<typeof writeConfigsInParts>[1] = {},
): WrittenServer {
  const valid = validate(extendedMcpConfigInput, input);
  const [server] = writeConfigsInParts(valid, { ...options, clients: [client] }).parts;
  if (!server) throw new Error(`there is no ${client}`);
  return server;
}

/** What was read, with the servers as inputs alone. */
export const withInputs = <Rest extends object>({
  servers,
  ...rest
}: Rest & { readonly servers: readonly ParsedServer[] }) => ({
  ...rest,
  servers: servers.map(({ input }) => input),
  transports: servers.map(({ transport }) => transport),
});

/** The text with each `${NAME}` in another form. */
export const withReferences = (text: string, form: (name: string) => string): string =>
  text.replace(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => form(name));

/** The input with each `${NAME}` in another form, where it is a reference. */
export const referring = (
  { args, env, headers, ...input }: McpConfigInput,
  form: (name: string) => string,
): McpConfigInput => ({
  ...withUrl(input, form),
  ...(args && { args: args.map((arg) => withReferences(arg, form)) }),
  ...(env && { env: mapValues(env, form) }),
  ...(headers && { headers: mapValues(headers, form) }),
});

/** The input with each encoded `${NAME}` of its URL in a form. */
export const withUrl = (input: McpConfigInput, form: (name: string) => string): McpConfigInput =>
  input.url === undefined
    ? input
    : { ...input, url: input.url.replace(/(?:%24|\$)%7B(\w+)%7D/g, (_, name) => form(name)) };

const mapValues = (map: Record<string, string>, form: (name: string) => string) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, withReferences(value, form)]));

/** Bits of text at which quoting, escaping and expansion go wrong. */
const TRAPS = [
  ...[`'`, `"`, "\\", `"""`, `'''`, `\\"`, `'\\''`, "`", "!", "#", "=", ",", ";", "~", "*", "?"],
  ...["$", "${HOME}", "${env:HOME}", "$(id)", "$'", "%", "%41", "%PATH%", "&", "|", "<", ">", "^"],
  ...["\n", "\r\n", "\t", "\u001b[31m", "\u007f", "\u0085", "\u00a0", "\u00ad", "\u2028", "\ufeff"],
  ...["\u200b", "\u202e", "\u{e0041}", "\ufffe", "é", "漢", "👩‍👩‍👧", "\\u0041", "\\x41", "\\n"],
  ...[" ", "--", "-x", "a b", "__proto__", "]", "}", "\\", "\\\\"],
];

/** Any text that a process can be given. */
const hostileText = (max = 40): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...TRAPS), fc.string({ unit: "binary", maxLength: 3 })), {
      maxLength: 8,
    })
    .map((parts) => Array.from(parts.join("").replaceAll("\0", "")).slice(0, max).join(""));

const hostileLine = hostileText().map((value) => value.replace(/[\r\n]/g, ""));
const headerValue = fc.string({ unit: fc.constantFrom(...`\t "'\\$\{}!%&a:~`), maxLength: 12 });

const serverName = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/).filter((name) => name !== "__proto__"),
  fc.constantFrom("constructor", "toString", "-x", "--", "123", "a__b", "workspace"),
);
const PLAIN_NAMES = ["A", "_x", "PATH", "constructor", "toString", "hasOwnProperty"];
export const SECRET_NAMES = ["API_KEY", "AuthToken", "my_password"];
const headerNames = ["X-A", "1", "-", "constructor", "Authorization", "X-Api-Key"];

const url = fc
  .tuple(
    fc.constantFrom("http://", "https://"),
    fc.constantFrom("localhost:8080", "127.0.0.1", "[::1]:3000", "example.com", "a.b:1"),
    fc.constantFrom("", "/", "/mcp", "/it's/$HOME/%25/a+b", "/(x)!*"),
    fc.constantFrom("", "?a=1&b=2", "?token=%22x%22", "?q='a';b=$(id)", "#f"),
  )
  .map((parts) => parts.join(""));

export const localInput: fc.Arbitrary<McpConfigInput & { command: string }> = fc.record(
  {
    name: serverName,
    command: hostileText().filter((command) => command.trim() !== ""),
    args: fc.array(hostileText(), { maxLength: 6 }),
    env: fc.dictionary(fc.constantFrom(...PLAIN_NAMES, ...SECRET_NAMES), hostileLine, {
      maxKeys: 5,
    }),
  },
  { requiredKeys: ["name", "command"] },
);

export const remoteInput: fc.Arbitrary<McpConfigInput & { url: string }> = fc.record(
  {
    name: serverName,
    url,
    headers: fc.dictionary(fc.constantFrom(...headerNames), headerValue, { maxKeys: 4 }),
  },
  { requiredKeys: ["name", "url"] },
);
