import { toServerName } from "../../../schemas/common.ts";
import {
  ALL_CLIENTS,
  type Client,
  type McpConfigInput,
  mcpConfigContract,
} from "../../../schemas/mcp-config.ts";
import { maskSecrets } from "../../../src/mcp-config/mask-secrets.ts";
import {
  parseBearerReference,
  upperSnake,
  variableForValue,
} from "../../../src/mcp-config/variable-references.ts";
import { fillForm, markTouched } from "../form/form-state.ts";
import {
  asText,
  ensureRows,
  type FieldsOf,
  type FormInput,
  type FormValues,
  readList,
  toInput,
  writeList,
} from "../form/form-values.ts";
import type { PastedServer } from "./parse-pasted.ts";

export const serverFormFields = {
  name: { kind: "text", label: "Name", placeholder: "files" },
  command: {
    kind: "text",
    label: "Command",
    hint: "The program alone, such as npx.",
    placeholder: "npx",
  },
  args: {
    kind: "texts",
    label: "Arguments",
    hint: "One argument each; Enter ends one.",
    placeholder: "-y",
  },
  env: { kind: "map", label: "Environment", hint: "Environment variables, such as API_KEY." },
  url: { kind: "text", label: "URL", placeholder: "https://mcp.example.com/mcp" },
  headers: { kind: "map", label: "Headers", hint: "HTTP headers, such as Authorization." },
} as const satisfies FieldsOf<McpConfigInput>;

/** The fields of each kind of server. Those of the other kind stay in the form, but not in the input. */
const FIELDS_OF = { local: ["command", "args", "env"], remote: ["url", "headers"] } as const;

/** The kind that is chosen, or else the only one that is filled in; undefined for both. */
export function getServerKind(tree: FormValues): keyof typeof FIELDS_OF | undefined {
  const use = asText(tree.get("use"));
  if (use === "local" || use === "remote") return use;
  const { input } = toInput(tree, serverFormFields);
  const isLocal = FIELDS_OF.local.some((name) => name in input);
  const isRemote = FIELDS_OF.remote.some((name) => name in input);
  return isLocal && isRemote ? undefined : isRemote ? "remote" : "local";
}

/** The input of a form, whose name is written so that clients take it. */
export function toServerInput(tree: FormValues): FormInput {
  const other = { local: "remote", remote: "local" } as const;
  const kind = getServerKind(tree);
  const unused: readonly string[] = kind ? FIELDS_OF[other[kind]] : [];
  const used = new Map([...tree].filter(([name]) => !unused.includes(name)));
  const { input, ...rest } = toInput(used, serverFormFields);
  const given = asText(tree.get("name"));
  const name = /^[\w-]*$/.test(given) ? undefined : toServerName(given);
  return { input: name === undefined ? input : { ...input, name }, ...rest };
}

/** The options of a run. Only a browser chooses one client: the server's page has all of them. */
export function getRunOptions(tree: FormValues) {
  const chosen = ALL_CLIENTS.filter((client) => client === tree.get("client"));
  const clients: readonly Client[] = chosen.length > 0 ? chosen : ALL_CLIENTS;
  return isSse(tree) ? { clients, transport: "sse" as const } : { clients };
}

export const isSse = (tree: FormValues): boolean =>
  tree.get("transport") === "sse" && getServerKind(tree) === "remote";

/** Lines to begin with, and the servers that they give. The reader of lines is loaded when it is used. */
export const EXAMPLES: ReadonlyMap<string, McpConfigInput> = new Map<string, McpConfigInput>([
  [
    "npx -y @acme/notes-mcp ~/notes",
    { name: "notes", command: "npx", args: ["-y", "@acme/notes-mcp", "~/notes"] },
  ],
  ["claude mcp add docs -- uvx docs-mcp", { name: "docs", command: "uvx", args: ["docs-mcp"] }],
  ["https://mcp.example.com/mcp", { name: "example", url: "https://mcp.example.com/mcp" }],
]);

/** Does what a button of this page alone asks for. */
export function applyServerIntent(tree: FormValues, command: string): string | undefined {
  const input = EXAMPLES.get(command.replace(/^preset /, ""));
  if (input) {
    fillServerForm(tree, { input, isNameGuessed: true });
    return "name";
  }
  if (command === "rename") {
    const name = asText(tree.get("name"));
    tree.set("name", toServerName(name) ?? name);
    return "name";
  }
  if (command !== "refer") return undefined;
  const isRemote = getServerKind(tree) === "remote";
  const server = {
    name: toServerName(asText(tree.get("name"))) ?? "",
    transport: isRemote ? "http" : "stdio",
  } as const;
  for (const pair of ensureRows(tree, [isRemote ? "headers" : "env"]).values()) {
    if (!(pair instanceof Map) || parseBearerReference(asText(pair.get("value")))) continue;
    const key = asText(pair.get("key"));
    if (key !== "") pair.set("value", `\${${variableForValue(server, key)}}`);
  }
  return `${asText(tree.get("client"))}-add`;
}

/** The control with the name that was read last: another one is the user's own. */
export const LAST_READ_NAME = "read_name";

/** Puts a server that was read into a form. A guessed name does not replace one that the user typed. */
export function fillServerForm(
  tree: FormValues,
  { input, transport, isNameGuessed }: Omit<PastedServer, "summary">,
): void {
  const old = asText(tree.get("name"));
  const isOwn = !["", mcpConfigContract.example_input.name, tree.get(LAST_READ_NAME)].includes(old);
  const isKept = isNameGuessed === true && isOwn;
  fillForm(tree, isKept ? { ...input, name: old } : input, serverFormFields);
  if (!isKept) tree.set(LAST_READ_NAME, input.name);
  if (transport) tree.set("transport", transport);
  markTouched(tree);
}

/** The form with a placeholder for each value that may be secret. The names stay. */
export function maskSecretsInForm(tree: FormValues): FormValues {
  const kept = structuredClone(tree);
  for (const list of ["env", "headers"]) {
    const rows = kept.get(list);
    for (const pair of rows instanceof Map ? rows.values() : []) {
      const value = pair instanceof Map ? asText(pair.get("value")) : "";
      if (pair instanceof Map && value !== "" && !parseBearerReference(value))
        pair.set("value", `YOUR_${upperSnake(asText(pair.get("key"))) || "VALUE"}`);
    }
  }
  const { items, at } = readList(kept, "args");
  writeList(kept, "args", { items: maskAll(items), at });
  kept.set("url", maskAll([asText(kept.get("url"))]).join());
  // The field may hold a whole line, with variables in front of the program.
  const command = asText(kept.get("command"));
  kept.set("command", /^\s*\w+=/.test(command) ? "" : maskAll(command.split(" ")).join(" "));
  return kept;
}

const maskAll = (words: readonly string[]): readonly string[] =>
  [maskSecrets(words)].flat().map((word) => String(word).replaceAll("***", "YOUR_SECRET"));
