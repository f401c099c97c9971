import type {
  ClientConfig,
  McpConfigInput,
  McpConfigResult,
  Warning,
} from "../../../schemas/index.ts";
import { ALL_CLIENTS, REMOTE_TRANSPORTS, type Transport } from "../../../schemas/mcp-config.ts";
import { SYSTEMS } from "../../../src/mcp-config/client.ts";
import { NO_LINK } from "../../../src/mcp-config/client-config.ts";
import { maskSecrets } from "../../../src/mcp-config/mask-secrets.ts";
import { literalKeys, valueVariable } from "../../../src/mcp-config/references.ts";
import { toServer } from "../../../src/mcp-config/server.ts";
import type { SubmittedForm } from "../form/form-data.ts";
import { type Html, html } from "../html.ts";
import { code, copyBlock, copyButton, inline, saveButton, sentence } from "../parts.ts";
import type { View } from "../view.ts";
import { readServer } from "./read-server.ts";
import { readmeSection } from "./readme-section.ts";

export const mcpConfigView: View<McpConfigResult> = {
  product: "MCP configs",
  action: "Make a config",
  lead: `Describe an MCP server once. Get its config for ${ALL_CLIENTS.length} AI clients, ready to paste.`,
  options: { clients: ALL_CLIENTS },

  form: {
    labels: { args: "Arguments", env: "Environment" },
    hints: {
      name: "Letters, digits, - and _.",
      command: "The program, or paste a whole command line.",
      args: "One argument per field.",
      env: "Environment variables, such as API_KEY.",
      url: "An http or https address.",
      headers: "HTTP headers, such as Authorization.",
      transport: "SSE is the older one: its URL often ends in /sse.",
    },
    choices: { http: "Streamable HTTP", sse: "SSE" },
    options: { transport: REMOTE_TRANSPORTS },
    placeholders: {
      name: "files",
      command: "npx",
      args: "-y",
      url: "https://mcp.example.com/mcp",
    },
    split: "command",
    alternatives: [
      { title: "Local program", fields: ["command", "args", "env"] },
      { title: "Remote server", fields: ["url", "headers", "transport"] },
    ],
  },

  reader: {
    label: "Open a config or server.json",
    accept: ".json,.jsonc,.toml,.md,.txt,application/json",
    unchanged: "Your server is unchanged.",
    box: "Paste a README, a command, a config or a server.json",
    read: readServer,
  },

  presets: [
    {
      title: "Local files",
      input: {
        name: "files",
        command: "npx",
        args: ["-y", "@modelcontextprotocol/server-filesystem", "/path/to/folder"],
      },
    },
    { title: "A remote server", input: { name: "docs", url: "https://mcp.example.com/mcp" } },
  ],

  draft: {
    keep: removeSecretsFromForm,
    leftOut: "the values of variables and headers or anything that looks like a secret",
  },

  effects: (_, input) => {
    const { command, args, url } = Object(input);
    if (typeof url === "string") return [`connect your AI client to ${url}`];
    const words = [command, ...(Array.isArray(args) ? args : [])];
    return [`run this program on your computer: ${words.join(" ")}`];
  },

  summary: ({ name, transport, clients }) =>
    `The ${KINDS[transport]} server “${name}”, for ${clients.length} clients.`,

  body({ clients, transport }, { warnings, input }) {
    const literals = findLiterals(input, transport);
    return html`${systemSwitch()}<div class="clients" data-tabs="Clients" id="clients-tabs">
${clients.map((client, index) => {
  const own = warnings.filter(({ path }) => path === `clients[${index}]`);
  return clientPanel(client, own, literals);
})}</div>
${JSON.stringify(input).length <= MAX_README_INPUT && readmeSection(input, transport)}`;
  },
};

/** The longest JSON of an input with a README section: a longer one would delay other requests. */
const MAX_README_INPUT = 4_096;

const KINDS = { stdio: "local", http: "remote", sse: "remote SSE" } as const;

/** The form without likely secrets: the values of its maps, and words that look like secrets. */
function removeSecretsFromForm(data: SubmittedForm): SubmittedForm {
  const { command, args, url } = data;
  const names = (pairs: unknown) =>
    Array.isArray(pairs) ? pairs.map((pair) => ({ key: Object(pair).key, value: "" })) : [];
  // The field may hold a whole line, with variables in front of the program.
  const words = String(command ?? "").split(/\s+/);
  const isPlain = words.length === withoutSecrets(words).length && !/\S=/.test(words[0] ?? "");
  return {
    ...data,
    command: isPlain ? command : "",
    args: withoutSecrets(Array.isArray(args) ? args : []),
    url: withoutSecrets([url])[0] ?? "",
    env: names(data.env),
    headers: names(data.headers),
  };
}

function withoutSecrets(words: readonly unknown[]): readonly unknown[] {
  const shown: unknown = maskSecrets(words);
  return words.filter((word, at) => Array.isArray(shown) && shown[at] === word);
}

/** A value that is written out in env or headers, with the command of the form that puts a reference in its place. */
interface Literal {
  readonly reference: string;
  readonly command: string;
}

function findLiterals(input: unknown, transport: Transport): readonly Literal[] {
  const list = transport === "stdio" ? "env" : "headers";
  const server = toServer(input as McpConfigInput, transport);
  const keys = literalKeys(server).slice(0, MAX_LITERALS);
  return keys.map((key) => {
    const reference = `\${${valueVariable(server, key)}}`;
    return { reference, command: `set ${list} ${key} ${reference}` };
  });
}

/** More buttons than anybody reads; those of further values follow when these have been used. */
const MAX_LITERALS = 20;

/**
 * The install link, or why there is none, with buttons that bring it back. The first button has the id
 * of the link, so that the focus goes from it to the link.
 */
const quickLink = (
  { client, title, install: { link } }: ClientConfig,
  noLink: string | undefined,
  literals: readonly Literal[],
): Html =>
  html`${link !== undefined && html`<p><a class="button primary" id="${client}-add" href="${link}">Add to ${title}</a></p>`}${
    noLink !== undefined &&
    html`<p class="no-link">${noLink}</p>
<p class="actions">${literals.map(({ reference, command }, index) => html`<button form="tool-form"${index === 0 && html` id="${client}-add"`} name="do" value="${command}">Use ${reference} instead</button>\n`)}</p>`
  }`;

/**
 * The config of one client. The page's script turns it into a tab named by its label.
 *
 * @param literals the values that keep the install link away.
 */
export function clientPanel(
  config: ClientConfig,
  warnings: readonly Warning[],
  literals: readonly Literal[],
): Html {
  const { client, title, locations, notes, source, verified } = config;
  const noLink = notes.find((note) => note.startsWith(NO_LINK));
  return html`<section id="client-${client}" aria-label="${title}">
<h3>${title}</h3>
${warnings.length > 0 && warningList(warnings)}
${quickWay(config, quickLink(config, noLink, literals))}
<h4>By hand, in three steps</h4>
<ol class="steps">
<li>Open this file, or make it:
${locationList(client, locations)}</li>
<li>${hasOtherSettings(config) ? partToAdd(config) : wholeFile(config)}</li>
<li>Restart ${title}.</li>
</ol>
<h4>Good to know</h4>
<ul class="fine-print">
${notes.filter((note) => note !== noLink).map((note) => html`<li${aboutSystem(note)}>${inline(note)}</li>\n`)}
<li>This follows <a href="${source}">a page about ${title}</a> (${verified}).</li></ul>
</section>
`;
}

/** True for a file with other settings of the client, which must not be replaced. */
const hasOtherSettings = ({ locations }: ClientConfig): boolean =>
  locations.some(({ path }) => /(?:settings|opencode|\.claude)\.json$|config\.toml$/.test(path));

function wholeFile(config: ClientConfig): Html {
  const { client, title, snippet, entry } = config;
  const name = fileName(config);
  const save = saveButton(`${client}-file`, name, title);
  return html`Paste this, or download the file:
${fileBlock(config, save)}
${
  entry !== snippet &&
  html`<details id="${client}-more">
<summary>If the file has other servers</summary>
${entryBlock(config)}
</details>`
}`;
}

function partToAdd(config: ClientConfig): Html {
  const { client, snippet, entry } = config;
  if (entry === snippet)
    return html`Paste this at its end, and leave the rest as it is:\n${fileBlock(config)}`;
  return html`Paste this among its servers, and leave the rest as it is:
${entryBlock(config)}
<details id="${client}-more">
<summary>If the file is new</summary>
${fileBlock(config)}
</details>`;
}

const fileBlock = ({ client, title, format, snippet }: ClientConfig, action?: Html): Html =>
  copyBlock({
    id: `${client}-file`,
    label: `Whole file, ${format.toUpperCase()}`,
    of: title,
    text: snippet,
    hasPlaceholders: true,
    ...(action && { action }),
  });

const entryBlock = ({ client, title, entry }: ClientConfig): Html =>
  copyBlock({
    id: `${client}-entry`,
    label: "The entry alone",
    of: title,
    text: entry,
    hasPlaceholders: true,
  });

const fileName = ({ locations, format }: ClientConfig): string =>
  /[^/\\]+$/.exec(locations[0]?.path ?? "")?.[0] ?? `config.${format}`;

const warningList = (warnings: readonly Warning[]): Html => html`<ul class="notes">
${warnings.map(({ severity, message }) => html`<li class="${severity}">${sentence(message)}</li>\n`)}</ul>`;

/**
 * The install link, or why there is none, and the commands that add the server, for clients that have
 * them. Of two commands, scripts hide the one for another system than the user's.
 */
function quickWay({ client, title, install }: ClientConfig, link: Html): Html | false {
  const isOneOfTwo = install.bash !== undefined && install.powershell !== undefined;
  const lines = SHELLS.flatMap(({ shell, label, systems }) => {
    const text = install[shell];
    if (text === undefined) return [];
    const line = copyBlock({
      id: `${client}-${shell}`,
      label,
      of: title,
      text,
      hasPlaceholders: true,
    });
    return [isOneOfTwo ? html`<div data-systems="${systems}">${line}</div>` : line];
  });
  return (
    (link.markup !== "" || lines.length > 0) &&
    html`<h4>The quick way</h4>
${link}
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
 * paths of other systems than the chosen one are hidden, as are the notes about them.
 */
const locationList = (
  client: string,
  locations: readonly Location[],
): Html => html`<dl class="places">
${[...Map.groupBy(locations, ({ path }) => path)].map(
  ([path, sharers], index, all) =>
    html`<div data-systems="${sharers.map(({ os }) => os).join(" ")}"><dt>${systemsOf(sharers, all.slice(0, index))}</dt><dd><span id="${client}-path-${index}">${code(path)}</span> ${copyButton(`${client}-path-${index}`, path)}</dd></div>\n`,
)}</dl>`;

/** Chooses the system for all clients. The page's script begins with the user's own. */
const systemSwitch =
  (): Html => html`<div class="systems needs-script" role="radiogroup" aria-label="Your system">
${Object.entries(SYSTEMS).map(([os, title]) => html`<label><input type="radio" name="system" value="${os}" data-system-choice> ${title}</label>\n`)}</div>`;

function systemsOf(
  sharers: readonly Location[],
  earlier: readonly (readonly [string, readonly Location[]])[],
): string {
  if (sharers.every(({ scope }) => scope === "project")) return "In a project";
  const systems = sharers.map(({ os }) => SYSTEMS[os]).join(" and ");
  const isOther = earlier.some(([, others]) =>
    others.some(({ scope, os }) => scope !== "project" && os === sharers[0]?.os),
  );
  return `${isOther ? "Or" : "For you"}, on ${systems}`;
}

/** Marks a note about one system, so that it is hidden with the paths of that system. */
function aboutSystem(note: string): Html | false {
  const [, name] = /\b(?:On|for) (macOS|Windows|Linux)\b/.exec(note) ?? [];
  return name !== undefined && html` data-systems="${name.toLowerCase()}"`;
}
