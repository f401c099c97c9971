import { tools } from "../../../schemas/index.ts";
import { libraryResult } from "../../server/support/http.ts";
import type { Checks } from "../package/linters.ts";
import { execute } from "../programs.ts";

/** The kinds of client that Inspector can be: before 2026-07-28, since, and one that tries both. */
const ERAS = ["legacy", "auto", "modern"];

/**
 * Lets Inspector list and call the tools as clients of every era do.
 *
 * @param target the server's URL, or the command line that starts it.
 */
export async function checkInspector(
  inspector: readonly string[],
  target: readonly string[],
  cwd: string,
  checks: Checks,
): Promise<void> {
  const transport = target.length > 1 ? "stdio" : "HTTP";
  for (const era of ERAS) {
    const inspect = (...flags: string[]) =>
      execute(
        [...inspector, "--cli", ...target, "--protocol-era", era, "--format", "json", ...flags],
        { cwd },
      );
    const title = `Inspector, ${era}, ${transport}`;

    // Strict: no client has trouble with the schemas.
    const list = await inspect("--method", "tools/list", "--strict");
    checks.same(
      `${title}: lists the tools, without a finding`,
      list.exitCode === 0 && list.error === "" ? namesIn(list.out) : list.error || list.out,
      tools.map(({ name }) => name).join(),
    );
    for (const tool of tools) {
      const call = ["--method", "tools/call", "--tool-name", tool.name, "--tool-args-json"];
      const { out, error } = await inspect(...call, JSON.stringify(tool.example_input), "-q");
      checks.same(
        `${title}: calls ${tool.name}`,
        error || structuredIn(out),
        libraryResult(tool, tool.example_input),
      );
    }
    const call = ["--method", "tools/call", "--tool-name", "mcp_config_generator"];
    const wrong = await inspect(...call, "--tool-args-json", '{"name":"a b"}', "-q");
    checks.add(
      `${title}: gets the problem of a wrong argument`,
      wrong.error.includes('"tool_is_error"') && wrong.out.includes("name: must be")
        ? ""
        : wrong.out + wrong.error,
    );
  }
}

const namesIn = (out: string): string =>
  resultIn(out)
    .tools.map(({ name }: { name: string }) => name)
    .join();

const structuredIn = (out: string): string => JSON.stringify(resultIn(out).structuredContent);

function resultIn(out: string) {
  const answer = JSON.parse(out);
  return answer.result ?? answer;
}
