import { describe, expect, test } from "bun:test";
import { ALL_CLIENTS, type ValidMcpConfigInput } from "../../../schemas/index.ts";
import { createMcpConfig, parseMcpConfig } from "../../../src/mcp-config/index.ts";
import { parseServerCommand } from "../../../src/mcp-config/parse-command-line.ts";
import { deriveServerName, parsePackageWord } from "../../../src/mcp-config/server-name.ts";
import { splitCommandLine } from "../../../src/mcp-config/shell-words.ts";
import { withInputs } from "./support.ts";

const readText = (text: string) => withInputs(parseMcpConfig(text));

test.each<[string, string[] | undefined]>([
  ["npx -y server", ["npx", "-y", "server"]],
  ["npx -y 'my server' \"a b\"", ["npx", "-y", "my server", "a b"]],
  [`run --a="b c"d'e f'`, ["run", "--a=b cde f"]],
  ['run "say \\"hi\\" \\n" \\$HOME a\\ b', ["run", 'say "hi" \\n', "$HOME", "a b"]],
  [`run $HOME/a "--key=$KEY" '$HOME' $1`, ["run", "${HOME}/a", "--key=${KEY}", "$HOME", "$1"]],
  ["run a <in >out", undefined],
  [
    "run a#b https://x.test/#c \"# d\" '# e' \\# f",
    ["run", "a#b", "https://x.test/#c", "# d", "# e", "#", "f"],
  ],
  ["run a\\\n  b\\\nc", ["run", "a", "bc"]],
  ["run C:\\Users\\me\\a.js --dir=D:\\.x\\@y", ["run", "C:\\Users\\me\\a.js", "--dir=D:\\.x\\@y"]],
  [
    'run \'&& | ; > $(x)\' "a && b" \\&\\& "\\$(x) \\`"',
    ["run", "&& | ; > $(x)", "a && b", "&&", "$(x) `"],
  ],
  ["run --key <your key> KEY=<YOUR_KEY>", ["run", "--key", "<your key>", "KEY=<YOUR_KEY>"]],
  ...[
    ...["&& z", "|| z", "| tee", "; z", ">f", "2>&1", "< f", "&", "$(z)", "`z`", '"$(z)"', '"`z`"'],
    ...["(z)", "https://x.test/?a=1&b=2"],
  ].map((rest): [string, undefined] => [`run a ${rest}`, undefined]),
  ["server", undefined],
  ['run "a', undefined],
])("%j is %j", (text, words) => {
  const line = splitCommandLine(text);
  expect(line && [line.command, ...line.args]).toEqual(words);
});

describe("a line that adds a server is read", () => {
  type Line = [string, string, ValidMcpConfigInput];
  const local = { name: "files", command: "npx", args: ["-y", "it's a", "-x", "--"] };
  const inputs: Record<string, ValidMcpConfigInput> = {
    "a local server": { ...local, env: { LANG: "C", TOKEN: "${TOKEN}" } },
    "a remote server": { name: "docs", url: "https://x.test/mcp?a=1" },
    "a token": {
      name: "docs",
      url: "https://x.test/mcp",
      headers: { Authorization: "Bearer ${TOKEN}" },
    },
  };
  const lines = Object.entries(inputs).flatMap(([title, input]) =>
    createMcpConfig(input, { clients: ALL_CLIENTS }).clients.flatMap(
      ({ client, install: { bash, powershell } }) =>
        // In a POSIX shell PowerShell's two single quotes in a text are none.
        [bash, powershell?.replaceAll("''", "'\\''")].flatMap((line): Line[] =>
          line === undefined ? [] : [[`${title} for ${client}`, line, input]],
        ),
    ),
  );
  test.each(lines)("as its own input, %s", (_, line, input) => {
    expect(readText(line).servers).toEqual([input]);
  });

  const remote = { name: "a", url: "https://x.test/mcp" };
  const npx = { name: "a", command: "npx", args: ["-y", "b"] };
  test.each<[string, ValidMcpConfigInput]>([
    ["$ claude mcp add --transport http a https://x.test/mcp", remote],
    ["claude mcp add a https://x.test/mcp \\\n  -H 'A: $K'", { ...remote, headers: { A: "${K}" } }],
    ['qwen mcp add a https://x.test/mcp -H "A: $env:K"', { ...remote, headers: { A: "${K}" } }],
    ["claude mcp add a -s user --env KEY=k -- npx -y b", { ...npx, env: { KEY: "k" } }],
    ["claude mcp add a -- npx -y b # a comment", npx],
    ["gemini mcp add a npx -- -y b", npx],
    ["gemini mcp add a npx -y b -s project -t stdio -e K=v", { ...npx, env: { K: "v" } }],
    ["sudo bunx @anthropic-ai/claude-code mcp add -t http a https://x.test/mcp", remote],
    ['npx @anthropic-ai/claude-code mcp add-json a \'{"command":"npx","args":["-y","b"]}\'', npx],
    ['codex mcp add a --url "${U%/}/mcp/"', { name: "a", url: "${U}/mcp/" }],
    ["codex mcp add --url $U/mcp a", { name: "a", url: "${U}/mcp" }],
    ["claude mcp add a $U/mcp --transport sse", { name: "a", url: "${U}/mcp" }],
    ["npx add-mcp $U/mcp -t http -n a", { name: "a", url: "${U}/mcp" }],
    ["kiro-cli mcp add --name a --command npx --args -y --args b", npx],
    [
      "claude mcp add a docker run -e K=v",
      { name: "a", command: "docker", args: ["run", "-e", "K=v"] },
    ],
    ["# a comment\nclaude mcp add a -- npx -y b\n# another", npx],
    ["claude mcp add -e A=1 B=2 a -- npx -y b", { ...npx, env: { A: "1", B: "2" } }],
    ["claude mcp add a -e A=1 B=2 -- npx -y b", { ...npx, env: { A: "1", B: "2" } }],
    ["claude mcp add -H A:1 B:2 a https://x.test/mcp", { ...remote, headers: { A: "1", B: "2" } }],
    ["npm i -g b\nclaude mcp add a -- npx -y b\nclaude mcp list", npx],
    ["PS C:\\Users\\me> claude mcp add a `\n  -- npx -y b", npx],
    ['npm i b\n$ sudo claude mcp add-json a \'{\n"command":"npx",\n"args":["-y","b"]}\'', npx],
    ['code-insiders --add-mcp "{\\"name\\":\\"a\\",\\"url\\":\\"https://x.test/mcp\\"}"', remote],
  ])("%s", (line, input) => {
    expect(readText(line).servers).toEqual([input]);
  });

  test.each<[string, string, ValidMcpConfigInput?]>([
    [
      "gemini mcp add a npx -y b --trust --timeout 5 --description x",
      "--trust --timeout --description",
      npx,
    ],
    ["claude mcp add a https://x.test/mcp --unheard 1 --flag", "--unheard --flag"],
  ])("%s, and names what is left out", (line, options, server = remote) => {
    const { servers, warnings } = readText(line);
    expect(servers).toEqual([server]);
    expect(warnings.map(({ code, path }) => [code, path])).toEqual(
      options.split(" ").map((option) => ["left-out", `a["${option}"]`]),
    );
  });

  test.each([
    ["claude mcp add -t http a X_URL/mcp", "${X_URL}/mcp"],
    ["codex mcp add a --url example.com/mcp", undefined],
  ])("%s, where the URL is to be filled in", (line, url) => {
    const { servers, left_out, warnings } = readText(line);
    expect(servers.map((server) => server.url)).toEqual(url === undefined ? [] : [url]);
    expect(left_out.map(({ reason }) => reason.slice(0, 28))).toEqual(
      url === undefined ? ["url: must be an absolute URL"] : [],
    );
    expect(warnings.map(({ code }) => code)).toEqual([url === undefined ? "left-out" : "read-as"]);
  });

  test("beside others that add one", () => {
    const lines = `claude mcp add a -- npx -y b\nclaude mcp add -t http c ${remote.url}\ncode --add-mcp '{"name":"d","url":"${remote.url}"}'`;
    const { servers } = readText(lines);
    expect(servers).toEqual([npx, { ...remote, name: "c" }, { ...remote, name: "d" }]);
  });

  test.each([
    ["export KEY=k && az login", "export KEY…"],
    ["npm i b && claude mcp add b -- npx b", "npm i b && claude mcp add b -- npx b"],
    ["x --api-key sk-live-0123456789abcdef", "x --api-key ***"],
  ])("beside %s, which is named", (other, named) => {
    for (const text of [
      `${other}\nclaude mcp add a -- npx -y b`,
      `# Files\n\n\`\`\`sh\n${other}\nclaude mcp add a -- npx -y b\n\`\`\`\n`,
    ]) {
      const { servers, warnings } = readText(text);
      expect(servers).toEqual([npx]);
      expect(warnings).toMatchObject([{ code: "left-out", severity: "info", path: "" }]);
      expect(warnings[0]?.message).toEndWith(`: ${named}`);
    }
  });

  test.each([
    ...["npm i -g b\nclaude mcp list", "claude mcp add a", "claude mcp list", "code --add-mcp"],
    'code --add-mcp \'{"name":"a","url":"https://x.test"}\' --add-mcp \'{"name":"b","url":"https://y.test"}\'',
    "docker build -t a .",
  ])("but not %s", (line) => {
    expect(() => readText(line)).toThrow();
  });

  test.each([
    ["claude mcp add a -- npx y && claude mcp list", 'has "&&" outside quotes, which a shell'],
    ["claude mcp add a -- docker run -v $(pwd):/x i", 'has "$(" outside quotes'],
    ["claude mcp add -t http a https://x.test -H X-A: b c", "must be only a name and a URL"],
    ["smithery mcp add o/a --client claude", "names a server of Smithery's registry"],
    ["claude mcp add -e A a -- npx y", "needs NAME=value after -e"],
    ['claude mcp add -t http a https://x.test -H "X-A"', "needs Name: value after -H"],
    ["codex mcp add a --bearer-token-env-var", "needs a value after --bearer-token-env-var"],
  ])("not %s, and says why", (line, message) => {
    expect(() => readText(line)).toThrow(message);
  });
});

test.each([
  ["npx -y @modelcontextprotocol/server-files@1.2.3 /home", "files"],
  ["npx -y @upstash/context7-mcp@latest", "context7"],
  ["npx -y mcp-remote https://mcp.linear.example/sse", "linear"],
  ["uvx 'weather-mcp[http]>=2'", "weather"],
  ["uvx --from git+https://git.example/oraios/serena serena start", "serena"],
  ["docker run -i --rm -e KEY ghcr.io/github/github-mcp-server:1.2", "github"],
  ["node /srv/notes/build/index.js", "notes"],
])("%s names its server %s", (line, name) => {
  expect(parseServerCommand(line)?.input.name).toBe(name);
});

test.each(["opencode", "kilo"])("a reference in a line of %s becomes ours", (program) => {
  const line = `${program} mcp add a -- npx {env:T}`;
  expect(parseServerCommand(line)?.input.args).toEqual(["${T}"]);
});

test.each<[string, ReturnType<typeof parsePackageWord>, string | undefined]>([
  ["https://mcp.linear.app/mcp", { url: "https://mcp.linear.app/mcp" }, "linear"],
  ["https://127.0.0.1/mcp", { url: "https://127.0.0.1/mcp" }, undefined],
  ["@acme/notes-mcp", { command: "npx", args: ["-y", "@acme/notes-mcp"] }, "notes"],
  ["npm:notes-mcp@latest", { command: "npx", args: ["-y", "notes-mcp@latest"] }, "notes"],
  ["uvx:mcp-server-time", { command: "uvx", args: ["mcp-server-time"] }, "time"],
  ["notes", undefined, undefined],
  ["@acme/notes/a.json", undefined, undefined],
  ["npm:-x", undefined, undefined],
  ["ftp://x.test/mcp", undefined, undefined],
])("the word %s stands for %j, named %j", (word, target, name) => {
  expect(parsePackageWord(word)).toEqual(target);
  if (target) expect(deriveServerName(target)).toBe(name);
});
