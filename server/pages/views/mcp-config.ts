import type { ClientConfig, McpConfigResult, Warning } from "../../../schemas/index.ts";
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
      command: "The program to start. Paste a whole command line here.",
      args: "One argument in each field.",
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
    alternatives: [
      { title: "Local program", fields: ["command", "args", "env"] },
      { title: "Remote server", fields: ["url", "headers"] },
    ],
  },

  reader: {
    label: "Open a config file",
    accept: ".json,.jsonc,.md,.txt,application/json",
    read: async (text) => readServer(text),
  },

  effects: (_, input) => {
    const { command, args, url } = Object(input);
    if (typeof url === "string") return [`connect your AI client to ${url}`];
    const words = [command, ...(Array.isArray(args) ? args : [])];
    return [`run this program on your computer: ${words.join(" ")}`];
  },

  summary: ({ name, transport, clients }) =>
    `The ${transport === "stdio" ? "local" : "remote"} server “${name}”, for ${clients.length} clients.`,

  body: ({ clients }, { warnings }) => html`<div data-tabs="Clients" id="clients">
${clients.map((client, index) =>
  clientPanel(
    client,
    warnings.filter(({ path }) => path === `clients[${index}]`),
  ),
)}</div>
`,

  teaser,
};

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
<summary>For a file that has other servers</summary>
${copyBlock({ id: `${client}-entry`, label: "The entry alone", of: title, text: entry })}
</details>`
}
<h4>Where it goes</h4>
${locationList(client, locations)}
<h4>Good to know</h4>
<ul class="fine-print">
${notes.map((note) => html`<li>${inline(note)}</li>\n`)}</ul>
</section>
`;
}

const warningList = (warnings: readonly Warning[]): Html => html`<ul class="notes">
${warnings.map(({ severity, message }) => html`<li class="${severity}">${sentence(message)}</li>\n`)}</ul>`;

/** Deep link and one-liners, for clients that have them. */
function install({ client, title, install }: ClientConfig): Html | false {
  const { link } = install;
  const lines = SHELLS.flatMap(([shell, label]) => {
    const text = install[shell];
    return text === undefined
      ? []
      : [copyBlock({ id: `${client}-${shell}`, label, of: title, text })];
  });
  return (
    (link !== undefined || lines.length > 0) &&
    html`<h4>The quick way</h4>
${link !== undefined && html`<p><a class="button primary" href="${link}">Add to ${title}</a></p>`}
${lines}`
  );
}

const SHELLS = [
  ["bash", "bash"],
  ["powershell", "PowerShell"],
] as const;

type Location = ClientConfig["locations"][number];

/**
 * Where a client's file is. A path that several systems share is listed once. With scripts, the
 * paths of other systems than the reader's are folded.
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

/** The clients, and the shortest of their files. */
function teaser({ clients }: McpConfigResult): Html {
  const [shortest] = clients
    .map(({ snippet }) => snippet)
    .sort((one, other) => one.length - other.length);
  return html`<p>${clients.map(({ title }) => title).join(" · ")}</p>
<pre><code>${shortest ?? ""}</code></pre>`;
}
