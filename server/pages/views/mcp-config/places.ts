import type { ClientConfig } from "../../../../schemas/index.ts";
import { type Html, html } from "../../html.ts";
import { code } from "../../prose.ts";

type Location = ClientConfig["locations"][number];

const SYSTEMS = { macos: "macOS", windows: "Windows", linux: "Linux" } as const;

/** Where a client's file is; a path that several systems have stands there once. */
export const places = (locations: readonly Location[]): Html => html`<dl class="places">
${[...Map.groupBy(locations, ({ path }) => path)].map(
  ([path, sharers]) => html`<div><dt>${where(sharers)}</dt><dd>${code(path)}</dd></div>\n`,
)}</dl>`;

const where = (sharers: readonly Location[]): string =>
  sharers.every(({ scope }) => scope === "project")
    ? "In a project"
    : `For you, on ${sharers.map(({ os }) => SYSTEMS[os]).join(" and ")}`;
