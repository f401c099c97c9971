import { expect } from "bun:test";
import fc from "fast-check";
import { stripComments } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import {
  addServerToText,
  type FileEdit,
  removeServerFromText,
} from "../../../../cli/mcp/edit/edit-config.ts";
import type { Client, McpConfigInput } from "../../../../schemas/index.ts";
import { ConfigFileError } from "../../../../src/mcp-config/parse/find-servers.ts";
import { writtenFor } from "../../../src/mcp-config/support.ts";

/* Properties of an install and an uninstall in random files: each is tried on one file. */

const files: McpConfigInput = { name: "files", command: "npx", args: ["-y", "files"] };

/** Clients that take comments and trailing commas, with the key of their servers. */
const JSON_CLIENTS = { cursor: "mcpServers", vscode: "servers", opencode: "mcp" } as const;
type JsonClient = keyof typeof JSON_CLIENTS;

/** @returns undefined for a file that is rejected, for a reason that the file gives. */
function install(before: string, client: Client): FileEdit | undefined {
  try {
    return addServerToText(before, writtenFor(client, files), { replace: true });
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    // An edit that comes out wrong is rejected too, and never needs to be.
    if (client === "codex") expect(() => parseToml(before)).toThrow();
    else
      expect(error.message).toMatch(
        /^(the key .* is given twice|has the server .* twice|.* must be an object)/,
      );
    return undefined;
  }
}

const jsonClient = fc.constantFrom<JsonClient>("cursor", "vscode", "opencode");

/** JSON with comments, odd white space and tricky strings. */
const key = fc.constantFrom(
  "a",
  "b",
  "mcpServers",
  "servers",
  "mcp",
  "files",
  "//",
  "x\\n",
  "é",
  "__proto__",
  '\\"',
);
const space = fc.constantFrom("", " ", "\n", "\t", "\r\n", " /* { */ ", '// "x\n', "\n  ");
const scalar = fc.constantFrom("1", "-0.5e3", "true", "null", '"},{"', '"// no"', '"\\\\"', '"é"');
const { object } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, scalar, tie("object"), fc.constant("[1, [2]]")),
  object: fc
    .tuple(
      fc.array(fc.tuple(space, key, space, tie("value"), space), { maxLength: 4 }),
      fc.boolean(),
      space,
    )
    .map(([members, trailing, last]) => {
      const written = members.map(([a, name, b, value, c]) => `${a}"${name}":${b}${value}${c}`);
      const comma = trailing && members.length > 0 ? "," : "";
      return `{${written.join(",")}${comma}${last}}`;
    }),
}));

/** JSON with comments, whatever its form, is rejected, or changes by exactly one entry and back. */
export const randomJson = fc.property(jsonClient, object, (client, before) => {
  const edit = install(before, client);
  if (!edit) return;
  const key = JSON_CLIENTS[client];
  const { entry } = writtenFor(client, files);
  const root = parseJsonc(before);
  const outer = Object.hasOwn(root, key) ? root[key] : {};
  // opencode 2 has its servers one level deeper.
  const { servers: inner = {}, ...besides } = client === "opencode" ? outer : {};
  const isObject = (value: unknown) => Object.prototype.toString.call(value) === "[object Object]";
  const outside = Object.keys(besides).filter((name) => isObject(besides[name]));
  const isInner =
    client === "opencode" &&
    isObject(inner) &&
    !outside.includes("files") &&
    Object.keys(inner).length > 0;
  const servers = isInner ? inner : outer;
  const rootWith = (changed: object) =>
    JSON.stringify(sorted({ ...root, [key]: isInner ? { ...outer, servers: changed } : changed }));
  expect(withoutEmpty(meaning(edit.text))).toBe(
    withoutEmpty(rootWith({ ...servers, files: entry })),
  );
  const { files: _, ...others } = servers;
  const removed = meaning(removeServerFromText(edit.text, client, "files").text);
  // Objects that are empty then go too, unless there is a comment in them.
  expect(withoutEmpty(removed)).toBe(withoutEmpty(rootWith(others)));
});

/** The parser of jsonc-parser would make `__proto__` the prototype; `JSON.parse` keeps it as a key. */
const parseJsonc = (text: string) =>
  JSON.parse(stripComments(text).replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, "$1"));

/** Sorted JSON without the members that are empty objects. */
const withoutEmpty = (json: string): string => {
  const less = json.replace(/\["(?:mcpServers|servers|mcp)",\[\]\],?/g, "").replaceAll(",]", "]");
  return less === json ? json : withoutEmpty(less);
};

const meaning = (text: string): string => JSON.stringify(sorted(parseJsonc(text)));

/** With the keys of objects in order. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, member]) => [name, sorted(member)]);
}

/** A file as programs write it, in which there are servers already. */
const ordinary = fc.record({
  client: jsonClient,
  before: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
  servers: fc.option(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })),
  indent: fc.constantFrom("  ", "    ", "\t"),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  mark: fc.constantFrom("", "\ufeff"),
  last: fc.constantFrom("", "\n"),
});

/** An ordinary file has the same bytes again after an uninstall. */
export const ordinaryJson = fc.property(ordinary, ({ client, lineEnd, ...file }) => {
  const root = { ...file.before, ...(file.servers && { [JSON_CLIENTS[client]]: file.servers }) };
  const json = JSON.stringify(root, null, file.indent).replaceAll("\n", lineEnd);
  const before = file.mark + json + file.last.replace("\n", lineEnd);
  const edit = install(before, client);
  if (edit?.change !== "added") return;
  const { text } = removeServerFromText(edit.text, client, "files");
  if (Object.keys(file.servers ?? { a: 1 }).length > 0) expect(text).toBe(before);
  else expect(meaning(text.slice(file.mark.length))).toBe(JSON.stringify(sorted(file.before)));
});

const line = fc.constantFrom(
  ...["a = 1", 'b = "x"', "c = [1,\n 2]", '"d.e" = 1', "f.g = 2", "h = { i = 1 }", "# note", ""],
  ...["[t]", "[t.u]", "[[v]]", "[mcp_servers.x]", "[mcp_servers.files]", "[mcp_servers.files.env]"],
  ...["m = '''\n[mcp_servers.files]\n'''", 'n = """\n"x" [y]"""', "files = 1", "command = 'x'"],
);

/** TOML is rejected, or changes by exactly one table and back to the same bytes. */
export const randomToml = fc.property(
  fc.array(line, { maxLength: 8 }),
  fc.boolean(),
  fc.constantFrom("", "\n", "\n\n", "\n\n\n", "\n  "),
  (lines, crlf, end) => {
    const text = lines.join("\n") + end;
    const before = text.replaceAll("\n", crlf ? "\r\n" : "\n");
    const edit = install(before, "codex");
    if (!edit) return;
    const root = before.trim() === "" ? {} : parseToml(before);
    const servers = {
      ...Object(root.mcp_servers),
      files: { command: "npx", args: ["-y", "files"] },
    };
    expect(parseToml(edit.text)).toEqual({ ...root, mcp_servers: servers });
    if (edit.change !== "added" || before.trim() === "") return;
    expect(removeServerFromText(edit.text, "codex", "files").text).toBe(before);
  },
);

const USERS_JSON = {
  alwaysAllow: '["a",  "b"]',
  disabled: "true",
  timeout: "1.50",
  cwd: '"/x y"',
  envFile: '".env"',
  headersHelper: '"x"',
  "x-mine": '{ "env": 1, "command": [1, {}] }',
};

const OUR_JSON = {
  type: ['"sse"', '"stdio"'],
  command: ['"old"', '"npx"'],
  args: ["[]", '["-y", "files@1.2"]', '["-y",\n "other" ]'],
  env: ["{}", '{ "A": "1", "B": "2" }', "1"],
  url: ['"https://x.test"'],
  headers: ['{ "X": "y" }'],
  httpUrl: ['"https://x.test"'],
};

const members = fc.tuple(
  fc.uniqueArray(fc.constantFrom(...Object.entries(USERS_JSON)), { selector: ([key]) => key }),
  fc.uniqueArray(
    fc
      .constantFrom(...Object.entries(OUR_JSON))
      .chain(([key, values]) => fc.constantFrom(...values).map((value) => [key, value] as const)),
    { selector: ([key]) => key },
  ),
);

const gap = fc.constantFrom("", " ", "\n    ", "/* x */", "\n    // y\n    ");

/** A replacement keeps what the user has added to the same server, and nothing of another. */
export const forcedJson = fc.property(
  members.chain(([users, ours]) =>
    fc.record({
      users: fc.constant(users),
      written: fc.shuffledSubarray([...users, ...ours], { minLength: users.length + ours.length }),
      gaps: fc.array(fc.tuple(gap, gap, gap), { minLength: 14, maxLength: 14 }),
      comma: fc.boolean(),
    }),
  ),
  ({ users, written, gaps, comma }) => {
    const parts = written.map(
      ([key, value], index) =>
        `${gaps[index]?.[0]}"${key}":${gaps[index]?.[1]}${value}${gaps[index]?.[2]}`,
    );
    const before = `{ "mcpServers": { "files": {${parts.join(",")}${comma && parts.length > 0 ? "," : ""} } } }`;
    const old = parseJsonc(before).mcpServers.files;
    const edit = install(before, "cursor");
    // Beside a command the type decides, and without one Gemini's URL wins.
    const isRemote =
      old.type === undefined ? old.httpUrl : (old.url ?? old.httpUrl) && old.type !== "stdio";
    const isSame = old.command === "npx" && old.args?.[1] === "files@1.2" && !isRemote;
    const { A, B } = isSame && old.env !== 1 ? Object(old.env) : {};
    expect(edit?.change).toBe("replaced");
    expect(parseJsonc(edit?.text ?? "").mcpServers.files).toEqual({
      ...(isSame && Object.fromEntries(users.map(([key, value]) => [key, JSON.parse(value)]))),
      ...{ type: "stdio", command: "npx", args: ["-y", "files"] },
      ...(A !== undefined && { env: { A, B } }),
      ...(isSame && old.headers && { headers: old.headers }),
    });
    if (!isSame) return;
    for (const [, value] of users) expect(edit?.text).toContain(value);
    const comments = (text = "") => text.match(/\/\* x \*\/|\/\/ y/g)?.length;
    const atColons = written.filter(
      ([key], at) => /[/]/.test(gaps[at]?.[1] ?? "") && !Object.hasOwn(USERS_JSON, key),
    );
    expect(comments(edit?.text) ?? 0).toBeGreaterThanOrEqual(
      (comments(before) ?? 0) - atColons.length,
    );
  },
);

const USERS_TOML = [
  'cwd = "/x"',
  "startup_timeout_sec = 1.50 # why",
  "enabled = false",
  'tools.a.approval_mode = "x"',
  "mine = { command = [1, 2], since = 1979-05-27 }",
  'enabled_tools = [\n  "a", # one\n  "]",\n]',
  'note = """\n[mcp_servers.z]\ncommand = 1\n"""',
  "# a comment",
];

const USERS_TABLES = [
  '[mcp_servers.files.tools.b]\napproval_mode = "y" # z',
  "[[mcp_servers.files.list]]\nurl = 1",
];

const OUR_TOML = [
  ...['command = "npx"', "command = 'old'", 'url = "https://x.test" # u', 'type = "sse"'],
  ...['args = ["-y", "files@1"]', 'args = [\n  "x", # y\n]', 'env = { A = "1", B = "2" }'],
  ...['env.A = "1"\nenv . B = "2"', 'bearer_token_env_var = "T"', 'http_headers.X = "y"'],
  ...['env_vars = ["H", "C"]'],
];

const OUR_TABLES = [
  '[mcp_servers.files.env]\nA = "1"\n# in env\nB = "2"',
  '[mcp_servers.files.http_headers]\nX = "y"',
];

const forcedLines = fc.tuple(
  fc.shuffledSubarray([...USERS_TOML, ...OUR_TOML]),
  fc.shuffledSubarray([...USERS_TABLES, ...OUR_TABLES, '[mcp_servers.z]\ncommand = "z"']),
);

const WITH_ENV = writtenFor("codex", { ...files, env: { A: "9", C: "3" } });

export const forcedToml = fc.property(
  forcedLines
    .map(([lines, tables]) =>
      [["[mcp_servers.files]", ...lines].join("\n"), ...tables].join("\n\n"),
    )
    .filter(isToml),
  fc.constantFrom("", "\n"),
  fc.boolean(),
  (toml, end, crlf) => {
    const lineEnd = crlf ? "\r\n" : "\n";
    const before = (toml + end).replaceAll("\n", lineEnd);
    const old = Object(parseToml(before).mcp_servers).files;
    const edit = addServerToText(before, WITH_ENV, { replace: true });
    const users = Object.fromEntries(
      Object.entries(old).filter(([key]) => !/^(?:type|command|args|url|env|env_vars)$/.test(key)),
    );
    const isRemote = old.url && old.type === "sse";
    const isSame = old.command === "npx" && old.args?.[1] === "files@1" && !isRemote;
    expect(edit.change).toBe("replaced");
    expect(Object(parseToml(edit.text).mcp_servers).files).toEqual({
      ...(isSame && users),
      ...{ command: "npx", args: ["-y", "files"] },
      env: { A: "9", C: "3", ...(isSame && old.env && { B: "2" }) },
      ...(isSame && old.env_vars && { env_vars: ["H"] }),
    });
    const comments = (text: string) => text.match(/# \w+/g)?.sort();
    expect(comments(edit.text)).toEqual(comments(before));
    const other = `[mcp_servers.z]${lineEnd}command = "z"${end === "" ? "" : lineEnd}`;
    expect(edit.text.includes(other)).toBe(before.includes(other));
  },
);

function isToml(text: string): boolean {
  try {
    parseToml(text);
    return true;
  } catch {
    return false;
  }
}
