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
import { FORM_ID, OpenFile, ToolLayout } from "../form/tool-layout.tsx";
import { ClientAction, ClientPanel } from "./client-config.tsx";
import {
  applyServerIntent,
  countMissing,
  EXAMPLES,
  getClient,
  getRunOptions,
  getServerKind,
  HIDDEN_CONTROLS,
  isSse,
  listSecrets,
  listServers,
  listWritten,
  maskSecretsInForm,
  SECRETS_REMOVED,
  type ServerRow,
  serverFormFields,
  toPageInput,
} from "./server-form.ts";
import { hasProjectFile, joinConfigs, mcpPageTool, replaceSecrets } from "./write-servers.ts";

type AllConfigs = readonly McpConfigInParts[];

export const mcpConfigPage: ToolPage<McpConfigInParts, AllConfigs> = {
  contract: mcpConfigContract,
  tool: mcpPageTool,
  product: "MCP configs",
  action: "Make a config",
  lead: `Paste a server as you found it. Get its config for ${ALL_CLIENTS.length} AI clients.`,
  fields: serverFormFields,
  toInput: toPageInput,
  options: getRunOptions,
  withoutSecrets: maskSecretsInForm,
  draftOmits: "the values of variables and headers, and what looks like a secret",
  linkedControls: ["client", "scope", "system"],
  whyNotShareable(form) {
    if (isSse(form)) return "There is no API call and no link for SSE.";
    return listWritten(form).length > 1 ? "A link or an API call holds one server." : undefined;
  },
  applyIntent: applyServerIntent,
  summary: formatSummary,
  view: McpConfigPage,
};

type McpConfigState = FormState<McpConfigInParts, AllConfigs>;

function McpConfigPage({ state, live }: ViewProps<McpConfigInParts, AllConfigs>) {
  const { form, result } = state;
  const { rows, shownIndex, left_out } = listServers(form);
  const isList = rows.length > 1;
  // The fields show their own warnings.
  const messages = result ? state.messages.filter(({ name }) => name === "") : state.messages;
  const target = {
    system: Object.keys(SYSTEMS).find((system) => system === form.get("system")) ?? "",
    scope: asText(form.get("scope")),
  };
  const [file] = result && getClient(form) ? joinConfigs(state.extra ?? [result]) : [];
  return (
    <ToolLayout
      state={{ ...state, messages }}
      live={live}
      hidden={HIDDEN_CONTROLS}
      effects={() => rows.map(describeEffect)}
      start={
        <div class="begin">
          <p class="paste">
            <label for="paste">A command, a config or a README</label>
            {/* Where scripts run, the page reads it, and it is no part of the form. */}
            <textarea
              id="paste"
              {...(live ? { form: "" } : { name: "paste", value: asText(form.get("paste")) })}
              rows={3}
              placeholder="e.g. npx -y @acme/notes"
              autocapitalize="off"
              autocomplete="off"
              spellcheck={false}
            />
          </p>
          <OpenFile
            label="Open a file"
            accept=".json,.jsonc,.toml,.md,.txt,application/json"
            canClear={!state.isBlank}
          />
        </div>
      }
      action={file && <ClientAction file={file} target={target} />}
      choices={live && <Choices state={state} prefer={live.setPreferences} />}
      blank={<p class="quiet">The config of your server appears here.</p>}
      result={(result, shown) => {
        const replacedServers = listServers(shown.form).rows.map(({ input }) =>
          replaceSecrets(input, shown.form),
        );
        const namesOf = (kind: "variables" | "secrets") => [
          ...new Set(replacedServers.flatMap((server) => server[kind])),
        ];
        return joinConfigs(shown.extra ?? [result]).map((config) => (
          <ClientPanel
            key={config.client}
            file={config}
            target={target}
            variables={namesOf("variables")}
            secrets={namesOf("secrets")}
          />
        ));
      }}
    >
      <ul class={shownIndex === -1 ? "items needs-script" : "items"} aria-label="Servers">
        {rows.map((row, index) =>
          index === shownIndex ? (
            <li key="shown">
              <ServerCard {...state} isOneOfSeveral={isList} index={index} />
            </li>
          ) : (
            <ClosedServer key={index} row={row} index={index} />
          ),
        )}
      </ul>
      {left_out.map(({ name, reason }, index) => (
        <Note key={name + reason} kind="warn">
          <p>
            <strong>“{name}” is left out:</strong> {reason}.
          </p>
          {live && (
            <IntentButton
              intent={`enter-left-out ${index}`}
              class="small"
              label={`Enter ${name} by hand`}
            >
              Enter it
            </IntentButton>
          )}
        </Note>
      ))}
      <div class="line">
        {state.isBlank ? (
          <>
            <span class="quiet">Or try</span>
            {[...EXAMPLES.keys()].map((line) => (
              <IntentButton key={line} intent={`preset ${line}`} class="small">
                <code>{line}</code>
              </IntentButton>
            ))}
          </>
        ) : (
          <IntentButton intent="add-server" class="small needs-script">
            Add a server
          </IntentButton>
        )}
      </div>
    </ToolLayout>
  );
}

interface CardProps extends McpConfigState {
  readonly isOneOfSeveral: boolean;
  readonly index: number;
}

/** The server in the fields of the form. */
function ServerCard({ form, input, isOneOfSeveral, index, ...state }: CardProps) {
  const messages = state.messages.map((message) =>
    form.has(SECRETS_REMOVED) && message.code === "placeholder"
      ? { ...message, message: "not kept. Type it again." }
      : message,
  );
  const group = { name: "", value: form, messages, fields: serverFormFields };
  const name = asText(form.get("name"));
  return (
    <fieldset class="card">
      <legend class="visually-hidden">Server</legend>
      <div class="card-head">
        <FieldList {...group} show={["name"]} />
        <RadioGroup
          class="segments"
          label="Kind"
          name="use"
          value={getServerKind(form)}
          choices={{ local: "Local", remote: "Remote" }}
        />
        {isOneOfSeveral && (
          <IntentButton intent={`close ${index}`} class="bare small" label={`Close ${name}`}>
            Close
          </IntentButton>
        )}
        {isOneOfSeveral && <LeaveOutButton index={index} name={name} />}
      </div>
      {name !== "" && name !== input.name && typeof input.name === "string" && (
        <p class="line rename">
          <small>Use only letters, digits, - and _.</small>
          <IntentButton intent="rename" class="small">
            Use {input.name}
          </IntentButton>
        </p>
      )}
      <FieldList {...group} class="of-local" show={["command", "args", "env"]} />
      <div class="of-remote">
        <FieldList {...group} show={["url", "headers"]} />
        <RadioGroup
          class="segments"
          label="Transport"
          name="transport"
          value={asText(form.get("transport")) || "http"}
          choices={{ http: "Streamable HTTP", sse: "SSE (older)" }}
        />
      </div>
    </fieldset>
  );
}

/** A server in a line, which opens in the place of the other. */
function ClosedServer({ row, index }: { readonly row: ServerRow; readonly index: number }) {
  const secrets = listSecrets(row.input).length;
  const missing = countMissing(row);
  return (
    <li class={row.isAlternative ? "closed out" : "closed"}>
      <IntentButton
        intent={`show ${index}`}
        class="bare row"
        label={`${row.isAlternative ? "Use" : "Edit"} ${row.input.name}: ${describeServer(row)}`}
      >
        <span class="what">
          <strong>{row.input.name || "New server"}</strong>{" "}
          <code class="quiet">{describeServer(row)}</code>
        </span>
        <span class="tags">
          {missing > 0 && <span class="tag warn">{formatCount(missing, "value")} missing</span>}
          {secrets > 0 && <span class="tag plain">{formatCount(secrets, "secret")}</span>}
          <span class="tag plain">
            {row.isAlternative ? "Another way" : row.input.url === undefined ? "Local" : "Remote"}
          </span>
        </span>
      </IntentButton>
      <LeaveOutButton index={index} name={row.input.name ?? ""} />
    </li>
  );
}

const LeaveOutButton = ({ index, name }: { readonly index: number; readonly name: string }) => (
  <IntentButton intent={`remove-server ${index}`} label={`Leave out ${name}`} class="bare remove">
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
function formatSummary({ form, result, extra = [], input, isBlank }: McpConfigState): string {
  if (result) {
    const isOne = extra.length < 2;
    const what = isOne
      ? `The ${SERVER_KIND_LABELS[result.transport]} server “${result.name}”`
      : formatCount(extra.length, "server");
    const missing = listWritten(form).reduce((sum, row) => sum + countMissing(row), 0);
    const { length } = listServers(form).left_out;
    const use = isOne ? `for ${ALL_CLIENTS.length} clients` : "all in one file";
    return [
      what,
      missing > 0 ? `${formatCount(missing, "value")} missing` : use,
      ...(length > 0 ? [`${length} left out`] : []),
    ]
      .join(", ")
      .concat(".");
  }
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
function Choices({ state: { form }, prefer }: ChoicesProps) {
  const client = getClient(form);
  const shown = ALL_CLIENTS.filter((one) => [...CLIENTS, client, form.get("more")].includes(one));
  const others = ALL_CLIENTS.filter((one) => !shown.includes(one));
  const radio = (name: string) => ({
    name,
    form: FORM_ID,
    class: "segments",
    value: asText(form.get(name)),
  });
  const hasProject = client !== undefined && hasProjectFile(client);
  return (
    <>
      <RadioGroup {...radio("client")} label="Client" choices={titlesOf(shown)}>
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
      </RadioGroup>
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
