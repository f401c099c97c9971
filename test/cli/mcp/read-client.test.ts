import { expect, test } from "bun:test";
import { ALL_CLIENTS } from "../../../schemas/mcp-config.ts";
import { commandLine } from "../support.ts";

const HOME = "/home/ada";

type World = NonNullable<Parameters<typeof commandLine>[1]>;
const install = (argv: readonly string[], world: World) =>
  commandLine(["mcp-install", ...argv], { environment: { HOME }, ...world });

test.each(ALL_CLIENTS)(
  "mcp-install --from gives every other client the servers of %s, once",
  async (source) => {
    const several = JSON.stringify({
      mcpServers: {
        files: { command: "npx", args: ["a b", "${A}"], env: { A: "${A}", B: "x" } },
        api: { url: "https://x.test/mcp", headers: { Authorization: "Bearer ${T}", X: "k$HOME" } },
        events: { type: "sse", url: "https://x.test/sse" },
      },
    });
    // Without --file its program alone may write that of Claude Code.
    const file = source === "claude-code" ? ["--file", `${HOME}/.claude.json`] : [];
    const files = { "in.json": several };
    const there = await install(["in.json", "--client", source, ...file], { files });
    const others = ALL_CLIENTS.filter((client) => client !== source && client !== "claude-code");
    const argv = ["--from", source, ...others.flatMap((client) => ["--client", client])];
    const made = await install(argv, { files: there.files });
    expect(made.out.match(/: added /g)).toHaveLength(3 * others.length);
    const again = await install([...argv, "--check"], { files: made.files });
    expect(again).toMatchObject({ exitCode: 0, out: "", files: made.files });
  },
);
