import { join } from "node:path";
import { BRIDGE } from "../../../src/mcp-config/bridge.ts";
import { type Check, expectSame } from "../runner.ts";
import { expectAsked, generated, type RemoteInput, remoteCases, type Workspace } from "./cases.ts";
import { askInJsonLines, initialize, type RemoteProbe, startRemoteProbe } from "./probes.ts";

/** The bridge that Claude Desktop starts asks the server with the headers. */
export function bridgeChecks(bin: string, { home }: Workspace, probe: RemoteProbe): Check[] {
  const connect = async (input: RemoteInput, probe: RemoteProbe): Promise<void> => {
    const { snippet } = generated(input, "claude-desktop");
    const { command, args, env } = JSON.parse(snippet).mcpServers[input.name];
    const [yes, spec, ...rest] = args;
    expectSame([command, yes, spec], ["npx", "-y", `${BRIDGE.package}@${BRIDGE.version}`]);

    probe.takeRequests();
    const PATH = process.env.PATH ?? "";
    const [answer] = await askInJsonLines(join(bin, "mcp-remote"), rest, [initialize], {
      env: { ...env, PATH, HOME: home },
    });
    expectSame(answer?.result?.serverInfo, { name: "probe", version: "1.0.0" });
    expectAsked(input, probe);
  };

  return [
    ...remoteCases(probe).map((input) => ({
      title: `mcp-remote, from Claude Desktop's snippet, asks ${input.name} with its headers`,
      run: () => connect(input, probe),
    })),
    {
      title: "mcp-remote asks plain http at [::1], for which it wants --allow-http",
      run: async () => {
        const other = startRemoteProbe("::1");
        try {
          await connect({ name: "ipv6", url: `${other.url}/mcp`, headers: {} }, other);
        } finally {
          other.stop();
        }
      },
    },
  ];
}
