import { closedObject } from "../../schemas/common.ts";
import {
  CLIENTS,
  type Client,
  type ClientConfig,
  type McpConfigInput,
  mcpConfigContract,
  type Transport,
} from "../../schemas/mcp-config.ts";
import { Findings } from "../findings.ts";
import { groupBy } from "../group-by.ts";
import { validate } from "../issues.ts";
import { formatNumber } from "../text.ts";
import { SYSTEMS } from "./client-definition.ts";
import { clientDefinitions } from "./clients/all-clients.ts";
import { mcpFindings } from "./config-findings.ts";
import { createMcpConfig, optionEntries } from "./mcp-config.ts";
import { envOrHeaders, listServerStrings, parseServer, type ServerVariable } from "./mcp-server.ts";
import { findSecrets } from "./secrets.ts";
import { findReferences, variableForKey } from "./variable-references.ts";

/** Options of `createReadmeSection()`. */
export interface ReadmeSectionOptions {
  /** Default: Claude Desktop, Claude Code, Cursor, VS Code, Codex, Kiro and LM Studio. */
  readonly clients?: readonly Client[] | undefined;
  /** The variables of the references, from `parseServerJson`. */
  readonly variables?: readonly ServerVariable[] | undefined;
  /** `"sse"` for a server that uses the older transport. */
  readonly transport?: Transport | undefined;
}

/** The Markdown of an install section, and the clients without a button. */
export interface ReadmeSection {
  /** Markdown that ends with a newline. The same input always produces the same Markdown. */
  readonly markdown: string;
  /** The buttons in the Markdown. */
  readonly buttons: readonly { readonly title: string; readonly link: string }[];
  /** Titles of clients without a button, and why. */
  readonly left_out: readonly { readonly name: string; readonly reason: string }[];
  /** The configs in the details of the Markdown. */
  readonly configs: readonly ClientConfig[];
}

/**
 * Writes the install section of a README: buttons with https links, which GitHub keeps, and a details
 * element for each client with the snippet. Literal secrets become references.
 *
 * @param input within the extended limits of `createMcpConfig`.
 * @throws {InvalidInputError} for an invalid input, or a secret in its arguments or URL.
 *
 * @example
 * createReadmeSection({ name: "files", command: "npx", args: ["-y", "files-server"] }).markdown;
 */
export function createReadmeSection(
  input: McpConfigInput,
  options: ReadmeSectionOptions = {},
): ReadmeSection {
  const { clients = README_CLIENTS, transport } = validate(ReadmeOptionsSchema, options, [
    "options",
  ]);
  const { public: shared, variables } = replaceLiteralSecrets(input, options);
  const { clients: configs } = createMcpConfig(shared, {
    clients,
    variables,
    limits: "extended",
    transport,
  });
  const left_out: { name: string; reason: string }[] = [];
  const buttons = configs.flatMap((config) => {
    const { client, title } = config;
    const link = buttonLink(config, shared.name);
    if (link === undefined) return [];
    if (link.length <= MAX_LINK_LENGTH) return [{ client, title, link }];
    const [length, most] = [link.length, MAX_LINK_LENGTH].map(formatNumber);
    const reason = `has no button: its link would have ${length} characters; at most ${most} are safe`;
    left_out.push({ name: title, reason });
    return [];
  });
  const line = buttons.map(image).join("\n");
  const parts = [...(line === "" ? [] : [line]), ...configs.map(formatDetails)];
  return { markdown: `${parts.join("\n\n")}\n`, buttons, left_out, configs };
}

const ReadmeOptionsSchema = closedObject(optionEntries);

const README_CLIENTS: readonly Client[] = [...CLIENTS, "kiro", "lm-studio"];

/** Replaces each literal secret with a reference, and adds a variable for each reference. */
function replaceLiteralSecrets(
  value: McpConfigInput,
  { variables: known = [], transport }: ReadmeSectionOptions,
) {
  const input = validate(mcpConfigContract.extended_input, value);
  const given = parseServer(input);
  const { names, secretNames, args, parameters, inPath } = findSecrets(given);
  // A secret may also occur elsewhere: "Bearer x" in one header, "x" in another.
  const words = secretNames.flatMap((name) => (envOrHeaders(given)[name] ?? "").split(/\s+/));
  const secrets = words.filter(
    (word) => word.length >= MIN_REPEATED_LENGTH && !word.includes("${"),
  );
  const repeats = (text: string) => secrets.some((secret) => text.includes(secret));
  const isInArgs = args.length > 0 || [input.command ?? "", ...(input.args ?? [])].some(repeats);
  const isInUrl = parameters.length > 0 || inPath || repeats(input.url ?? "");
  const field = isInArgs ? "args" : isInUrl ? "url" : undefined;
  if (field !== undefined) new Findings(mcpFindings, [field]).fail("secret-in-readme");
  const hidden = (map: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(map).map(([name, text]) => [
        name,
        names.has(name) || repeats(text) ? `\${${variableForKey(given, name)}}` : text,
      ]),
    );
  const shared: McpConfigInput = {
    ...input,
    ...(input.env && { env: hidden(input.env) }),
    ...(input.headers && { headers: hidden(input.headers) }),
  };
  const server = parseServer(shared, transport);
  const references = findReferences(server, listServerStrings(server));
  const unknown = new Set(references.flatMap((text) => text.names));
  for (const { name } of known) unknown.delete(name);
  const withoutValues = known.map(({ value: _, ...rest }) => rest);
  const variables = [...withoutValues, ...Array.from(unknown, (name) => ({ name, secret: true }))];
  return { public: shared, variables };
}

/** Minimum length of a secret's words to search for elsewhere. Shorter ones match too much. */
const MIN_REPEATED_LENGTH = 6;

/** Browsers and GitHub keep links up to this length unchanged. */
const MAX_LINK_LENGTH = 8000;

/** Returns the link of a client's button, or undefined if the client has none. */
function buttonLink({ client, snippet }: ClientConfig, name: string): string | undefined {
  const { rootKey, install: { button } = {} } = clientDefinitions[client];
  if (!button) return undefined;
  const { [rootKey]: servers, inputs = [] } = JSON.parse(snippet);
  return button.link(name, servers[name], inputs).replace(/[()*~]/g, encodeMark);
}

/** `encodeURIComponent` keeps characters that Markdown interprets in a link. */
const encodeMark = (mark: string): string => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;

const image = ({ client, title, link }: { client: Client; title: string; link: string }): string =>
  `[![Install in ${title}](https://img.shields.io/badge/Install_in-${title.replaceAll(" ", "_")}-${clientDefinitions[client].install?.button?.colour ?? ""})](${link})`;

/** Formats a details element with the file's paths and content. */
function formatDetails({ title, format, locations, snippet, install }: ClientConfig): string {
  const fence = "`".repeat(
    Math.max(3, ...Array.from(snippet.matchAll(/`+/g), ([run]) => run.length + 1)),
  );
  const paths = [...groupBy(locations, ({ path }) => path)].map(([path, sharers]) =>
    sharers.every(({ scope }) => scope === "project")
      ? `\`${path}\` in a project`
      : `\`${path}\`${sharers.length === 3 ? "" : ` (${sharers.map(({ os }) => SYSTEMS[os]).join(", ")})`}`,
  );
  return [
    `<details>\n<summary>${title}</summary>`,
    ...(install.bash ? [`\`\`\`sh\n${install.bash}\n\`\`\``] : []),
    `${install.bash ? "Or add" : "Add"} to ${paths.join(", or ")}:`,
    `${fence}${format}\n${snippet}${fence}`,
    "</details>",
  ].join("\n\n");
}
