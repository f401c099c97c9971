import type { MailFilterResult } from "../../../schemas/index.ts";
import { plural, thousands } from "../../../src/text.ts";
import { type Html, html, longText } from "../html.ts";
import { copyButton } from "../parts.ts";
import type { ReadExtras } from "../view.ts";
import {
  filterMeaning,
  listFilters,
  type TriedAt,
  triedFold,
  triedNote,
} from "./mail-trial/mail-trial.ts";

type Filter = MailFilterResult["filters"][number];

interface Kind {
  readonly id: string;
  /** The words after a number: "forward" in "80 forward". */
  readonly words: string;
  /** A property that a filter of this kind has. */
  readonly property?: string;
  /** The code of a warning about a filter of this kind. */
  readonly code?: string;
  /** True for a filter that matched no mail of a trial. */
  readonly tookNone?: true;
  /** True for a filter that a merge of the file joins with others. */
  readonly isReplaced?: true;
}

/** All kinds. The stylesheet has their ids too: change both. */
const KINDS: readonly Kind[] = [
  { id: "forward", words: "forward", property: "forwardTo" },
  { id: "delete", words: "delete", property: "shouldTrash" },
  { id: "repeat", words: "repeat", code: "duplicate-filter" },
  { id: "conflict", words: "conflict", code: "conflicting-filters" },
  { id: "all", words: "match almost all mail", code: "matches-almost-all" },
  { id: "never", words: "never match", code: "larger-than-any-mail" },
  { id: "none", words: "took none of your mail", tookNone: true },
  { id: "merge", words: "could be merged", isReplaced: true },
];

/** The filters of the opened file that the input leaves out, because they do nothing. */
const IDLE: Kind = { id: "nothing", words: "do nothing" };

/** What is known about the filters besides the result. */
interface Known {
  readonly triedAt: TriedAt;
  readonly input: unknown;
  readonly extras: ReadExtras | undefined;
}

/**
 * An overview of many filters: how many are of each kind, and all of them by label. Each number shows
 * only its filters, by the style; the page's script searches.
 */
export function checkup(result: MailFilterResult, known: Known): Html {
  const { filters } = result;
  const { triedAt, extras: { idle = [] } = {} } = known;
  const kindsOf = findKinds(result, known);
  const rows = filters.map((filter, index) => ({ filter, index, kinds: kindsOf(filter, index) }));
  const counts = [
    ...KINDS.map((kind) => ({
      ...kind,
      count: rows.filter(({ kinds }) => kinds.includes(kind.id)).length,
    })),
    { ...IDLE, count: idle.length },
  ].filter(({ count }) => count > 0);
  const summary = [
    plural(filters.length, "filter"),
    counts.map(({ count, words }) => `${thousands(count)} ${words}`).join(", "),
  ]
    .filter((part) => part !== "")
    .join(": ");
  const groups = Map.groupBy(rows, ({ filter }) => labelOf(filter));
  const text = [
    `${summary}.`,
    ...[...groups].flatMap(([label, inGroup]) => [
      "",
      `${label} (${inGroup.length})`,
      ...inGroup.map(({ filter, index }) => `- ${filter.explanation}${triedNote(triedAt(index))}`),
    ]),
    ...(idle.length > 0 ? ["", LEFT_OUT, ...idle.map((line) => `- ${line}`)] : []),
  ].join("\n");
  return html`<section class="checkup" aria-labelledby="checkup-title">
<div class="checkup-head"><h3 id="checkup-title">Checkup of ${plural(filters.length, "filter")}</h3> ${copyButton("checkup-text", "the checkup")}</div>
<div class="chips" role="radiogroup" aria-label="Show">
<label><input type="radio" name="kind" value="" checked> all</label>
${counts.map(({ id, count, words }) => html`<label><input type="radio" name="kind" value="${id}"> ${thousands(count)} ${words}</label>\n`)}</div>
<p class="needs-script"><input type="search" aria-label="Search the filters" placeholder="Search" data-search="checkup-list"></p>
<div id="checkup-list">
${[...groups].map(
  ([
    label,
    inGroup,
  ]) => html`<section data-kinds="${inGroup.flatMap(({ kinds }) => kinds).join(" ")}"><h4><bdi>${label}</bdi> (${inGroup.length})</h4>
<ul>${inGroup.map(({ filter, index, kinds }) => html`<li data-kinds="${kinds.join(" ")}"><a href="#filters[${index}]" dir="auto">${filter.explanation}</a>${triedFold(`checked-${index}`, triedAt(index))}</li>\n`)}</ul></section>
`,
)}${
  idle.length > 0 &&
  html`<section data-kinds="${IDLE.id}"><h4>${LEFT_OUT}</h4>
<ul>${idle.map((line) => html`<li data-kinds="${IDLE.id}">${line}</li>\n`)}</ul></section>`
}</div>
<pre id="checkup-text" hidden>${longText(text)}</pre>
</section>
`;
}

const LEFT_OUT = "Left out of the file that was opened";

function findKinds({ warnings }: MailFilterResult, { triedAt, input, extras }: Known) {
  const replaced = new Set(extras?.offer?.(input)?.replaces.map(filterMeaning));
  const given = replaced.size > 0 ? listFilters(input).map(filterMeaning) : [];
  const codes = Map.groupBy(warnings, ({ path }) => /^filters\[(\d+)\]/.exec(path)?.[1]);
  return ({ entries }: Filter, index: number): readonly string[] =>
    KINDS.filter(
      ({ property, code, tookNone, isReplaced }) =>
        (isReplaced && replaced.has(given[index] ?? "")) ||
        (tookNone && triedAt(index)?.filter.at_most === 0) ||
        (property !== undefined &&
          entries.some(({ properties }) => Object.hasOwn(properties, property))) ||
        (code !== undefined && codes.get(String(index))?.some((warning) => warning.code === code)),
    ).map(({ id }) => id);
}

const labelOf = ({ entries }: Filter): string => entries[0]?.properties.label ?? "No label";
