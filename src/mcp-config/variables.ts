import { groupBy } from "../group-by.ts";
import { type ClientDefinition, replacesReferences, type ServerAnalysis } from "./client.ts";
import type { McpFindings } from "./findings.ts";
import { showInvisible } from "./formats.ts";
import { FORMS, isReferenceName, type ReferringText, startsShell } from "./references.ts";
import type { Server, ServerText } from "./server.ts";

/**
 * Warns about variables and `~` paths that some clients pass on unreplaced: one warning for each text
 * and group of clients.
 */
export function warnAboutVariables(
  clients: readonly ClientDefinition[],
  analysis: ServerAnalysis,
  findings: McpFindings,
): void {
  const referring = new Map(analysis.references.map((text) => [text.path.join("\0"), text]));
  // Most texts have no such part, and most servers no such text.
  for (const text of analysis.texts.filter(({ value }) => /[$%~]|\{\w+:/.test(value))) {
    const parts = findParts(text, analysis, referring.get(text.path.join("\0")));
    const titles = new Map<string, string[]>();
    for (const client of clients) {
      for (const part of findUnreplaced(client, text, parts)) {
        titles.set(part, [...(titles.get(part) ?? []), client.title]);
      }
    }
    for (const unreplaced of groupBy([...titles], ([, names]) => names.join()).values()) {
      const names = unreplaced[0]?.[1] ?? [];
      const shown = showInvisible(unreplaced.map(([part]) => part).join(", "));
      const at = findings.at(...text.path);
      if (shown.startsWith("<")) at.add("reference-as-text/unknown", { shown, names });
      else if (shown === HOME) at.add("reference-as-text/home", { names });
      else at.add("reference-as-text", { shown, names });
    }
  }
  warnAboutCommandPath(clients, analysis, findings);
}

/** The parts of a text that some client replaces. */
interface Parts {
  readonly referring: ReferringText | undefined;
  /** The text's references, as `${NAME}` or as the placeholder `<NAME>`. */
  readonly references: readonly string[];
  readonly others: readonly string[];
  readonly isInHome: boolean;
}

function findParts(
  { path: [field], value }: ServerText,
  { server, serverInputs }: ServerAnalysis,
  referring: ReferringText | undefined,
): Parts {
  const names = referring?.names.filter((name) => !serverInputs.get(name)?.value) ?? [];
  const isScript = field === "args" && startsShell(server);
  const isForCmd = value.includes("://") || (field === "args" && startsCmd(server));
  const others = Array.from(value.matchAll(VARIABLE), ([part]) => part).filter(
    (part) =>
      !(referring && isReference(part)) &&
      !(isScript && isForShell(part)) &&
      !(isForCmd && part.startsWith("%")),
  );
  return {
    referring,
    references: names.map((name) => (serverInputs.has(name) ? `<${name}>` : `\${${name}}`)),
    others: [...new Set(others)],
    isInHome: !isScript && HOME_FIELDS.has(String(field)) && HOME_PATH.test(value),
  };
}

function findUnreplaced(
  client: ClientDefinition,
  { path, value }: ServerText,
  { referring, references, others, isInHome }: Parts,
): readonly string[] {
  const field = String(path[0]);
  const { homePaths } = client;
  const isWholePath = homePaths?.fields.includes(field) && homePaths.pattern.test(value);
  return [
    ...(referring && replacesReferences(client, referring) ? [] : references),
    ...others.filter((part) => !replacesPart(client, part, field)),
    ...(isInHome && !isWholePath ? [HOME] : []),
  ];
}

/** True for a variable in a text, such as `$NAME`, that the client replaces in this field. */
function replacesPart({ references }: ClientDefinition, part: string, field: string): boolean {
  if (!references) return false;
  const { forms = [], takesDefaults, alsoReplaces, fields } = references;
  if (alsoReplaces?.test(part)) return true;
  if (fields?.includes(field) === false || !isReferenceName(variableName(part))) return false;
  return (
    forms.some((form) => part.replace(FORMS[form], "") === "") ||
    (takesDefaults === true && /^\$\{[A-Za-z_]\w*:-[^}]*\}$/.test(part))
  );
}

/**
 * `${NAME}`, `${NAME:-default}`, `${kind:name}`, `$NAME`, `$env:NAME`, `{env:NAME}`, `{file:path}` and
 * `%NAME%`. `$name` is left out: it is a word of queries and schemas; so is `%E2%`, a part of a URL.
 */
const VARIABLE =
  /\$\{(?:[A-Za-z_]\w*(?::[^}]*)?|\/)\}|(?<![\w$\\])\$(?:env:\w+|[A-Z_][A-Z\d_]*(?![\w$]))|(?<!\$)\{(?:env|file):[^}]+\}|%(?![\dA-F]{2}%)[A-Z_][A-Z\d_]+%/g;

const variableName = (part: string): string => /^\$\{([^:}]*)\}$/.exec(part)?.[1] ?? "";

const isReference = (part: string): boolean =>
  /^\w/.test(variableName(part)) && isReferenceName(variableName(part));

/** True for a part that a shell replaces itself. `${workspaceFolder}` and `${env:NAME}` are for a client. */
const isForShell = (part: string): boolean =>
  /^(?:\$\{\w+:-|\$[A-Za-z_])/.test(part) || isReference(part);

/** cmd.exe replaces `%NAME%`, which in a URL is mostly encoded text. */
const startsCmd = (server: Server): boolean =>
  server.transport === "stdio" &&
  /(?:^|[\\/])cmd(?:\.exe)?$/i.test(server.command) &&
  server.args.some((arg) => /^\/c$/i.test(arg));

const HOME = "~";

/** A path in the home folder, also as the value of a flag. */
const HOME_PATH = /^(?:--?[\w-]+=)?~(?:$|[\\/])/;

/** The fields with paths. `command` has a warning of its own, because most clients do not find such a program. */
const HOME_FIELDS: ReadonlySet<string> = new Set(["args", "env"]);

function warnAboutCommandPath(
  clients: readonly ClientDefinition[],
  { server }: ServerAnalysis,
  findings: McpFindings,
): void {
  if (server.transport !== "stdio") return;
  const { command } = server;
  const isRelative = /^\.{1,2}[\\/]/.test(command);
  const names = clients
    .filter(
      ({ homePaths, needsWholePath }) =>
        (/^~[\\/]/.test(command) && !homePaths?.fields.includes("command")) ||
        (isRelative && needsWholePath),
    )
    .map(({ title }) => title);
  if (names.length > 0) findings.at("command").add("command-not-found", { names });
}
