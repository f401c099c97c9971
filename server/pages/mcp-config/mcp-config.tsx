import type { McpConfigInput } from "../../../schemas/mcp-config.ts";
import {
  ALL_CLIENTS,
  type McpConfigResult,
  mcpConfigContract,
} from "../../../schemas/mcp-config.ts";
import { plural } from "../../../src/text.ts";
import { FieldIn } from "../form/fields.tsx";
import { type FieldsOf, textOf, treeAt } from "../form/form.ts";
import type { Shown } from "../form/live.ts";
import type { State, ToolPage } from "../form/run-form.ts";
import { Workbench } from "../form/workbench.tsx";
import { CopyBlock } from "../parts.tsx";

const fields = {
  name: { kind: "text", label: "Name", hint: "Letters, digits, - and _.", placeholder: "files" },
  command: { kind: "text", label: "Command", hint: "The program.", placeholder: "npx" },
  args: { kind: "texts", label: "Arguments", hint: "One argument per field.", placeholder: "-y" },
  env: { kind: "map", label: "Environment", hint: "Variables, such as API_KEY." },
  url: { kind: "text", label: "URL", placeholder: "https://mcp.example.com/mcp" },
  headers: { kind: "map", label: "Headers", hint: "HTTP headers, such as Authorization." },
} as const satisfies FieldsOf<McpConfigInput>;

const KINDS = [
  { id: "local", title: "Local program", fields: ["command", "args", "env"] },
  { id: "remote", title: "Remote server", fields: ["url", "headers"] },
] as const;

export const mcpConfigPage: ToolPage<McpConfigResult> = {
  contract: mcpConfigContract,
  product: "MCP configs",
  action: "Make a config",
  lead: "Paste one MCP server, and get the config for each AI client.",
  fields,
  options: () => ({ clients: ALL_CLIENTS }),
  withoutSecrets(tree) {
    const kept = structuredClone(tree);
    for (const map of ["env", "headers"])
      for (const pair of treeAt(kept, [map]).values())
        if (pair instanceof Map) pair.set("value", "");
    return kept;
  },
  leftOut: "the values of variables and headers",
  summary: ({ result }) => (result ? `For ${plural(result.clients.length, "client")}.` : ""),
  view: McpConfigPage,
};

interface PageProps {
  readonly state: State<McpConfigResult>;
  readonly live?: Shown<McpConfigResult>;
}

/** A second page on the same parts: a flat form with maps, and two kinds that exclude each other. */
export function McpConfigPage({ state, live }: PageProps) {
  const { tree, notes } = state;
  const at = { name: "", value: tree, notes, fields };
  const kind =
    textOf(tree.get("use")) || (tree.has("url") && !tree.get("command") ? "remote" : "local");
  return (
    <Workbench
      state={state}
      live={live}
      start={null}
      result={({ clients }) =>
        clients.map(({ client, title, snippet }) => (
          <CopyBlock key={client} label={title} text={snippet} />
        ))
      }
    >
      <div class="fields">
        <FieldIn {...at} of="name" />
      </div>
      <div class="uses" role="radiogroup" aria-label="Kind">
        {KINDS.map(({ id, title }) => (
          <label key={id}>
            <input type="radio" name="use" value={id} checked={kind === id} /> {title}
          </label>
        ))}
      </div>
      {KINDS.map(({ id, fields: names }) => (
        <div key={id} hidden={kind !== id}>
          <div class="fields">
            {names.map((name) => (
              <FieldIn key={name} {...at} of={name} />
            ))}
          </div>
        </div>
      ))}
    </Workbench>
  );
}
