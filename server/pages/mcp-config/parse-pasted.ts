import type { McpConfigInput, Transport } from "../../../schemas/mcp-config.ts";
import { formatPath, InvalidInputError, isWithinPath, type Problem } from "../../../src/issues.ts";
import { JsonTextError, parseJsonTree } from "../../../src/json-tree.ts";
import { isSseUrl } from "../../../src/mcp-config/config-warnings.ts";
import { jsonInOrder, unionPattern } from "../../../src/mcp-config/json-values.ts";
import { mapStrings, type RawServer } from "../../../src/mcp-config/mcp-server.ts";
import { type ConfigBlock, readConfigBlocks } from "../../../src/mcp-config/parse/parse-config.ts";
import { parseServerCommand } from "../../../src/mcp-config/parse-command-line.ts";
import { readIfServerJson } from "../../../src/mcp-config/server-json/parse-server-json.ts";
import { deriveServerName, parsePackageWord } from "../../../src/mcp-config/server-name.ts";
import { replaceByPlaceholders } from "../../../src/mcp-config/variable-references.ts";
import { formatSome } from "../../../src/text.ts";
import type { ReadOutcome } from "../form/form-state.ts";
import type { FormValues } from "../form/form-values.ts";
import { fillServers, listWritten, type PastedServers, type ServerRow } from "./server-form.ts";

/** The pasted servers, or the reason why there are none. */
type PastedText = PastedServers | { readonly reason: string };

/** Reads pasted text into the form. */
export function readPasted(text: string, field: string, form: FormValues): ReadOutcome {
  const pasted = parsePasted(text, field || undefined);
  if ("reason" in pasted) return pasted;
  const change = (form: FormValues) => fillServers(form, pasted, field !== "");
  const after = new Map(form);
  change(after);
  const before = field === "" ? listWritten(form) : [];
  const effect = before.length > 0 ? describePaste(before, listWritten(after)) : "";
  return { change, notice: [effect, pasted.notice].filter(Boolean).join(" ") };
}

/** What a paste did beside servers that were there before. */
function describePaste(before: readonly ServerRow[], after: readonly ServerRow[]): string {
  const toText = ({ input, transport }: ServerRow) => jsonInOrder({ ...input, transport });
  const old = new Map(before.map((row) => [row.input.name, toText(row)]));
  const changed = after.filter((row) => old.get(row.input.name) !== toText(row));
  const names = changed.map(({ input: { name = "" } }) => name);
  const replaced = formatSome(names.filter((name) => old.has(name)));
  const added = formatSome(names.filter((name) => !old.has(name)));
  const said = [replaced && `${replaced} replaced`, added && `${added} added`].filter(Boolean);
  return `${said.join(", ") || "You have this already"}.`;
}

/**
 * Reads MCP servers from a command line, an `mcp add` command, a URL, a package, a server.json, or the
 * config of any client, also within a README.
 *
 * @param field where the text was pasted: only `command` takes a program of any name. Undefined for a
 * file and for the box, where the text may be prose.
 */
export const parsePasted = (text: string, field?: string): PastedText =>
  parsePastedLine(text, field) ?? parsePastedManifest(text) ?? parsePastedConfig(text);

/** @returns undefined for other text. */
function parsePastedLine(text: string, field?: string): PastedText | undefined {
  const isCommand = field === "command";
  if (!isCommand && PROSE.test(text.replace(NO_WORDS, ""))) return undefined;
  try {
    const isAlone = isCommand || field === undefined;
    const target = isAlone ? parsePackageWord(text.trim()) : undefined;
    if (target) {
      const input = { name: deriveServerName(target) ?? "server", ...target };
      return toPastedServers(text, [{ input, isNameGuessed: true }]);
    }
    const line = parseServerCommand(text, isCommand || (isAlone && PROGRAM.test(text)));
    if (!line) return undefined;
    const { input, isNamed, transport, left_out = {} } = line;
    const skipped = Object.keys(left_out);
    return toPastedServers(
      text,
      [{ input, isNameGuessed: !isNamed, transport }],
      skipped.length > 0 ? [`Left out: ${skipped.join(", ")}.`] : [],
    );
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { reason: `This command line ${error.message}.` };
  }
}

/** Words of a sentence. A command line has them only in a comment or in quotes. */
const PROSE = /(?:^|\s)(?:and|are|is|please|that|the|this|with|you|your)(?![\w-])/i;
const NO_WORDS = /^[ \t]*#.*$|(["'`]).*?\1/gm;

/** A program of any name, with a prompt and variables before it. */
const WITH_PROGRAM = /^\s*(?:[$%>]\s+)?(?:\w+=\S*\s+)*(?:[A-Z]:)?[^\sA-Z]\S*\s+/;

/** An option, a path, a script or a usual subcommand. */
const ARGUMENT = unionPattern(
  "",
  /--?[A-Za-z]/,
  /[.~]{0,2}[\\/]/,
  /\S+\.(?:[cm]?[jt]s|py|jar|rb|php|sh)\b/,
  /(?:exec|mcp|run|serve|start|stdio)\b/,
);

const PROGRAM = new RegExp(`${WITH_PROGRAM.source}(?:${ARGUMENT.source})`);

/** The ways to run the server of a server.json, with the variables that its user sets. */
function parsePastedManifest(text: string): PastedText | undefined {
  const readVia = (via?: string) => {
    const manifest = readIfServerJson(text, { via });
    return manifest?.servers.map((server) => ({ ...manifest, ...server })) ?? [];
  };
  try {
    const [first] = readVia();
    if (!first) return undefined;
    const kinds = [...new Set(first.ways.map(({ via }) => via))];
    const servers = kinds.length > 1 ? kinds.flatMap(readVia) : [first];
    const variables = first.variables.map(({ name, description }) =>
      description ? `${name} (${description})` : name,
    );
    const remarks = first.warnings.filter(({ code }) => code !== "package-chosen").map(toSentence);
    const needs = variables.length > 0 ? [`It needs ${variables.join(", ")}.`] : [];
    return toPastedServers(
      text,
      servers.map(({ input, transport }) => ({ input: openValues(input), transport })),
      [...needs, ...remarks],
    );
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const [problem] = error.problems;
    return { reason: problem?.onPage ?? `This server.json ${error.message}.` };
  }
}

/** Leaves blank what the user must write, and puts a placeholder there within a longer string. */
const openValues = (input: McpConfigInput): McpConfigInput =>
  mapStrings(input, (value, [list]) => {
    const text = replaceByPlaceholders(value);
    return (list === "env" || list === "headers") && /^<\w+>$/.test(text) ? "" : text;
  });

/** The servers of a config. */
function parsePastedConfig(text: string): PastedText {
  let reason = NOTHING_FOUND;
  // The text itself, which may be a README, or its part in braces.
  const inBraces = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  for (const part of [text.trim().replace(/,$/, ""), inBraces]) {
    try {
      const blocks = readConfigBlocks(part);
      const servers = blocks.flatMap((block) => block.servers);
      if (servers.length > 0) return mergeBlocks(text, blocks, servers);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      if (reason === NOTHING_FOUND && /^\s*[{["]/.test(text))
        reason = isCutOff(text)
          ? `The text ends in the middle (line ${text.trim().split("\n").length}): was it cut off?`
          : `This ${error.message}.`;
    }
  }
  return { reason };
}

const NOTHING_FOUND =
  "No MCP server found. Paste a command, a URL, a package, or a config, README or server.json that contains one.";

/** Whether brackets are open where the last line of JSON breaks off. */
function isCutOff(text: string): boolean {
  if (text.split(/[{[]/).length <= text.split(/[}\]]/).length) return false;
  try {
    parseJsonTree(text);
    return false;
  } catch (error) {
    return error instanceof JsonTextError && !text.trimEnd().includes("\n", error.offset);
  }
}

function mergeBlocks(
  text: string,
  blocks: readonly ConfigBlock[],
  servers: readonly RawServer[],
): PastedServers {
  const warnings = blocks.flatMap((block) => block.warnings);
  const changes = servers.flatMap(({ cwd, path: serverPath, input }) => [
    ...(cwd === undefined ? [] : [`The working directory (cwd) of ${input.name} was left out.`]),
    ...warnings.filter(({ path }) => isWithinPath(path, serverPath)).map(toSentence),
  ]);
  // Blocks for several clients repeat a server.
  const different = new Map(
    servers.map(({ input, transport }) => [jsonInOrder(input), { input, transport }]),
  );
  return toPastedServers(
    text,
    [...different.values()],
    [...new Set(changes)],
    blocks.flatMap(({ left_out }) => left_out),
  );
}

const toSentence = ({ path, message, onPage }: Problem): string =>
  onPage ?? `${formatPath(path)} ${message}.`;

/** @param remarks what was changed or left out of the servers, in sentences. */
function toPastedServers(
  text: string,
  found: readonly (Omit<PastedServers["servers"][number], "transport"> & {
    readonly transport?: Transport | undefined;
  })[],
  remarks: readonly string[] = [],
  left_out: PastedServers["left_out"] = [],
): PastedServers {
  const isHttp = /streamable|\bhttp\b(?!:)/i.test(text);
  const servers = found.map(({ transport, ...server }) => {
    const isSse = transport === "sse" || (!isHttp && isSseUrl(server.input.url ?? ""));
    return { ...server, ...(isSse && ({ transport: "sse" } as const)) };
  });
  const names = servers.map(({ input }) => input.name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  const sse = servers.flatMap(({ input, transport }) => (transport ? [input.name] : []));
  const user = names.length > 1 ? formatSome(sse) : "The server";
  const notice = [
    ...(twice === undefined ? [] : [`There are several ways to run ${twice}; choose one.`]),
    ...(sse.length > 0
      ? [`${user} ${sse.length > 1 ? "use" : "uses"} SSE, the older transport.`]
      : []),
    ...remarks,
  ].join(" ");
  return { servers, left_out, notice };
}
