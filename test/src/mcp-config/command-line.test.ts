import { expect, test } from "bun:test";
import { splitCommandLine } from "../../../src/mcp-config/command-line.ts";

test.each<[string, string[] | undefined]>([
  ["npx -y server", ["npx", "-y", "server"]],
  ["  uvx   server\n--flag ", ["uvx", "server", "--flag"]],
  ["npx -y 'my server' \"a b\"", ["npx", "-y", "my server", "a b"]],
  [`run --a="b c"d'e f'`, ["run", "--a=b cde f"]],
  ['run "say \\"hi\\" \\n" \\$HOME a\\ b', ["run", 'say "hi" \\n', "$HOME", "a b"]],
  ["run '' x", ["run", "", "x"]],
  ["run '\"' \"'\"", ["run", '"', "'"]],
  ["server", undefined],
  ["", undefined],
  ["run 'a", undefined],
  ['run "a', undefined],
  ["run a\\", undefined],
])("%j is %j", (text, words) => {
  const line = splitCommandLine(text);
  expect(line && [line.command, ...line.args]).toEqual(words);
});
