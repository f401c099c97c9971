/** @jsxImportSource preact */
import { ALL_CLIENTS, CLIENTS, mcpConfigContract } from "../../../schemas/mcp-config.ts";
import { SYSTEMS } from "../../../src/mcp-config/client-definition.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/all-clients.ts";
import type { McpConfigInParts } from "../../../src/mcp-config/mcp-config.ts";
import { formatCount } from "../../../src/text.ts";
import { Note } from "../components.tsx";
import { FieldList, IntentButton, RadioGroup } from "../form/field-components.tsx";
import type { FormState, ToolPage, ViewProps } from "../form/form-state.ts";
import { asText } from "../form/form-values.ts";
import { FORM_ID, OpenFile, PasteBox, ToolLayout } from "../form/tool-layout.tsx";
import { ClientAction, ClientPanel } from "./client-config.tsx";
import {
  applyServerIntent,
  EXAMPLES,
  getClient,
  getRunOptions,
  getServerKind,
  HIDDEN_CONTROLS,
  isSse,
  listServers,
  maskSecretsInForm,
  type ServerRow,
  serverFormFields,
  toServerInput,
  WITH_VALUES,
} from "./server-form.ts";
import { joinConfigs, mcpPageTool, needsVariables, variablesForSecrets } from "./write-servers.ts";

/** The configs of all servers of the form. */
type AllConfigs = readonly McpConfigInParts[];

export const mcpConfigPage: ToolPage<McpConfigInParts, AllConfigs> = {
  contract: mcpConfigContract,
  tool: mcpPageTool,
  product: "MCP configs",
  action: "Make a config",
  lead: `Paste a server as you found it. Get its config for ${ALL_CLIENTS.length} AI clients.`,
  fields: serverFormFields,
  toInput: toServerInput,
  options: getRunOptions,
  withoutSecrets: maskSecretsInForm,
  leftOut: "the values of variables and headers, and what looks like a secret",
  linked: ["client", "scope", "system"],
  beyondApi(tree) {
    if (isSse(tree)) return "There is no API call and no link for SSE.";
    return listServers(tree).rows.filter(({ isAlternative }) => !isAlternative).length > 1
      ? "An API call and a link hold one server each."
      : undefined;
  },
  press: applyServerIntent,
  summary: formatSummary,
  view: McpConfigPage,
};

type McpConfigState = FormState<McpConfigInParts, AllConfigs>;

/** The form with its outcome. */
function McpConfigPage({ state, hydrateToolPage }: ViewProps<McpConfigInParts, AllConfigs>) {
  const { tree, result } = state;
  const { rows, shownIndex, left_out } = listServers(tree);
  const isBlank = state.isBlank && rows.length === 1;
  const target = {
    system: Object.keys(SYSTEMS).find((system) => system === tree.get("system")) ?? "",
    scope: asText(tree.get("scope")),
  };
  const [file] = result && getClient(tree) ? joinConfigs(state.read ?? [result]) : [];
  return (
    <ToolLayout
      state={state}
      live={hydrateToolPage}
      hidden={HIDDEN_CONTROLS}
      effects={() => rows.map(describeEffect)}
      start={
        <div class="begin">
          <PasteBox
            label="A command, a config or a README"
            rows={3}
            placeholder={'{ "mcpServers": { "notes": { "command": "npx", … } } }'}
            live={hydrateToolPage}
          />
          <OpenFile
            label="Open a file"
            accept=".json,.jsonc,.toml,.md,.txt,application/json"
            live={hydrateToolPage}
            canClear={!isBlank}
          />
        </div>
      }
      action={file && <ClientAction file={file} target={target} />}
      choices={hydrateToolPage && <Choices state={state} prefer={hydrateToolPage.prefer} />}
      blank={
        <p class="quiet">
          {rows.length > 1
            ? "Your other servers are kept. Paste or type the next one."
            : "The config of your server appears here."}
        </p>
      }
      result={(result, form) => {
        const client = getClient(form.tree);
        const secrets =
          client && needsVariables(form.tree)
            ? listServers(form.tree).rows.flatMap(({ input }) => [
                ...variablesForSecrets(input, client).values(),
              ])
            : [];
        return (
          <>
            {joinConfigs(form.read ?? [result]).map((config) => (
              <ClientPanel
                key={config.client}
                file={config}
                target={target}
                variables={[...new Set(secrets)]}
                isWithValues={tree.has(WITH_VALUES)}
              />
            ))}
          </>
        );
      }}
    >
      <ul class="items" aria-label="Servers">
        {rows.map((row, index) =>
          index === shownIndex ? (
            <li key="shown">
              <ServerCard {...state} canLeaveOut={rows.length > 1} index={index} />
            </li>
          ) : (
            <ClosedServer key={index} row={row} index={index} />
          ),
        )}
      </ul>
      {left_out.map(({ name, reason }) => (
        <Note key={name + reason} kind="warn">
          <p>
            <strong>“{name}” is left out:</strong> {reason}.
          </p>
        </Note>
      ))}
      <div class="line">
        {isBlank ? (
          <>
            <span class="quiet">Or try</span>
            {[...EXAMPLES.keys()].map((line) => (
              <IntentButton key={line} command={`preset ${line}`} class="small example-line">
                <code>{line}</code>
              </IntentButton>
            ))}
          </>
        ) : (
          <IntentButton command="another" class="small needs-script">
            Add a server
          </IntentButton>
        )}
      </div>
    </ToolLayout>
  );
}

interface CardProps extends McpConfigState {
  readonly canLeaveOut: boolean;
  readonly index: number;
}

/** The server in the fields of the form. */
function ServerCard({ tree, notes, input, canLeaveOut, index }: CardProps) {
  const form = { name: "", value: tree, notes, fields: serverFormFields };
  const name = asText(tree.get("name"));
  return (
    <fieldset class="card">
      <legend class="visually-hidden">Server</legend>
      <div class="card-head">
        <FieldList {...form} show={["name"]} />
        <RadioGroup
          class="segments"
          label="Kind"
          name="use"
          value={getServerKind(tree)}
          choices={{ local: "Local", remote: "Remote" }}
        />
        {canLeaveOut && <LeaveOutButton index={index} name={name} />}
      </div>
      {name !== "" && name !== input.name && typeof input.name === "string" && (
        <p class="line rename">
          <small>Use only letters, digits, - and _.</small>
          <IntentButton command="rename" class="small">
            Use {input.name}
          </IntentButton>
        </p>
      )}
      <FieldList {...form} class="of-local" show={["command", "args", "env"]} />
      <div class="of-remote">
        <FieldList {...form} show={["url", "headers"]} />
        <RadioGroup
          class="segments"
          label="Transport"
          name="transport"
          value={asText(tree.get("transport")) || "http"}
          choices={{ http: "Streamable HTTP", sse: "SSE (older)" }}
        />
      </div>
    </fieldset>
  );
}

/** A server in a line, which opens in the place of the other. */
const ClosedServer = ({ row, index }: { readonly row: ServerRow; readonly index: number }) => (
  <li class={row.isAlternative ? "out" : ""}>
    <IntentButton
      command={`show ${index}`}
      class="bare row"
      label={`${row.isAlternative ? "Use" : "Edit"} ${row.input.name}: ${describeServer(row)}`}
    >
      <span class="what">
        <strong>{row.input.name || "New server"}</strong>{" "}
        <code class="quiet">{describeServer(row)}</code>
      </span>
      <span class="tag">
        {row.isAlternative ? "Another way" : row.input.url === undefined ? "Local" : "Remote"}
      </span>
    </IntentButton>
    <LeaveOutButton index={index} name={row.input.name ?? ""} />
  </li>
);

const LeaveOutButton = ({ index, name }: { readonly index: number; readonly name: string }) => (
  <IntentButton command={`leave ${index}`} label={`Leave out ${name}`} class="bare remove">
    ×
  </IntentButton>
);

const describeServer = ({ input: { command, args = [], url } }: ServerRow): string =>
  url ?? [command, ...args].join(" ");

/** What the user of a link should know before using its server. */
const describeEffect = (row: ServerRow): string =>
  row.input.url === undefined
    ? `run this program on your computer: ${describeServer(row)}`
    : `connect your AI client to ${row.input.url}`;

const SERVER_KIND_LABELS = { stdio: "local", http: "remote", sse: "remote SSE" } as const;

/** The outcome, or the next step, in a sentence. */
function formatSummary({ result, read, input, isBlank }: McpConfigState): string {
  if (result)
    return read && read.length > 1
      ? `${formatCount(read.length, "server")}, all in one file.`
      : `The ${SERVER_KIND_LABELS[result.transport]} server “${result.name}”, for ${ALL_CLIENTS.length} clients.`;
  if (isBlank) return "Start with a command or a URL";
  if (!("name" in input)) return "Now enter a name for the server.";
  return "command" in input || "url" in input
    ? "Now check the fields above."
    : "Now enter the command that starts the server, or its URL.";
}

interface ChoicesProps {
  readonly state: McpConfigState;
  readonly prefer: (choices: Readonly<Record<string, string>>) => void;
}

/** The choice of client, scope and OS, which the browser remembers. */
function Choices({ state: { tree }, prefer }: ChoicesProps) {
  const client = getClient(tree);
  const shown = ALL_CLIENTS.filter((one) => [...CLIENTS, client, tree.get("more")].includes(one));
  const others = ALL_CLIENTS.filter((one) => !shown.includes(one));
  const radio = (name: string) => ({
    name,
    form: FORM_ID,
    class: "segments",
    value: asText(tree.get(name)),
  });
  const hasProject =
    client && clientDefinitions[client].locations.some(({ scope }) => scope === "project");
  return (
    <>
      <div class="line clients">
        <RadioGroup {...radio("client")} label="Client" choices={titlesOf(shown)} />
        {others.length > 0 && (
          <select
            class="small"
            form=""
            aria-label="More clients"
            value=""
            onChange={({ currentTarget: { value } }) => prefer({ client: value, more: value })}
          >
            <option value="">{others.length} more</option>
            {Object.entries(titlesOf(others)).map(([id, title]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        )}
      </div>
      <div class="line" id="scope">
        {hasProject && (
          <>
            <span class="quiet">Save it for</span>
            <RadioGroup
              {...radio("scope")}
              label="Save it for"
              choices={{ user: "me", project: "this project" }}
            />
          </>
        )}
        <span class="quiet">{hasProject ? "on" : "Save it on"}</span>
        <RadioGroup {...radio("system")} label="Your system" choices={SYSTEMS} />
      </div>
    </>
  );
}

const titlesOf = (clients: readonly (keyof typeof clientDefinitions)[]) =>
  Object.fromEntries(clients.map((client) => [client, clientDefinitions[client].title]));
