import { toServerName } from "../../../schemas/common.ts";
import { ALL_CLIENTS, type Client, type McpConfigInput } from "../../../schemas/mcp-config.ts";
import { maskSecrets } from "../../../src/mcp-config/mask-secrets.ts";
import { mapStrings } from "../../../src/mcp-config/mcp-server.ts";
import { withoutPlaceholders } from "../../../src/mcp-config/placeholders.ts";
import { holdsSecret } from "../../../src/mcp-config/secrets.ts";
import { parseBearerReference, upperSnake } from "../../../src/mcp-config/variable-references.ts";
import { markTouched, OPENED_FILE, replaceForm } from "../form/form-state.ts";
import {
  asText,
  type FieldsOf,
  type FormInput,
  type FormValues,
  toFormValues,
  toInput,
} from "../form/form-values.ts";

export const serverFormFields = {
  name: { kind: "text", label: "Name", placeholder: "e.g. files" },
  command: {
    kind: "text",
    label: "Command",
    hint: "The program alone, such as npx.",
    placeholder: "e.g. npx",
  },
  args: {
    kind: "tokens",
    label: "Arguments",
    hint: "One argument each; Enter ends one.",
    placeholder: "e.g. -y",
  },
  env: {
    kind: "map",
    label: "Environment",
    hint: "Environment variables, such as API_KEY.",
    isSecret: holdsSecret,
  },
  url: { kind: "text", label: "URL", placeholder: "https://mcp.example.com/mcp" },
  headers: {
    kind: "map",
    label: "Headers",
    hint: "HTTP headers, such as Authorization.",
    isSecret: holdsSecret,
  },
} as const satisfies FieldsOf<McpConfigInput>;

/** The fields of each kind of server. The other kind's fields stay in the form, not in the input. */
const FIELDS_BY_KIND = { local: ["command", "args", "env"], remote: ["url", "headers"] } as const;

/** The kind that is chosen, or else the only one that is filled in; undefined for both. */
export function getServerKind(form: FormValues): keyof typeof FIELDS_BY_KIND | undefined {
  const use = asText(form.get("use"));
  if (use === "local" || use === "remote") return use;
  const { input } = toInput(form, serverFormFields);
  const isLocal = FIELDS_BY_KIND.local.some((name) => name in input);
  const isRemote = FIELDS_BY_KIND.remote.some((name) => name in input);
  return isLocal && isRemote ? undefined : isRemote ? "remote" : "local";
}

/** The input of a form, with its name changed to one that every client accepts. */
export function toServerInput(form: FormValues): FormInput {
  const other = { local: "remote", remote: "local" } as const;
  const kind = getServerKind(form);
  const unused: readonly string[] = kind ? FIELDS_BY_KIND[other[kind]] : [];
  const used = new Map([...form].filter(([name]) => !unused.includes(name)));
  const { input, ...rest } = toInput(used, serverFormFields);
  const typedName = asText(form.get("name"));
  const name = /^[\w-]*$/.test(typedName) ? undefined : toServerName(typedName);
  return { input: name === undefined ? input : { ...input, name }, ...rest };
}

/** The client that is chosen. Without scripts the page has all of them. */
export const getClient = (form: FormValues): Client | undefined =>
  ALL_CLIENTS.find((client) => client === form.get("client"));

export function getRunOptions(form: FormValues) {
  const client = getClient(form);
  const clients: readonly Client[] = client ? [client] : ALL_CLIENTS;
  return isSse(form) ? { clients, transport: "sse" as const } : { clients };
}

export const isSse = (form: FormValues): boolean =>
  form.get("transport") === "sse" && getServerKind(form) === "remote";

/** The input of the page: the server in the fields, or else the first of the others. */
export function toPageInput(form: FormValues): FormInput {
  const own = toServerInput(form);
  const [other] = listServers(form).rows.filter(isFilled);
  return isFilled(own) || !other ? own : { input: other.input, names: new Map(), issues: [] };
}

/** The names of a server's variables or headers that hold secrets. */
export function listSecrets({ url, env = {}, headers = {} }: ServerRow["input"]) {
  const values = Object.entries(url === undefined ? env : headers);
  return values.flatMap(([name, value]) => (holdsSecret(name, value) ? [name] : []));
}

/** The servers that the file has. */
export const listWritten = (form: FormValues): readonly ServerRow[] =>
  listServers(form).rows.filter((row) => isFilled(row) && !row.isAlternative);

export const isFilled = ({ input }: Pick<ServerRow, "input">): boolean =>
  Object.keys(input).length > 0;

/** A server in the fields of a form, or beside it. */
export interface ServerRow {
  readonly input: Partial<McpConfigInput>;
  /** The transport, where it is not the usual one. */
  readonly transport?: "sse" | undefined;
  /** Whether this is another way to run a server of the same name. A file can hold only one. */
  readonly isAlternative?: boolean | undefined;
}

/** The pasted servers. Two with the same name are two ways to run it, the usual one first. */
export interface PastedServers {
  readonly servers: readonly {
    readonly input: McpConfigInput;
    readonly transport?: ServerRow["transport"];
    /** The text has no name for it: one that the user typed stays. */
    readonly isNameGuessed?: boolean;
  }[];
  readonly left_out: readonly { readonly name: string; readonly reason: string }[];
  /** Sentences about the data that was read and changed. */
  readonly notice: string;
}

interface OpenedServers {
  readonly rows: readonly ServerRow[];
  /** The index of the row that the fields show; -1 while all are closed. */
  readonly shownIndex: number;
  /** The servers that were not read, with the reasons. */
  readonly left_out: PastedServers["left_out"];
}

/** The servers of a form: the one in its fields, among the others of the text that was opened. */
export function listServers(form: FormValues): OpenedServers {
  const row: ServerRow = {
    input: toServerInput(form).input,
    transport: isSse(form) ? "sse" : undefined,
  };
  const text = asText(form.get(OPENED_FILE));
  if (text === "") return { rows: [row], shownIndex: 0, left_out: [] };
  // Only the page's script writes this control.
  const { rows, shownIndex, left_out }: OpenedServers = JSON.parse(text);
  return {
    rows: rows.map((kept, index) => (index === shownIndex ? row : kept)),
    shownIndex,
    left_out,
  };
}

/** Shows one server in the fields of a form, or none, and keeps the others beside it. */
function showServer(form: FormValues, { rows, shownIndex, left_out }: OpenedServers): void {
  const shown: ServerRow = rows[shownIndex] ?? { input: {} };
  const kept = rows.map((row) =>
    shown.isAlternative && row.input.name === shown.input.name
      ? { ...row, isAlternative: row !== shown }
      : row,
  );
  const secrets = form.get(SECRETS);
  replaceForm(form, toFormValues(shown.input, serverFormFields));
  if (shown.transport) form.set("transport", shown.transport);
  if (secrets !== undefined) form.set(SECRETS, secrets);
  if (rows.length > 1 || left_out.length > 0)
    form.set(OPENED_FILE, JSON.stringify({ rows: kept, shownIndex, left_out }));
}

/**
 * What to write in place of secrets: `values`, `variables`, or variables for `all` values, as a link must
 * not contain any. Else, it depends on the scope.
 */
export const SECRETS = "secrets";

/** Example lines and their servers, so that the parser need not be loaded for them. */
export const EXAMPLES: ReadonlyMap<string, McpConfigInput> = new Map<string, McpConfigInput>([
  [
    "npx -y @acme/notes-mcp ~/notes",
    { name: "notes", command: "npx", args: ["-y", "@acme/notes-mcp", "~/notes"] },
  ],
  ["claude mcp add docs -- uvx docs-mcp", { name: "docs", command: "uvx", args: ["docs-mcp"] }],
  ["https://mcp.example.com/mcp", { name: "example", url: "https://mcp.example.com/mcp" }],
]);

/** Does what a button of this page alone asks for. */
export function applyServerIntent(form: FormValues, intent: string): string | undefined {
  const [verb = ""] = intent.split(" ", 1);
  const rest = intent.slice(verb.length + 1);
  switch (verb) {
    case "preset": {
      const input = EXAMPLES.get(rest);
      if (input) fillServers(form, { servers: [{ input, isNameGuessed: true }], left_out: [] });
      return "name";
    }
    case "rename": {
      const name = asText(form.get("name"));
      form.set("name", toServerName(name) ?? name);
      return "name";
    }
    case "show":
      showServer(form, { ...listServers(form), shownIndex: Number(rest) });
      return "name";
    case "remove-server":
      return removeServer(form);
    case "close":
      showServer(form, { ...listServers(form), shownIndex: -1 });
      return `show ${rest}`;
    case "add-server":
      addServer(form, {});
      return "paste";
    case "enter-left-out":
      addServer(form, { name: rest });
      return "command";
    case "secrets":
      form.set(SECRETS, rest);
      return rest === "all" ? `${form.get("client")}-add` : "scope";
    default:
      return undefined;
  }
}

function addServer(form: FormValues, input: ServerRow["input"]): void {
  const opened = listServers(form);
  const rows = opened.rows.filter(isFilled);
  const left_out = opened.left_out.filter(({ name }) => name !== input.name);
  showServer(form, { rows: [...rows, { input }], shownIndex: rows.length, left_out });
}

/** Removes the open server, and opens its neighbour. */
function removeServer(form: FormValues): string | undefined {
  const { rows, shownIndex, left_out } = listServers(form);
  if (!(shownIndex in rows) || rows.length === 1) return undefined;
  const rest = rows.toSpliced(shownIndex, 1);
  showServer(form, { rows: rest, shownIndex: Math.min(shownIndex, rest.length - 1), left_out });
  return "name";
}

/** Holds the last name that was read; any other name was typed by the user. */
const LAST_READ_NAME = "read_name";

/** Hidden controls of this page. They keep choices whose radio buttons are gone. */
export const HIDDEN_CONTROLS = [LAST_READ_NAME, OPENED_FILE, SECRETS] as const;

/** More would make each keystroke slow. */
const MAX_SERVERS = 50;

/**
 * Puts servers that were read into a form: beside the others, and in place of those with their names. A
 * guessed name does not replace one that the user typed for the server in the fields.
 *
 * @param replacesShown whether they replace the server in the fields: they were pasted there.
 */
export function fillServers(
  form: FormValues,
  { servers, left_out }: Pick<PastedServers, "servers" | "left_out">,
  replacesShown = false,
): undefined {
  const old = listServers(form);
  const shown = old.rows[old.shownIndex];
  const isReplaced =
    shown !== undefined && (replacesShown || (!shown.input.command && !shown.input.url));
  const typedName = asText(form.get("name"));
  const isTypedName = typedName !== "" && typedName !== form.get(LAST_READ_NAME);
  const keepsName =
    isReplaced && isTypedName && servers.length === 1 && servers[0]?.isNameGuessed === true;
  const added = servers.map(({ input, transport }, index): ServerRow => {
    const isAlternative = servers.findIndex((one) => one.input.name === input.name) < index;
    return { input: keepsName ? { ...input, name: typedName } : input, transport, isAlternative };
  });
  const names = new Set(added.map(({ input }) => input.name));
  const others = old.rows.filter(
    (row) => !(isReplaced && row === shown) && isFilled(row) && !names.has(row.input.name),
  );
  const placeOf = ({ input }: ServerRow) => {
    const index = old.rows.findIndex((row) => row.input.name === input.name);
    return index === -1 ? old.rows.length : index;
  };
  const fitting = added.slice(0, MAX_SERVERS - others.length);
  const tooMany = added.slice(fitting.length).map(({ input: { name = "" } }) => ({
    name,
    reason: `this page holds ${MAX_SERVERS} servers`,
  }));
  const rows = [...others, ...fitting].sort((one, other) => placeOf(one) - placeOf(other));
  showServer(form, {
    rows,
    // Several begin as a list.
    shownIndex: names.size > 1 ? -1 : rows.findIndex(({ input }) => names.has(input.name)),
    left_out: [...old.left_out.filter(({ name }) => !names.has(name)), ...left_out, ...tooMany],
  });
  if (!keepsName) form.set(LAST_READ_NAME, asText(form.get("name")));
  markTouched(form);
}

/** The form with a placeholder for each value that may be secret. The names stay. */
export function maskSecretsInForm(form: FormValues): FormValues {
  const { input } = toInput(form, serverFormFields);
  const kept = new Map([...form, ...toFormValues(maskInput(input), serverFormFields)]);
  kept.delete("args_at");
  if (!kept.has(OPENED_FILE)) return kept;
  const { rows, ...opened } = listServers(form);
  const masked = rows.map((row) => ({ ...row, input: maskInput(row.input) }));
  return kept.set(OPENED_FILE, JSON.stringify({ ...opened, rows: masked }));
}

function maskInput(input: ServerRow["input"]): ServerRow["input"] {
  const args = maskAll(input.args ?? []);
  return mapStrings(input, (value, [field, key]) => {
    if (field === "args") return args[Number(key)] ?? "";
    if (field === "url") return maskAll([value]).join();
    // The field may hold a whole line, with variables in front of the program.
    if (field === "command")
      return /^\s*\w+=/.test(value) ? "" : maskAll(value.split(" ")).join(" ");
    // A placeholder is empty without it.
    const isSafe = withoutPlaceholders(value, `${key}`) === "" || parseBearerReference(value);
    return isSafe ? value : `YOUR_${upperSnake(`${key}`) || "VALUE"}`;
  });
}

const maskAll = (words: readonly string[]): readonly string[] =>
  [maskSecrets(words)].flat().map((word) => String(word).replaceAll("***", "YOUR_SECRET"));
