/** @jsxImportSource preact */
import type { Warning } from "../../../schemas/index.ts";
import {
  ALL_CLIENTS,
  type ClientConfig,
  type ClientLocation,
  type McpConfigInput,
  type McpConfigResult,
  mcpConfigContract,
} from "../../../schemas/mcp-config.ts";
import { type ClientNote, SYSTEMS } from "../../../src/mcp-config/client-definition.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/all-clients.ts";
import { writeNotes } from "../../../src/mcp-config/mcp-config.ts";
import {
  Code,
  CopyBlock,
  type CopyBlockProps,
  CopyButton,
  Inline,
  saveFile,
  sentence,
} from "../components.tsx";
import { FieldList, IntentButton, RadioGroup } from "../form/field-components.tsx";
import type { FormState, ToolPage, ViewProps } from "../form/form-state.ts";
import { asText, type FormValues } from "../form/form-values.ts";
import { FORM_ID, OpenFile, PasteBox, PresetButtons, ToolLayout } from "../form/tool-layout.tsx";
import {
  applyServerIntent,
  EXAMPLES,
  getRunOptions,
  getServerKind,
  isSse,
  LAST_READ_NAME,
  maskSecretsInForm,
  serverFormFields,
  toServerInput,
} from "./server-form.ts";

export const mcpConfigPage: ToolPage<McpConfigResult> = {
  contract: mcpConfigContract,
  product: "MCP configs",
  action: "Make a config",
  lead: `Paste one MCP server. Get its config for ${ALL_CLIENTS.length} AI clients, ready to copy.`,
  fields: serverFormFields,
  toInput: toServerInput,
  options: getRunOptions,
  withoutSecrets: maskSecretsInForm,
  leftOut: "the values of variables and headers, and what looks like a secret",
  beyondApi: (tree) => (isSse(tree) ? "There is no API call and no link for SSE." : undefined),
  press: applyServerIntent,
  summary: formatSummary,
  view: McpConfigPage,
};

type McpConfigState = FormState<McpConfigResult>;

/** The form with its outcome. */
function McpConfigPage({ state, hydrateToolPage }: ViewProps<McpConfigResult>) {
  const found = hydrateToolPage?.alternatives;
  const { tree, notes, input, isExample } = state;
  const at = { name: "", value: tree, notes, fields: serverFormFields };
  const kind = getServerKind(tree);
  const name = asText(tree.get("name"));
  return (
    <ToolLayout
      state={state}
      live={hydrateToolPage}
      hidden={[LAST_READ_NAME]}
      effects={() => [describeEffect(input)]}
      start={
        <>
          <PasteBox
            label="Paste a README, a command or a config"
            rows={3}
            placeholder={'{ "mcpServers": { "notes": { "command": "npx", … } } }'}
            live={hydrateToolPage}
          />
          <PresetButtons label="Try" presets={[...EXAMPLES.keys()]} />
          <OpenFile
            label="Open a config or server.json"
            accept=".json,.jsonc,.toml,.md,.txt,application/json"
            live={hydrateToolPage}
            isExample={isExample}
          />
          {found && found.titles.length > 1 && (
            <RadioGroup
              class="chips"
              form=""
              label="What was read"
              name="read"
              value={String(found.chosen)}
              choices={Object.fromEntries(found.titles.entries())}
              onChoose={(index) => found.choose(Number(index))}
            />
          )}
        </>
      }
      result={(result, of) => (
        <Result tree={tree} result={result} notes={writeNotes(of.input, getRunOptions(of.tree))} />
      )}
    >
      <FieldList {...at} show={["name"]} />
      {name !== "" && name !== input.name && typeof input.name === "string" && (
        <p class="rename">
          Clients take letters, digits, - and _ in a name.{" "}
          <IntentButton command="rename" class="add">
            Use {input.name}
          </IntentButton>
        </p>
      )}
      <RadioGroup
        class="uses"
        label="Kind"
        name="use"
        value={kind}
        choices={{ local: "Local program", remote: "Remote server" }}
      />
      <FieldList {...at} class="of-local" show={["command", "args", "env"]} />
      <div class="of-remote">
        <FieldList {...at} show={["url", "headers"]} />
        <RadioGroup
          class="systems"
          label="Transport"
          name="transport"
          value={asText(tree.get("transport")) || "http"}
          choices={{ http: "Streamable HTTP", sse: "SSE (older)" }}
        />
      </div>
    </ToolLayout>
  );
}

const SERVER_KIND_LABELS = { stdio: "local", http: "remote", sse: "remote SSE" } as const;

/** The outcome, or the next step, in a sentence. */
function formatSummary({ result, input }: McpConfigState): string {
  if (result)
    return `The ${SERVER_KIND_LABELS[result.transport]} server “${result.name}”, for ${ALL_CLIENTS.length} clients.`;
  if (!("name" in input)) return "Now enter a name for the server.";
  return "command" in input || "url" in input
    ? "Now check the fields above."
    : "Now enter the command that starts the server, or its URL.";
}

/** What the user of a link should know before using its server. */
function describeEffect({ command, args = [], url }: Partial<McpConfigInput>): string {
  return url === undefined
    ? `run this program on your computer: ${[command, ...args].join(" ")}`
    : `connect your AI client to ${url}`;
}

const CLIENT_TITLES = Object.fromEntries(
  ALL_CLIENTS.map((client) => [client, clientDefinitions[client].title]),
);

const SCOPE_LABELS = { user: "For you", project: "In a project" };

/** What the configs are for. The browser remembers it. */
const PREFERENCES = [
  { name: "client", label: "Client", class: "chips", choices: CLIENT_TITLES },
  { name: "system", label: "Your system", class: "systems", choices: SYSTEMS },
  { name: "scope", label: "Where", class: "systems", choices: SCOPE_LABELS },
];

interface ResultProps {
  readonly tree: FormValues;
  readonly result: McpConfigResult;
  /** The notes of each client. */
  readonly notes: readonly (readonly ClientNote[])[];
}

/** The configs: in a browser that of the chosen client, without scripts all below each other. */
function Result({ tree, result, notes }: ResultProps) {
  const chosen = (name: string) => asText(tree.get(name));
  return (
    <div class="clients">
      {PREFERENCES.map(
        (choice) =>
          chosen(choice.name) !== "" && (
            <RadioGroup key={choice.name} form={FORM_ID} value={chosen(choice.name)} {...choice} />
          ),
      )}
      {result.clients.map((config, index) => (
        <ClientPanel
          key={config.client}
          config={config}
          notes={notes[index] ?? []}
          warnings={result.warnings.filter(({ path }) => path === `clients[${index}]`)}
          system={chosen("system")}
          scope={chosen("scope")}
        />
      ))}
    </div>
  );
}

interface PanelProps {
  readonly config: ClientConfig;
  readonly notes: readonly ClientNote[];
  readonly warnings: readonly Warning[];
  /** The chosen system and scope; empty without scripts, which show all. */
  readonly system: string;
  readonly scope: string;
}

function ClientPanel({ config, notes, warnings, system, scope }: PanelProps) {
  const { client, title, source, verified } = config;
  const places = listLocations(config, system, scope);
  const noLink = notes.find(({ about }) => about === "link" || about === "link/values");
  // Links and commands change the user's file.
  const isForUser = places.some((place) => place.scope === "user");
  const { link, bash, powershell } = isForUser ? config.install : {};
  // Of two lines, the one for the chosen system.
  const isPowerShell = bash === undefined || (system === "windows" && powershell !== undefined);
  const lines = system === "" ? { bash, powershell } : isPowerShell ? { powershell } : { bash };
  const [day, version] = verified.split(", ");
  return (
    <section id={`client-${client}`} aria-label={title}>
      <h3>{title}</h3>
      <small class="tried">
        {version === undefined
          ? "Not tried by us: based on"
          : `Tried on ${day} with ${version}, based on`}{" "}
        <a href={source}>a page about {title}</a>.
      </small>
      {warnings.length > 0 && (
        <ul class="notes">
          {warnings.map(({ severity, message }) => (
            <li class={severity}>{sentence(message)}</li>
          ))}
        </ul>
      )}
      {isForUser && [noLink, link, bash, powershell].some((way) => way !== undefined) && (
        <h4>The quick way</h4>
      )}
      {link !== undefined && (
        <p>
          <a class="button" id={`${client}-add`} href={link}>
            Add to {title}
          </a>
        </p>
      )}
      {isForUser && noLink !== undefined && (
        <>
          <p class="no-link">{noLink.text}</p>
          {noLink.about === "link/values" && (
            <p class="actions">
              {/* The link that it makes possible is in its place, and gets the focus. */}
              <IntentButton id={`${client}-add`} command="refer" form={FORM_ID}>
                Use variables
              </IntentButton>
            </p>
          )}
        </>
      )}
      {Object.entries(lines).map(
        ([shell, text = ""]) =>
          text !== "" && (
            <SnippetBlock
              key={shell}
              id={`${client}-${shell}`}
              label={shell === "bash" ? shell : "PowerShell"}
              of={title}
              text={text}
            />
          ),
      )}
      {places.some((place) => place.scope === "project") &&
        notes.map(
          ({ about, text }) =>
            about === "project" && (
              <p key={text}>
                {text}{" "}
                {!(isForUser && noLink) && (
                  <IntentButton command="refer" form={FORM_ID}>
                    Use variables
                  </IntentButton>
                )}
              </p>
            ),
        )}
      <h4>By hand, in three steps</h4>
      <ol class="steps">
        <li>
          Open this file, or create it:
          <FileLocations places={places} />
        </li>
        <li>
          <Snippets config={config} places={places} />
        </li>
        <li>Restart {title}.</li>
      </ol>
      <h4>Good to know</h4>
      <ul class="fine-print">
        {notes
          .filter(
            ({ about }) =>
              about === "client" ||
              // Where no command is shown, nothing is said of it.
              (about === "shell" && isForUser) ||
              (about in SYSTEMS && (system === "" || system === about)),
          )
          .map(({ text }) => (
            <li>
              <Inline text={text} />
            </li>
          ))}
      </ul>
    </section>
  );
}

/** A text with marks on the parts to replace, such as `<YOUR_TOKEN>` and `YOUR_API_KEY`. */
const SnippetBlock = (props: CopyBlockProps) => (
  <CopyBlock
    {...props}
    marked={props.text
      .split(PLACEHOLDER)
      .map((part, index) => (index % 2 === 0 ? part : <mark key={index}>{part}</mark>))}
  />
);

const PLACEHOLDER = /(<[A-Za-z][\w .-]*>|\bYOUR[_-][\w-]+)/;

/** The places of a client's file on the chosen system, in the chosen scope if the client has it. */
function listLocations(
  { locations }: ClientConfig,
  system: string,
  scope: string,
): ClientLocation[] {
  const onSystem = locations.filter(({ os }) => system === "" || os === system);
  const inScope = onSystem.filter((location) => location.scope === scope);
  return inScope.length > 0 ? inScope : onSystem;
}

interface PlacesProps {
  readonly places: readonly ClientLocation[];
}

function FileLocations({ places }: PlacesProps) {
  return (
    <dl class="places">
      {[...Map.groupBy(places, ({ path }) => path)].map(([path, sharers]) => (
        <div key={path}>
          <dt>{systemsOf(sharers)}</dt>
          <dd>
            <Code name={path} /> <CopyButton text={() => path} of={path} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const systemsOf = (sharers: readonly ClientLocation[]): string =>
  sharers.every(({ scope }) => scope === "project")
    ? "In a project"
    : `On ${sharers.map(({ os }) => SYSTEMS[os]).join(" and ")}`;

/** The file, and the part of it for a file with other servers; what most people need is first. */
function Snippets({ config, places }: PlacesProps & Pick<PanelProps, "config">) {
  const { client, title, format, snippet, entry } = config;
  const file = /[^/\\]+$/.exec(places[0]?.path ?? "")?.[0] ?? `config.${format}`;
  /** The file has other settings of the client, and must not be replaced. */
  const isShared = places.some(({ path }) => SHARED_FILE.test(path));
  const isPart = isShared && entry !== snippet;
  const whole = {
    id: `${client}-file`,
    label: `${isShared && !isPart ? "The entry" : "Whole file"}, ${format.toUpperCase()}`,
    text: snippet,
    children: !isShared && (
      <button
        type="button"
        class="needs-script"
        aria-label={`Download ${file} for ${title}`}
        onClick={() => saveFile(file, snippet, "text/plain")}
      >
        Download
      </button>
    ),
  };
  const part = { id: `${client}-entry`, label: "The entry alone", text: entry };
  return (
    <>
      {isShared
        ? `Paste this ${isPart ? "among its servers" : "at its end"}, and leave the rest as it is:`
        : "Paste this, or download the file:"}
      <SnippetBlock {...(isPart ? part : whole)} of={title} isPrimary />
      {entry !== snippet && (
        <details>
          <summary>{isPart ? "If the file is new" : "If the file has other servers"}</summary>
          <SnippetBlock {...(isPart ? whole : part)} of={title} />
        </details>
      )}
    </>
  );
}

const SHARED_FILE = /(?:settings|opencode|\.claude)\.json$|config\.toml$/;
