/** @jsxImportSource preact */
import { ALL_CLIENTS, CLIENTS, mcpConfigContract } from "../../../schemas/mcp-config.ts";
import { SYSTEMS } from "../../../src/mcp-config/client-definition.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/all-clients.ts";
import type { McpConfigInParts } from "../../../src/mcp-config/mcp-config.ts";
import { formatCount } from "../../../src/text.ts";
import { Note } from "../components.tsx";
import { FieldList, IntentButton, RadioGroup } from "../form/field-components.tsx";
import type { FormState, LivePage, ToolPage, ViewProps } from "../form/form-state.ts";
import { asText, type FormValues } from "../form/form-values.ts";
import { FORM_ID, OpenFile, ToolLayout } from "../form/tool-layout.tsx";
import { ClientAction, ClientPanel, selectForTarget } from "./client-config.tsx";
import {
  applyServerIntent,
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
  type ServerRow,
  serverFormFields,
  toPageInput,
  toServerInput,
} from "./server-form.ts";
import { findMissing, hasProjectFile, joinConfigs, mcpPageTool } from "./write-servers.ts";

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
  const configs = listConfigs(state);
  // The fields show their own warnings.
  const messages = result ? state.messages.filter(({ name }) => name === "") : state.messages;
  const [file] = getClient(form) ? joinConfigs(configs) : [];
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
              aria-describedby="paste:hint"
            />
            <small class="needs-script" id="paste:hint">
              Press Enter to read it.
            </small>
          </p>
          <OpenFile
            label="Open a file"
            accept=".json,.jsonc,.toml,.md,.txt,application/json"
            canClear={!state.isBlank}
          />
        </div>
      }
      action={file && <ClientAction file={file} form={form} />}
      choices={live && <Choices form={form} live={live} />}
      blank={<p class="quiet">The config of your server appears here.</p>}
      result={(_, shown) =>
        joinConfigs(listConfigs(shown)).map((config) => (
          <ClientPanel key={config.client} file={config} form={form} />
        ))
      }
    >
      <ul class={shownIndex === -1 ? "items needs-script" : "items"} aria-label="Servers">
        {rows.map((row, index) =>
          index === shownIndex ? (
            <li key="shown">
              <ServerCard {...state} />
            </li>
          ) : (
            <ClosedServer
              key={index}
              row={row}
              index={index}
              warnings={describeWarnings(form, [row], row.isAlternative ? [] : configs)}
            />
          ),
        )}
      </ul>
      {left_out.map(({ name, reason }) => (
        <Note key={name + reason} kind="warn">
          <p>
            <strong>“{name}” is left out:</strong> {reason}.
          </p>
          {live && (
            <IntentButton
              intent={`enter-left-out ${name}`}
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

/** The configs of all servers. Without scripts, a single server has only its result. */
const listConfigs = ({ result, extra }: McpConfigState): AllConfigs =>
  extra ?? (result ? [result] : []);

/** Counts the values that servers lack, and the warnings. Those about a client are beside its config. */
function describeWarnings(form: FormValues, rows: readonly ServerRow[], configs: AllConfigs) {
  const missing = findMissing(form, rows);
  const warnings = configs
    .filter(({ name }) => rows.some(({ input }) => input.name === name))
    .flatMap((config) => config.warnings)
    .filter(({ severity, path }) => severity === "warning" && path[0] !== "clients")
    .filter(({ code }) => code !== "placeholder");
  return [
    ...(missing.length > 0 ? [`${formatCount(missing.length, "value")} missing`] : []),
    ...(warnings.length > 0 ? [formatCount(warnings.length, "warning")] : []),
  ];
}

/** The server in the fields of the form. */
function ServerCard({ form, input, ...state }: McpConfigState) {
  const { rows, shownIndex } = listServers(form);
  const blanks = findMissing(form, [toServerInput(form)]).filter(({ text }) => text === "");
  const messages = [
    ...state.messages,
    ...blanks.map(({ path }) => {
      const message = `write ${path[1]} here.`;
      return { severity: "warning" as const, name: state.nameOf(path), place: "", message };
    }),
  ];
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
        {rows.length > 1 && (
          <div class="line end">
            <IntentButton intent={`close ${shownIndex}`} class="bare small" label={`Close ${name}`}>
              Close
            </IntentButton>
            <IntentButton intent="remove-server" label={`Leave out ${name}`} class="bare remove">
              ×
            </IntentButton>
          </div>
        )}
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
        <FieldList {...group} show={["url"]} />
        <RadioGroup
          class="segments"
          label="Transport"
          name="transport"
          value={asText(form.get("transport")) || "http"}
          choices={{ http: "Streamable HTTP", sse: "SSE (older)" }}
        />
        <FieldList {...group} show={["headers"]} />
      </div>
    </fieldset>
  );
}

interface ClosedProps {
  readonly row: ServerRow;
  readonly index: number;
  readonly warnings: readonly string[];
}

/** A server in a line, which opens in the place of the other. */
function ClosedServer({ row, index, warnings }: ClosedProps) {
  const { name, url } = row.input;
  const secrets = listSecrets(row.input).length;
  const kind = url === undefined ? "Local" : row.transport ? "SSE" : "Remote";
  const action = row.isAlternative ? "Use this way" : `Edit ${name}`;
  return (
    <li class="closed">
      <IntentButton
        intent={`show ${index}`}
        class="bare row"
        label={[`${action}: ${describeServer(row)}`, ...warnings].join(", ")}
      >
        <span class="what">
          <strong>{row.isAlternative ? `Or ${kind}` : name || "New server"}</strong>{" "}
          <code class="quiet">{describeServer(row)}</code>
        </span>
        <span class="tags">
          {warnings.map((words) => (
            <span key={words} class="tag warn">
              {words}
            </span>
          ))}
          {secrets > 0 && <span class="tag plain">{formatCount(secrets, "secret")}</span>}
          {row.isAlternative ? (
            <span class="button small">Use this way</span>
          ) : (
            <span class="tag plain">{kind}</span>
          )}
        </span>
      </IntentButton>
    </li>
  );
}

const describeServer = ({ input: { command, args = [], url } }: ServerRow): string =>
  url ?? [command, ...args].join(" ");

/** What the user of a link should know before using its server. */
const describeEffect = (row: ServerRow): string =>
  row.input.url === undefined
    ? `run this program on your computer: ${describeServer(row)}`
    : `connect your AI client to ${row.input.url}`;

const SERVER_KIND_LABELS = { stdio: "local", http: "remote", sse: "remote SSE" } as const;

/** The outcome, or the next step, in a sentence. */
function formatSummary(state: McpConfigState): string {
  const { form, result, input, isBlank } = state;
  if (result) {
    const configs = listConfigs(state);
    const isOne = configs.length === 1;
    const warnings = describeWarnings(form, listWritten(form), isOne ? [] : configs);
    const [file] = getClient(form) ? joinConfigs(configs) : [];
    const what = file ? selectForTarget(file, form).what : "file";
    const many = what === "file" ? "all in one file" : `${configs.length} ${what}`;
    const { length } = listServers(form).left_out;
    return [
      isOne
        ? `The ${SERVER_KIND_LABELS[result.transport]} server “${result.name}”`
        : formatCount(configs.length, "server"),
      ...(warnings.length > 0 ? warnings : [isOne ? `for ${ALL_CLIENTS.length} clients` : many]),
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

/** The choice of client, scope and OS, which the browser remembers. */
function Choices({ form, live }: { readonly form: FormValues; readonly live: LivePage<object> }) {
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
            onChange={({ currentTarget: { value } }) =>
              live.setPreferences({ client: value, more: value })
            }
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
