import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addServerToText, removeServerFromText } from "../../../../cli/mcp/edit/edit-config.ts";
import { maskedDiff } from "../../../../cli/mcp/edit/masked-diff.ts";
import { ALL_CLIENTS, type Client, type McpConfigInput } from "../../../../schemas/index.ts";
import { detectTransport } from "../../../../src/mcp-config/parse/entry-fields.ts";
import {
  ConfigFileError,
  listClientServers,
  listProjectServers,
  parseConfig,
} from "../../../../src/mcp-config/parse/find-servers.ts";
import { parseMcpConfig } from "../../../../src/mcp-config/parse/parse-config.ts";
import { writtenFor } from "../../../src/mcp-config/support.ts";
import { tries } from "../../../support/runs.ts";
import { forcedJson, forcedToml, ordinaryJson, randomJson, randomToml } from "./random-files.ts";

const files: McpConfigInput = { name: "files", command: "npx", args: ["-y", "files"] };

const serversIn = (text: string, client: Client) => {
  const file = parseConfig(text, client);
  return [...listClientServers(file, client), ...listProjectServers(file, client)].map(
    (server) => ({ ...server, transport: detectTransport(server.entry, client) }),
  );
};

const install = (text: string, client: Client, input = files, replace = false) =>
  addServerToText(text, writtenFor(client, input), { replace });

describe("a new file is the snippet", () => {
  test.each([...ALL_CLIENTS])("%s", (client) => {
    const { snippet } = writtenFor(client, files);
    for (const text of ["", "\ufeff", " \n"]) {
      expect(install(text, client)).toEqual({ change: "added", text: snippet });
    }
    expect(serversIn(snippet, client)).toMatchObject([{ name: "files", transport: "stdio" }]);
  });
});

/** A file before, and after the server is put into it. */
const JSON_EDITS: [string, string, string][] = [
  [
    "with comments and trailing commas, which stay",
    '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" }, // keep\n    /* and this */\n  },\n}\n',
    '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" }, // keep\n    /* and this */\n    "files": {\n      "type": "stdio",\n      "command": "npx",\n      "args": [\n        "-y",\n        "files"\n      ]\n    },\n  },\n}\n',
  ],
  [
    "where there is no object of servers",
    '{\n\t"theme": "dark"\n}',
    '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"files": {\n\t\t\t"type": "stdio",\n\t\t\t"command": "npx",\n\t\t\t"args": [\n\t\t\t\t"-y",\n\t\t\t\t"files"\n\t\t\t]\n\t\t}\n\t}\n}',
  ],
  [
    "with a byte order mark and Windows line ends",
    '\ufeff{\r\n  "mcpServers": {}\r\n}\r\n',
    '\ufeff{\r\n  "mcpServers": {\r\n    "files": {\r\n      "type": "stdio",\r\n      "command": "npx",\r\n      "args": [\r\n        "-y",\r\n        "files"\r\n      ]\r\n    }\r\n  }\r\n}\r\n',
  ],
];

describe("an edit of JSON keeps everything else", () => {
  test.each(JSON_EDITS)("%s", (_, before, after) => {
    expect(install(before, "cursor")).toEqual({ change: "added", text: after });
    const { change, text } = removeServerFromText(after, "cursor", "files");
    expect(change).toBe("removed");
    // An empty object of servers does not come back.
    expect(text).toBe(before.replace('\r\n  "mcpServers": {}\r\n', ""));
  });

  test("the inputs of VS Code are added to those there are, once", () => {
    const input = { name: "a", command: "b", env: { K: "${input:key}", L: "${input:other}" } };
    const before = '{\n  "inputs": [\n    { "id": "mine" }\n  ],\n  "servers": {}\n}\n';
    const { text } = install(before, "vscode", input);
    const ids = JSON.parse(text).inputs.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(["mine", "key", "other"]);
    expect(install(text, "vscode", input)).toEqual({ change: "none", text });
  });
});

describe("a server of the same name", () => {
  test.each([...ALL_CLIENTS])("is left, rejected or replaced, %s", (client) => {
    const old = { name: "files", command: "old", env: { KEEP: "1" } };
    const before = install(install("", client, old).text, client, { ...files, name: "z" }).text;
    expect(install(before, client, old)).toEqual({ change: "none", text: before });
    const conflict = install(before, client);
    expect(conflict.change).toBe("conflict");
    const replaced = install(before, client, files, true);
    expect(replaced).toEqual({ ...conflict, change: "replaced" });
    expect(replaced.notes?.join()).toContain("drops env");
    expect(conflict.text).not.toContain("KEEP");
    expect(serversIn(conflict.text, client).map(({ name }) => name)).toEqual(["files", "z"]);
  });
});

/** A is a server that is there, F the one that is added. */
test.each<[string, Client, string, string]>([
  ["of opencode 2", "opencode", '{"mcp":{"servers":{"a":A}}}', '{"mcp":{"servers":{"a":A,F}}}'],
  // An empty object of servers would stop version 1.
  ["of both", "opencode", '{"mcp":{"timeout":{},"servers":{}}}', '{"mcp":{"timeout":{},F}}'],
  ["of opencode 1", "opencode", '{"mcp":{"timeout":{},"a":A}}', '{"mcp":{"timeout":{},"a":A,F}}'],
  ["of Copilot CLI without mcpServers", "copilot-cli", '{"a":A}', '{"a":A,F}'],
])("a file %s keeps its form", (_, client, old, wanted) => {
  const A = client === "opencode" ? '{"type":"local","command":["a"]}' : '{"command":"a"}';
  const F = `"files":${JSON.stringify(writtenFor(client, files).entry)}`;
  const before = old.replace("A", A);
  const { text } = install(before, client);
  expect(JSON.parse(text)).toEqual(JSON.parse(wanted.replace("A", A).replace("F", F)));
  const names = serversIn(text, client).map(({ name }) => name);
  expect(names).toEqual(old.includes("A") ? ["a", "files"] : ["files"]);
  const emptied = before.replace(',"servers":{}', "");
  expect(removeServerFromText(text, client, "files").text).toBe(emptied);
});

describe("the servers that opencode keeps one level deeper", () => {
  const before =
    '{\n  "mcp": {\n    "a": { "type": "local", "command": ["a"] },\n    "servers": {\n      "files": { "type": "local", "command": ["old"] }\n    }\n  }\n}\n';
  const names = (text: string) => serversIn(text, "opencode").map(({ name }) => name);

  test("are replaced and removed where they are", () => {
    expect(install(before, "opencode").change).toBe("conflict");
    const { change, text } = install(before, "opencode", files, true);
    expect(change).toBe("replaced");
    expect(JSON.parse(text).mcp.servers.files.command).toEqual(["npx", "-y", "files"]);
    expect(names(text)).toEqual(["a", "files"]);
    expect(install(text, "opencode")).toEqual({ change: "none", text });
    expect(names(removeServerFromText(text, "opencode", "files").text)).toEqual(["a"]);
    expect(removeServerFromText(before, "opencode", "servers").change).toBe("none");
  });

  test("are not lost to a server of that name, and none is there twice", () => {
    const named = { name: "servers", command: "x" };
    expect(names(install(before, "opencode", named, true).text)).toEqual(["a", "files", "servers"]);
    const twice = '{"mcp":{"files":{"type":"local"},"servers":{"files":{"type":"local"}}}}';
    expect(() => install(twice, "opencode", files, true)).toThrow('has the server "files" twice');
    expect(names('{"mcp":{"servers":{"type":"local","command":["x"]}}}')).toEqual(["servers"]);
  });
});

describe("rejects", () => {
  const dotted = (parts: number) => Array(parts).fill("a").join(".");
  test.each<[string, Client, string, string]>([
    ["broken JSON", "cursor", '{ "mcpServers": ', "expected a value (line 1, column 17)"],
    ["a comment for Claude Code", "claude-code", "{\n  // x\n}", "comments are not allowed here"],
    ["deep TOML", "codex", `a = ${"[".repeat(200_000)}`, "is nested too deeply (line 1)"],
    ["servers in a list", "cursor", '{"mcpServers": []}', "mcpServers must be an object"],
    ["a key given twice", "cursor", '{"a": 1,\n"a": 2}', 'the key "a" is given twice (line 2)'],
    ["broken TOML", "codex", "a = 1\nb = ", "is not TOML: invalid value (line 2, column 5)"],
    ["tables written inline", "codex", 'mcp_servers = { a = { command = "x" } }\n', "inline"],
  ])("%s", (_, client, text, message) => {
    expect(() => install(text, client)).toThrow(ConfigFileError);
    expect(() => install(text, client)).toThrow(message);
  });

  test.each([
    ["in a key", `a.b = { ${dotted(3000)} = 1 }\n`],
    ["in all of them", `[${dotted(400)}]\n${dotted(400)} = { ${dotted(400)} = [1] }\n`],
  ])("TOML that is nested 3,000 deep %s", (_, text) => {
    for (const use of [
      () => install(text, "codex"),
      () => removeServerFromText(text, "codex", "files"),
      () => serversIn(text, "codex"),
      () => parseMcpConfig(text),
    ]) {
      expect(use).toThrow("is nested too deeply");
    }
  });

  test("to add an input of VS Code to a value that is not a list", () => {
    const input = { name: "a", command: "b", env: { K: "${input:key}" } };
    expect(() => install('{"inputs": {}}', "vscode", input)).toThrow("inputs must be a list");
  });

  test("to replace or remove an entry that is written inline", () => {
    const text = '[mcp_servers]\nfiles = { command = "x" }\n';
    expect(() => install(text, "codex")).toThrow("inline");
    expect(() => removeServerFromText(text, "codex", "files")).toThrow("inline");
    expect(install(text, "codex", { ...files, name: "b" }).change).toBe("added");
  });
});

const TOML_FILES: [string, string][] = [
  ["a header in a string", "a = \"\"\"\n[mcp_servers.files]\n\"\"\"\nb = '''\n[x]'''\n"],
  ["a byte order mark", "\ufeffa = 1\n"],
  ["a 64-bit integer and a date", "a = 9223372036854775807\nb = 2026-11-22T01:02:03Z\n"],
];

describe("an edit of TOML keeps everything else", () => {
  test.each(TOML_FILES)("%s", (_, before) => {
    const { text, change } = install(before, "codex");
    expect(change).toBe("added");
    expect(text.startsWith(before)).toBe(true);
    expect(serversIn(text, "codex")).toContainEqual(
      expect.objectContaining({ name: "files", transport: "stdio" }),
    );
    expect(removeServerFromText(text, "codex", "files")).toEqual({
      change: "removed",
      text: before,
    });
  });

  test("replacing changes one table in its place, with its own tables", () => {
    const before =
      'a = 1\n\n[mcp_servers.files]\ncommand = "old" # old\n\n[mcp_servers.files.env]\nA = "1"\n\n# next\n[mcp_servers.z]\ncommand = "z"\n';
    expect(install(before, "codex", files, true).text).toBe(
      'a = 1\n\n[mcp_servers.files]\n# old\ncommand = "npx"\nargs = [ "-y", "files" ]\n\n# next\n[mcp_servers.z]\ncommand = "z"\n',
    );
  });
});

/** Members of an entry beside what it starts or reaches, and how the warning names them. */
const ADDED: [Client, string, string][] = [
  ["cursor", '"env":{"API_KEY":"s","B":"1"},"envFile":".env"', "env.API_KEY, env.B, envFile"],
  ["claude-code", '"headersHelper":"/bin/mint","oauth":{"clientId":"a"}', "headersHelper, oauth"],
  ["vscode", '"envFile":".env","cwd":"/","dev":{"watch":"*"}', "envFile, cwd, dev"],
  [
    "codex",
    'http_headers_helper = "mint"\nenv_http_headers = { X = "Y" }',
    "http_headers_helper, env_http_headers.X",
  ],
  [
    "codex",
    'tools.x.approval_mode = "approve"\nstartup_timeout_sec = 1.5',
    "tools, startup_timeout_sec",
  ],
  ["opencode", '"environment":{"K":"s"},"oauth":{"scope":"all"}', "environment.K, oauth"],
  ["gemini-cli", '"trust":true,"authProviderType":"google_credentials"', "trust, authProviderType"],
  ["kiro", '"autoApprove":["x"],"disabledTools":["y"]', "autoApprove, disabledTools"],
  ["copilot-jetbrains", '"requestInit":{"headers":{"X":"y"}}', "requestInit"],
];

describe("a replaced entry keeps everything of the same server, and nothing of another", () => {
  const url = "https://x.test/mcp";
  const remote = { name: "files", url };
  /** The client's file with our entry and more. */
  const fileWith = (client: Client, input: McpConfigInput, added: string) => {
    const { text } = install("", client, input);
    if (client === "codex") return `${text.split("\n\n")[0]}\n${added}\n`;
    const end = text.search(/\n *\}\n *\}\n(?: *\}\n)?\}\n$/);
    return `${text.slice(0, end)},${added}${text.slice(end)}`.replace(/\}\n(?=\s*,)/, "}");
  };

  const besideTarget = (text: string, client: Client) =>
    serversIn(text, client).map(({ entry }) =>
      Object.entries(Object(entry))
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .filter(([key]) => !/^(?:type|command|args|.*[Uu]rl)$/.test(key)),
    );

  const SERVERS: [McpConfigInput, same: object, other: object][] = [
    [files, { args: ["-y", "files@2"] }, { args: ["-y", "other"] }],
    [remote, { url: `${url}/2` }, { url: "http://x.test/mcp" }],
  ];

  test.each(ADDED.flatMap((row) => SERVERS.map((server) => [...row, ...server] as const)))(
    "%s: %s",
    (client, added, names, input, same, other) => {
      const before = fileWith(client, input, added);
      const replaced = install(before, client, { ...input, ...other }, true);
      const fresh = install("", client, { ...input, ...other });
      expect(parseConfig(replaced.text, client)).toEqual(parseConfig(fresh.text, client));
      expect(replaced.notes).toEqual([
        `replacing files drops ${names}, because the old entry is for another program or host`,
      ]);
      const kept = install(before, client, { ...input, ...same }, true);
      expect([kept.change, kept.notes]).toEqual(["replaced", undefined]);
      expect(besideTarget(kept.text, client)).toEqual(besideTarget(before, client));
    },
  );
});

describe("what the user has added to env and headers", () => {
  const secret = { API_KEY: "s" };
  const target = (line: string) => {
    const [command = "", ...args] = line.split(" ");
    return line.startsWith("https:") ? { url: line } : { command, args };
  };
  test.each([
    ["npx -y files@1.0", "npx -y files@2", true],
    ["npx -y other", "npx -y files", false],
    ["bunx -y files", "npx -y files", false],
    ["npx --url=http://x.test:80", "npx --url=http://x.test:81", false],
    ["https://x.test/a", "https://x.test/b", true],
    ["https://x.test/a", "https://y.test/a", false],
    ["https://${env:A}/a", "https://${B}/a", false],
  ])("after %s, with %s, stays: %p", (old, now, isKept) => {
    const field = old.startsWith("https:") ? "headers" : "env";
    const before = { mcpServers: { files: { ...target(old), [field]: secret } } };
    const input = { name: "files", ...target(now) };
    const { text, notes = [] } = install(JSON.stringify(before), "cursor", input, true);
    expect(JSON.parse(text).mcpServers.files[field]).toEqual(isKept ? secret : undefined);
    expect(notes.join()).toMatch(isKept ? /^$/ : /^replacing files drops (env|headers).API_KEY/);
  });

  const url = "https://x.test/mcp";
  test.each<[string, Client, string, boolean]>([
    ["a token of Codex", "codex", 'bearer_token_env_var = "T"', true],
    ["a token in Codex's file", "codex", 'bearer_token = "T"', false],
    ["requestInit", "cursor", '"requestInit":{"headers":{"X":"y"}}', true],
  ])("%s of the same URL is kept, or named", (_, client, field, isKept) => {
    const before =
      client === "codex"
        ? `[mcp_servers.files]\nurl = "${url}"\n${field}\n`
        : `{"mcpServers":{"files":{"url":"${url}",${field}}}}`;
    const edit = install(before, client, { name: "files", url }, true);
    expect(edit.text.includes(field)).toBe(isKept);
    expect(edit.notes?.join() ?? "").toMatch(isKept ? /^$/ : /^replacing files drops bearer/);
  });

  test("gives way to the same variable or header in another spelling or field", () => {
    const input = {
      name: "files",
      url: "https://x.test",
      headers: { Authorization: "Bearer ${T}" },
    };
    const json = JSON.stringify({
      mcpServers: { files: { url: "https://x.test", headers: { authorization: "x", B: "b" } } },
    });
    const { headers } = JSON.parse(install(json, "cursor", input, true).text).mcpServers.files;
    expect(headers).toEqual({ Authorization: "Bearer ${env:T}", B: "b" });
    const toml =
      '[mcp_servers.files]\nurl = "https://x.test"\nhttp_headers = { authorization = "x", B = "b" }\n';
    expect(install(toml, "codex", input, true).text).toBe(
      '[mcp_servers.files]\nurl = "https://x.test"\nbearer_token_env_var = "T"\n\n[mcp_servers.files.http_headers]\nB = "b"\n',
    );
  });
});

test("a byte order mark stays before the first table of TOML", () => {
  const before = '\ufeff[mcp_servers.files]\ncommand = "old"\n';
  expect(install(before, "codex", files, true).text).toStartWith("\ufeff[mcp_servers.files]\n");
  expect(removeServerFromText(before, "codex", "files").text).toBe("\ufeff");
});

test.each([
  ["random JSON is rejected, or changes by exactly one entry and back", randomJson],
  ["a replacement in JSON keeps what the user added, with comments", forcedJson],
  ["a replacement in TOML keeps what the user added, with comments", forcedToml],
  ["ordinary JSON has the same bytes again after an uninstall", ordinaryJson],
  ["random TOML is rejected, or changes by exactly one table and back", randomToml],
] as const)("%s", (_, property) => {
  fc.assert<unknown>(property, tries(30));
});

/** Files, and what a diff has of them; it never has the word "hidden". */
const MASKED: [string, Client, string, readonly string[]][] = [
  [
    "a URL",
    "cursor",
    '{"url":"https://me:hidden@x.test/hiddenHidden0123456789abcdef/mcp?a=1&api_key=hidden%2B1"}',
    ["***"],
  ],
  ["a flag's value", "cursor", '{"args":["--token","hidden"]}', ['"--token"', '"***"']],
  ["behind a variable", "opencode", '{"url":"{env:URL}?token=hidden"}', ["{env:URL}?token=***"]],
  ["TOML", "codex", "a.env.A = 'a'\na.env.API_KEY = 'hidden'", ['A = "a"', 'API_KEY = "***"']],
  ["no URL or path", "cursor", '{"args":["-k","https://x.test/","-k","./a"]}', ["https:", "./a"]],
  [
    "no name of a variable",
    "codex",
    'bearer_token_env_var = "MY_TOKEN"\nenv_http_headers = { Authorization = "MY_AUTH" }\n',
    ['Authorization = "MY_AUTH"', 'bearer_token_env_var = "MY_TOKEN"'],
  ],
];

test.each(MASKED)("a diff masks %s", (_, client, text, shown) => {
  const diff = maskedDiff("", text, client).join("\n");
  for (const part of shown) expect(diff).toContain(part);
  expect(diff).not.toMatch(/hid|123/);
});

describe("an uninstall", () => {
  test.each<[string, Client, string]>([
    ["with a comment and a trailing comma", "zed", '{\n  // mine\n  "theme": "y",\n}\n'],
    ["with tabs and CRLF", "vscode", '\ufeff{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}'],
    ["of TOML with empty lines at the end", "codex", 'model = "x"\n\n'],
    ["of TOML with a comment at the end", "codex", "a = 1\r\n\r\n# mine"],
  ])("right after an install gives the bytes back, of a file %s, %s", (_, client, before) => {
    const { text } = install(before, client);
    expect(text).not.toBe(before);
    expect(removeServerFromText(text, client, "files")).toEqual({
      change: "removed",
      text: before,
    });
  });

  test.each<[string, Client, string, string]>([
    ["an object of servers", "cursor", '{"mcpServers":{"files":{}}}', "{}"],
    ["it beside settings", "zed", '{"context_servers":{"files":{}},"a":1}', '{"a":1}'],
    ["the inner one", "opencode", '{"mcp":{"a":{},"servers":{"files":{}}}}', '{"mcp":{"a":{}}}'],
    ["none with a comment", "vscode", '{"servers":{/**/"files":{}}}', '{"servers":{/**/}}'],
    ["a table", "codex", "[mcp_servers]\n\n[mcp_servers.files]\na = 1\n", ""],
    ["no comment", "codex", "[mcp_servers]\n# x\n\n[mcp_servers.files]\na = 1\n", "# x\n"],
  ])("takes %s that it leaves empty, %s", (_, client, before, after) => {
    expect(removeServerFromText(before, client, "files").text).toBe(after);
  });
});

describe("an uninstall takes the inputs of VS Code with it", () => {
  const asking = (name: string, ...ids: string[]) => ({
    name,
    command: "b",
    args: ids.map((id) => `\${input:${id}}`),
  });
  const inputIds = (text: string) => JSON.parse(text).inputs?.map(({ id }: { id: string }) => id);

  test("that nothing else uses", () => {
    const one = install("", "vscode", asking("one", "mine", "ours")).text;
    const both = install(one, "vscode", asking("two", "ours", "theirs")).text;
    const two = removeServerFromText(both, "vscode", "one").text;
    expect(inputIds(two)).toEqual(["ours", "theirs"]);
    expect(removeServerFromText(two, "vscode", "two").text).toBe("{}\n");
  });

  test.each([
    ["with the list that an install added", '{\n  "a": 1\n}\n'],
    ["beside others", '{\n  "inputs": [\n    { "id": "x" }, // x\n    { "id": "y" }\n  ]\n}\n'],
  ])("%s", (_, before) => {
    const { text } = install(before, "vscode", asking("one", "key", "other"));
    expect(removeServerFromText(text, "vscode", "one").text).toBe(before);
  });

  test("and so does a replacement that asks for others", () => {
    const { text } = install("", "vscode", asking("one", "old", "kept"));
    const replaced = install(text, "vscode", asking("one", "kept", "new"), true);
    expect([replaced.change, inputIds(replaced.text)]).toEqual(["replaced", ["kept", "new"]]);
  });
});

describe("a server that means the same is there already", () => {
  const local = { name: "a", command: "npx", args: ["-y", "b"] };
  const remote = { name: "a", url: "https://x.test/mcp" };
  const command = '"command":"npx","args":["-y","b"]';
  const url = '"url":"https://x.test/mcp"';
  const fileOf = (client: Client, entry: string) =>
    `{"${Object.keys(JSON.parse(install("", client).text))[0]}":{"a":${entry}}}`;

  test.each<[Client, McpConfigInput, string]>([
    ["claude-desktop", local, `{${command},"type":"stdio"}`],
    ["claude-code", local, `{"type":"stdio",${command},"env":{},"disabled":false}`],
    ["cursor", { ...remote, headers: { A: "${T}" } }, `{${url},"headers":{"A":"\${T}"}}`],
    ["gemini-cli", { ...local, env: { T: "${T}" } }, `{${command},"env":{"T":"$T"}}`],
    ["copilot-cli", local, `{"type":"local",${command},"env":{},"tools":["*"]}`],
    ["opencode", local, '{"type":"local","command":["npx","-y","b"],"environment":{}}'],
    ["zed", local, `{"source":"custom","enabled":true,${command},"env":{}}`],
    // What the user has added stays.
    ["copilot-cli", local, `{${command},"tools":["x"]}`],
    ["cursor", local, `{${command},"constructor":[]}`],
    ["kiro", local, `{${command},"autoApprove":["x"],"timeout":5,"envFile":".env"}`],
    ["claude-code", remote, `{"type":"http",${url},"x-mine":{"a":[1]}}`],
  ])("%s: %j as %s", (client, input, entry) => {
    const before = fileOf(client, entry);
    for (const replace of [false, true]) {
      expect(install(before, client, input, replace)).toEqual({ change: "none", text: before });
    }
  });

  test.each<[Client, McpConfigInput, string]>([
    ["claude-code", remote, `{${url}}`],
    ["opencode", local, '{"type":"stdio","command":["npx","-y","b"]}'],
    ["vscode", { ...local, env: { A: "1" } }, `{${command},"env":{"A":""}}`],
  ])("%s: but %j is not %s, which the client skips or reads otherwise", (client, input, entry) => {
    expect(install(fileOf(client, entry), client, input).change).toBe("conflict");
  });

  test.each<[Client, string, "none" | "conflict"]>([
    ["cursor", `{"type":"sse",${url},"headers":{}}`, "none"],
    ["opencode", `{"type":"remote",${url},"enabled":true}`, "none"],
    ["cursor", `{"type":"http",${url}}`, "conflict"],
  ])("%s: an SSE server beside %s: %s", (client, entry, change) => {
    const server = writtenFor(client, remote, { transport: "sse" });
    expect(addServerToText(fileOf(client, entry), server).change).toBe(change);
  });

  test("in TOML, with what the user added", () => {
    const before =
      '[mcp_servers.a]\ntype = "stdio"\nenabled = true\ncommand = "npx"\nargs = ["-y", "b"]\nenv_vars = ["HOME"]\nenv.A = "1"\ncwd = "/"\n\n[mcp_servers.a.tools.x]\napproval_mode = "approve"\n';
    for (const replace of [false, true]) {
      expect(install(before, "codex", local, replace)).toEqual({ change: "none", text: before });
    }
  });

  test.each<[Client, McpConfigInput, string, object]>([
    ["cursor", local, `{${command},"disabled":true}`, { args: ["c"] }],
    ["opencode", remote, `{"type":"remote",${url},"enabled":false}`, { url: "https://y.test" }],
  ])("%s: switched off, which another server is not", (client, input, entry, other) => {
    const before = fileOf(client, entry);
    const notes = ["a is disabled in this file, and stays disabled"];
    expect(install(before, client, input)).toEqual({ change: "none", text: before, notes });
    const changed = install(before, client, { ...input, ...other }, true);
    expect(changed.notes?.join()).toMatch(/drops (?:disabled|enabled), /);
  });
});
