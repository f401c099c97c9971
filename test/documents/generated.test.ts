import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ALL_CLIENTS } from "../../schemas/index.ts";
import { createMcpConfig } from "../../src/index.ts";
import {
  type ClientDefinition,
  replacesReferences,
} from "../../src/mcp-config/client-definition.ts";
import { clientDefinitions } from "../../src/mcp-config/clients/all-clients.ts";
import triedClients from "../integration/clients/tried-clients.json" with { type: "json" };
import { ROOT, readDocument } from "./document.ts";
import { readAction } from "./workflow.ts";

/*
 * Parts of the documents that come from the code: they are between <!-- name --> and <!-- /name -->,
 * and `npm run golden` writes them.
 */

type Row = readonly string[];

const markdown = (heading: Row, rows: readonly Row[]): string =>
  [heading, heading.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** The files of each client, and its form of references. */
function clientTable(): string {
  const server = { name: "files", command: "npx", env: { TOKEN: REFERENCE.value } };
  const { clients } = createMcpConfig(server, { clients: ALL_CLIENTS });
  return markdown(
    [
      ...["client", "`--client`", "user's file", "folder variable", "project's file"],
      "`${TOKEN}` in its syntax",
    ],
    clients.map(({ client, title, locations, entry }) => [
      title,
      `\`${client}\``,
      pathsOf(locations.filter(({ scope }) => scope === "user")),
      movedBy(clientDefinitions[client]),
      pathsOf(locations.filter(({ scope }) => scope === "project")),
      replacesReferences(clientDefinitions[client], REFERENCE) ? referenceIn(entry) : "none",
    ]),
  );
}

/** What each row follows, and the results of `npm run test:integration clients`. */
function triedTable(): string {
  const { clients } = createMcpConfig({ name: "a", command: "b" }, { clients: ALL_CLIENTS });
  const yes = (shown = false) => (shown ? "yes" : "");
  return markdown(
    ["client", "verified", "listed", "called"],
    clients.map(({ client, title, source, verified }) => {
      const tried = triedClients.find((other) => other.client === client);
      return [`[${title}](${source})`, verified, yes(tried?.listed), yes(tried?.called)];
    }),
  );
}

type Locations = ReturnType<typeof createMcpConfig>["clients"][number]["locations"];

/** Each path once; where systems differ, with their names. */
function pathsOf(locations: Locations): string {
  const systems = Map.groupBy(locations, ({ path }) =>
    path.startsWith("%USERPROFILE%") ? path.replace(/^%\w+%/, "~").replaceAll("\\", "/") : path,
  );
  return Array.from(systems, ([path, places]) => {
    const names = places.map(({ os }) => OS_NAMES[os]);
    return names.length === 3 ? `\`${path}\`` : `${names.join(", ")}: \`${path}\``;
  }).join("<br>");
}

const OS_NAMES = { macos: "macOS", windows: "Windows", linux: "Linux" };

const movedBy = ({ home = [] }: ClientDefinition): string =>
  home
    .map(({ name, folder }) => `\`${name}\`${Object.keys(folder).length === 3 ? "" : " on Linux"}`)
    .join("<br>");

const REFERENCE = { path: ["env", "TOKEN"], value: "${TOKEN}" };

/** The value in an entry; Codex names the variables that it passes on. */
function referenceIn(entry: string): string {
  const [, value] = /"?TOKEN"?\s*[:=]\s*"([^"]*)"/.exec(entry) ?? [];
  return `\`${value ?? /env_vars = .*/.exec(entry)?.[0]}\``;
}

/** The workflow of the example repository. */
const workflow = (): string =>
  `\`\`\`yaml\n${readDocument("examples/repository/.github/workflows/handtools.yml").text}\`\`\``;

const actionTable = (): string =>
  markdown(
    ["input", "default", "meaning"],
    Object.entries(readAction().inputs).map(([name, { description, default: value }]) => [
      `\`${name}\``,
      value === "" ? "" : `\`${value}\``,
      description,
    ]),
  );

const parts: readonly [document: string, part: string, written: () => string][] = [
  ["docs/ci.md", "workflow", workflow],
  ["docs/ci.md", "inputs", actionTable],
  ["docs/mcp.md", "clients", clientTable],
  ["docs/mcp.md", "tried", triedTable],
];

describe("generated parts", () => {
  test.each(parts)("%s has its %s as the code says them", (path, part, written) => {
    const marked = new RegExp(`(<!-- ${part} -->\n)[\\s\\S]*?(<!-- /${part} -->)`);
    const { text } = readDocument(path);
    const current = text.replace(marked, (_, start, end) => `${start}\n${written()}\n\n${end}`);
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(join(ROOT, path), current);
    expect(text).toMatch(marked);
    expect(readDocument(path).text).toBe(current);
  });
});
