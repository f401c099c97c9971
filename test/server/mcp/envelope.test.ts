import { describe, expect, test } from "bun:test";
import { type WorstMessage, worstMessages } from "../../support/worst-messages.ts";
import { mcpPost } from "../support/http.ts";
import { asLines, linesOf, overStdio } from "../support/mcp.ts";
import { runningServer } from "../support/servers.ts";

const server = runningServer();

const post = ({ headers, body }: Pick<WorstMessage, "headers" | "body">) =>
  server.fetch("/mcp", mcpPost(body, headers));

/** The lines with which the server answers these messages over standard output. */
const converse = async (messages: readonly string[]): Promise<string[]> =>
  linesOf(await overStdio(asLines(messages)));

/** A list of tools has 20 KB, a discovery less than 1 KB. */
const LONGEST_ANSWER = 24_000;

interface Answer {
  readonly error?: { readonly message: string };
  readonly result?: { readonly isError?: boolean; readonly content: readonly { text: string }[] };
}

/** The text of a result that is a problem. */
const resultTexts = ({ result }: Answer): string[] =>
  result?.isError ? result.content.map(({ text }) => text) : [];

describe("the answer to a hostile message is at most three times as long, beside a list of tools:", () => {
  test.each(worstMessages().map((message) => [message.title, message] as const))(
    "%s",
    async (_, message) => {
      const response = await post(message);
      expect(response.status).toBeLessThan(500);
      const text = await response.text();
      const sent = message.body.length + Object.values(message.headers).join("").length;
      expect(text.length).toBeLessThan(LONGEST_ANSWER + 3 * sent);
      for (const problem of text === "" ? [] : resultTexts(JSON.parse(text))) {
        expect(Buffer.byteLength(problem)).toBeLessThanOrEqual(2_048);
      }
    },
  );
});

test("hostile messages are answered over standard output", async () => {
  const answers = await converse(worstMessages().map(({ body }) => body));
  expect(answers.length).toBeGreaterThan(40);
  expect(answers.join("").length).toBeLessThan(200_000);
});

const messageOf = (id: number, name: string, input: object): string =>
  JSON.stringify({
    ...{ jsonrpc: "2.0", id, method: "tools/call" },
    params: { name, arguments: input, _meta: META },
  });

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

test("a result whose answer would be too long is a problem that a model can mend", async () => {
  // A result of about 470 KB, which an answer has twice.
  const args = Array.from({ length: 9 }, () => "\u007f".repeat(500));
  const body = messageOf(1, "mcp_config_generator", { name: "files", command: "npx", args });
  const headers = {
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Mcp-Name": "mcp_config_generator",
  };
  const overHttp = await (await post({ headers, body })).text();
  const [overLines = ""] = await converse([body]);
  for (const answer of [overHttp, overLines]) {
    const [text] = resultTexts(JSON.parse(answer));
    expect(text).toStartWith("args: must be shorter: the result would exceed 333,333 bytes");
  }
});

test("an unknown tool's name is repeated without controls", async () => {
  const [answer = ""] = await converse([messageOf(1, "\u009b31m\u202e", {})]);
  expect(JSON.parse(answer).error.message).toContain('No tool is named "\\u009b31m\\u202e"');
});
