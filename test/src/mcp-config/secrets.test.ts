import { describe, expect, test } from "bun:test";
import { ALL_CLIENTS, type McpConfigInput } from "../../../schemas/index.ts";
import { createMcpConfig } from "../../../src/index.ts";
import { configOf } from "./support.ts";

/** The bash line of Claude Code for a server. */
const line = (input: McpConfigInput): string =>
  configOf(createMcpConfig(input), "claude-code").install.bash ?? "";

const lineWithEnv = (name: string, value: string): string =>
  line({ name: "a", command: "b", env: { [name]: value } });

const lineWithHeader = (name: string, value: string): string =>
  line({ name: "a", url: "https://a.com", headers: { [name]: value } });

describe("a one-liner leaves the value to the shell", () => {
  test.each([
    ...["API_KEY", "apikey", "OPENAI_KEY", "ACCESS_TOKEN", "token", "CLIENT_SECRET", "PASSWORD"],
    ...["DB_PASS", "SMTP_PASS", "DBPASS", "dbPass", "passphrase", "PASSWD", "MYSQL_PWD"],
    ...["MONKEY_API_KEY", "TOKENIZER_TOKEN", "NOTION_TOKEN", "USERKEY", "PUBLIC_API_KEY"],
    ...["SENTRY_DSN", "SLACK_WEBHOOK", "SLACK_WEBHOOK_URL", "REQUEST_SIGNATURE"],
    ...["AUTH", "AUTHORIZATION", "BASIC_AUTH", "CREDENTIALS", "COOKIE"],
  ])("of the variable %s", (name) => {
    const line = lineWithEnv(name, "val-1");
    expect(line).toContain(`"--env=${name}=\${${name}:?}"`);
    expect(line).not.toContain("val-1");
  });

  test.each([
    ...["postgres://u:pw@h/db", "redis://:pw@h:6379", "jdbc:postgresql://u:pw@h/db"],
    ...["Bearer abc", "bearer abc", "Basic dTpw", '{"Authorization": "Bearer abc"}'],
    ...["sk-live-1", "sk_live_1", "ghp_abc", "gho_abc", "github_pat_abc", "glpat-abc"],
    ...["xoxb-1-abc", "eyJhbGciOiJIUzI1NiJ9.e30.x", "AIzaSyA-1234567890"],
  ])("of a variable and a header with the value %s", (value) => {
    expect(lineWithEnv("DATABASE_URL", value)).toContain('"--env=DATABASE_URL=${DATABASE_URL:?}"');
    const line = lineWithHeader("X-Foo", value);
    expect(line).toContain('"--header=X-Foo: ${A_X_FOO:?}"');
    expect(line).not.toContain(value);
  });
});

describe("a one-liner has the value", () => {
  test.each([
    ...["PATH", "HOME", "PORT", "LANG", "AUTHOR", "AUTHORS", "KEYBOARD", "KEYWORDS", "PATTERN"],
    ...["GITHUB_OAUTH_CALLBACK_PORT", "REDIS_ENTRAID_AUTH_FLOW", "SECRET_ARN", "MAX_TOKENS"],
    ...["DISABLE_AUTH", "ENABLE_AUTH", "NO_AUTH", "SKIP_TOKEN_CHECK", "PUBLIC_KEY", "HOTKEY"],
    ...["COMPASS_URL", "BYPASS_CACHE", "PASSIVE", "PATIENT", "LOG_LEVEL", "DSNAME", "COMPANY"],
  ])("of the variable %s", (name) =>
    expect(lineWithEnv(name, "val-1")).toContain(`--env=${name}=val-1 `),
  );

  test.each(["true", "false", "off"])("of a switch that is %s", (value) =>
    expect(lineWithEnv("USE_PRIVATE_KEY", value)).toContain(`=${value} `),
  );

  test.each([
    ...["sk-SK", "https://example.com/@scope", "http://localhost:4873/@scope/pkg"],
    ...["postgres://me@localhost/db", "a:b@c", "basic", "bearer", "2026-10-11"],
  ])("%s", (value) => expect(lineWithEnv("DATABASE_URL", value)).toContain(value));

  test.each(["/home/me/.ssh/id", "~/key.pem", "./key", "C:\\keys\\a"])("of the key %s", (value) =>
    expect(lineWithEnv("SSL_KEY", value)).not.toContain("SSL_KEY:?"),
  );

  test.each(["/wJalrXUtnFEMI/K7MDENG", "/9j/4AAQSkZJRg=="])(
    "but not of a key in base64 that only looks like a path, %s",
    (value) => expect(lineWithEnv("API_KEY", value)).not.toContain(value),
  );

  test.each(["API_KEY", "PASSWORD"])("of an empty %s", (name) => {
    const result = createMcpConfig({ name: "a", command: "b", env: { [name]: "" } });
    expect(lineWithEnv(name, "")).toContain(`--env=${name}= `);
    expect(configOf(result, "codex").install.bash).toContain(`--env ${name}= `);
    expect(configOf(result, "vscode").install.bash).not.toContain("inputs");
    expect(configOf(result, "cursor").notes.join()).not.toContain(`the value of ${name}`);
  });
});

describe("a placeholder is not a secret too", () => {
  const codesOf = (input: McpConfigInput) =>
    createMcpConfig(input)
      .warnings.map(({ code }) => code)
      .join();
  const notesOf = (input: McpConfigInput) =>
    createMcpConfig(input)
      .clients.flatMap(({ notes }) => notes)
      .join();

  test.each([
    ...["Bearer <PAT>", "Bearer YOUR_TOKEN", "Basic <user>:<password>", "sk-your-key-here"],
    ...["token xxxx", "{{API_KEY}}", "ghp_...", "https://<key>@sentry.example/1"],
  ])("in a header or a variable, %s", (value) => {
    for (const input of [
      { name: "a", url: "https://a.example", headers: { Authorization: value } },
      { name: "a", command: "b", env: { API_TOKEN: value } },
    ]) {
      expect(codesOf(input)).toBe("placeholder");
      expect(notesOf(input)).not.toContain("out of version control");
      // The shell has the value.
      expect(line(input)).not.toContain(value);
    }
  });

  test.each([
    ["an argument", { command: "b", args: ["--token", "<PAT>"] }],
    ["the query", { url: "https://a.example/mcp?api_key=YOUR_KEY" }],
  ])("in %s", (_, input) => expect(codesOf({ name: "a", ...input })).toBe("placeholder"));

  test.each(["Bearer sk-live-12345678 <x>", "ghp_abcdef012345 <PAT>"])(
    "unless there is one beside it, %s",
    (value) => expect(lineWithEnv("A", value)).toContain("${A:?}"),
  );
});

describe("with the limits of the command line", () => {
  const local = (input: McpConfigInput) =>
    createMcpConfig(input, { clients: ALL_CLIENTS, limits: "extended" });
  const codes = (url: string) => local({ name: "a", url }).warnings.map(({ code }) => code);

  test.each([
    "${URL}/mcp?token=abc",
    "http://localhost:${PORT}/mcp?token=abc",
    "${URL}/sk-live-12345678",
  ])("%s holds a secret", (url) => expect(codes(url)).toContain("secret-in-url"));

  test.each(["${URL}/mcp?token=${T}", "http://localhost:${PORT}/mcp?token=${T}", "${TOKEN_URL}"])(
    "%s holds none",
    (url) => expect(codes(url)).not.toContain("secret-in-url"),
  );

  test("a header's name is no code of a shell, and its variable has only letters", () => {
    const headers = { "X-`id`$HOME'_KEY": "abc" };
    const { clients } = local({ name: "a", url: "https://a.example", headers });
    const line = clients.find(({ client }) => client === "claude-code")?.install.bash;
    expect(line).toContain(`'--header=X-\`id\`$HOME'\\''_KEY: '"\${A_X_ID_HOME_KEY:?}"`);
  });
});
