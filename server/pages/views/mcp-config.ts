import type { ClientConfig, McpConfigResult, Warning } from "../../../schemas/index.ts";
import { ALL_CLIENTS, CLIENTS } from "../../../schemas/mcp-config.ts";
import { type Html, html } from "../html.ts";
import { code, copyBlock, inline, saveButton, sentence } from "../parts.ts";
import type { View } from "../view.ts";
import { readServer } from "./read-server.ts";

export const mcpConfigView: View<McpConfigResult> = {
  product: "MCP configs",
  action: "Make a config",
  lead: "Describe an MCP server once. Get its config for five AI clients, ready to paste.",

  form: {
    labels: { args: "Arguments", env: "Environment" },
    hints: {
      name: "Letters, digits, - and _.",
      command: "The program, or paste a whole command line.",
      args: "One argument per field.",
      env: "Environment variables, such as API_KEY.",
      url: "An http or https address.",
      headers: "HTTP headers, such as Authorization.",
    },
    placeholders: {
      name: "files",
      command: "npx",
      args: "-y",
      url: "https://mcp.example.com/mcp",
    },
    split: "command",
    alternatives: [
      { title: "Local program", fields: ["command", "args", "env"] },
      { title: "Remote server", fields: ["url", "headers"] },
    ],
  },

  reader: {
    label: "Open a config file",
    accept: ".json,.jsonc,.toml,.md,.txt,application/json",
    paste: "Or paste a command line, or the config from a README, into “Command”.",
    read: (text, field) => readServer(text, field === "command"),
  },

  more: {
    options: { client: ALL_CLIENTS.filter((client) => !CLIENTS.some((other) => other === client)) },
    longest: 4_096,
  },

  effects: (_, input) => {
    const { command, args, url } = Object(input);
    if (typeof url === "string") return [`connect your AI client to ${url}`];
    const words = [command, ...(Array.isArray(args) ? args : [])];
    return [`run this program on your computer: ${words.join(" ")}`];
  },

  summary: ({ name, transport, clients }) =>
    `The ${transport === "stdio" ? "local" : "remote"} server “${name}”, for ${clients.length} clients.`,

  body: ({ clients }, { warnings, more }) => html`${clientPanels("Clients", clients, warnings)}
${
  more &&
  html`<details id="more-clients" class="more-clients">
<summary>More: ${more.clients.map(({ title }) => title).join(", ")}</summary>
${clientPanels("More clients", more.clients, more.warnings)}
</details>`
}
`,

  teaser,
};

/** @param title labels the list of tabs. */
const clientPanels = (
  title: string,
  clients: readonly ClientConfig[],
  warnings: readonly Warning[],
): Html => html`<div class="clients" data-tabs="${title}" id="${title.toLowerCase().replace(" ", "-")}-tabs">
${clients.map((client, index) =>
  clientPanel(
    client,
    warnings.filter(({ path }) => path === `clients[${index}]`),
  ),
)}</div>
`;

/** The config of one client. The page's script turns it into a tab named by its label. */
export function clientPanel(config: ClientConfig, warnings: readonly Warning[]): Html {
  const { client, title, format, locations, snippet, entry, notes } = config;
  const name = /[^/\\]+$/.exec(locations[0]?.path ?? "")?.[0] ?? `config.${format}`;
  return html`<section id="client-${client}" aria-label="${title}">
<h3>${title}</h3>
${warnings.length > 0 && warningList(warnings)}
${install(config)}
<h4>The file</h4>
${copyBlock({
  id: `${client}-file`,
  label: `Whole file, ${format.toUpperCase()}`,
  of: title,
  text: snippet,
  action: saveButton(`${client}-file`, name, title),
})}
${
  entry !== snippet &&
  html`<details id="${client}-more">
<summary>If the file has other servers</summary>
${copyBlock({ id: `${client}-entry`, label: "The entry alone", of: title, text: entry })}
</details>`
}
<h4>Where it goes</h4>
${locationList(client, locations)}
<h4>Good to know</h4>
<ul class="fine-print">
${notes.map((note) => html`<li${aboutSystem(note)}>${inline(note)}</li>\n`)}</ul>
</section>
`;
}

const warningList = (warnings: readonly Warning[]): Html => html`<ul class="notes">
${warnings.map(({ severity, message }) => html`<li class="${severity}">${sentence(message)}</li>\n`)}</ul>`;

/**
 * Deep link and one-liners, for clients that have them. With scripts, the line of another system
 * than the reader's is folded where there are two.
 */
function install({ client, title, install }: ClientConfig): Html | false {
  const { link } = install;
  const isOneOfTwo = install.bash !== undefined && install.powershell !== undefined;
  const lines = SHELLS.flatMap(({ shell, label, systems }) => {
    const text = install[shell];
    if (text === undefined) return [];
    const line = copyBlock({ id: `${client}-${shell}`, label, of: title, text });
    return [isOneOfTwo ? html`<div data-systems="${systems}">${line}</div>` : line];
  });
  return (
    (link !== undefined || lines.length > 0) &&
    html`<h4>The quick way</h4>
${link !== undefined && html`<p><a class="button primary" href="${link}">Add to ${title}</a></p>`}
${lines}`
  );
}

const SHELLS = [
  { shell: "bash", label: "bash", systems: "macos linux" },
  { shell: "powershell", label: "PowerShell", systems: "windows" },
] as const;

type Location = ClientConfig["locations"][number];

/**
 * The places of a client's file. A path that several systems share is listed once. With scripts, the
 * paths of other systems than the reader's are folded, as are the notes about them.
 */
const locationList = (
  client: string,
  locations: readonly Location[],
): Html => html`<dl class="places">
${[...Map.groupBy(locations, ({ path }) => path)].map(
  ([path, sharers]) =>
    html`<div data-systems="${sharers.map(({ os }) => os).join(" ")}"><dt>${systemsOf(sharers)}</dt><dd>${code(path)}</dd></div>\n`,
)}</dl>
<label class="other-systems needs-script"><input type="checkbox" id="${client}-systems"> Show other systems</label>`;

const systemsOf = (sharers: readonly Location[]): string =>
  sharers.every(({ scope }) => scope === "project")
    ? "In a project"
    : `For you, on ${sharers.map(({ os }) => SYSTEMS[os]).join(" and ")}`;

const SYSTEMS = { macos: "macOS", windows: "Windows", linux: "Linux" } as const;

/** Folds a note about another system than the reader's with the paths of that. */
function aboutSystem(note: string): Html | false {
  const [, name] = /\b(?:On|for) (macOS|Windows|Linux)\b/.exec(note) ?? [];
  return name !== undefined && html` data-systems="${name.toLowerCase()}"`;
}

/** Keeps words together in one line. */
const NO_BREAK = "\u00a0";

/** The clients, and the shortest of their files. */
function teaser({ clients }: McpConfigResult): Html {
  const [shortest] = clients
    .map(({ snippet }) => snippet)
    .sort((one, other) => one.length - other.length);
  return html`<p>${clients.map(({ title }) => title.replaceAll(" ", NO_BREAK)).join(`${NO_BREAK}· `)}</p>
<pre><code>${shortest ?? ""}</code></pre>`;
}
