/** @jsxImportSource preact */
import type { MailFilterResult } from "../../../schemas/mail-filter.ts";
import { filterIndex } from "../../../src/mail-filter/parse-filter.ts";
import { plural, thousands } from "../../../src/text.ts";
import { Copy } from "../components.tsx";
import { Memo, Radios } from "../form/field-components.tsx";
import type { State } from "../form/form-state.ts";
import { type Tree, textOf } from "../form/form-values.ts";
import { FORM_ID } from "../form/tool-layout.tsx";
import { filterMeaning, listFilters } from "./filter-form.ts";
import type { Changes, Offer } from "./opened-export.ts";

interface Kind {
  readonly id: string;
  /** The words after a number: "forward" in "80 forward". */
  readonly words: string;
  /** A property that a filter of this kind has. */
  readonly property?: string;
  /** The code of a warning about a filter of this kind. */
  readonly code?: string;
}

const KINDS: readonly Kind[] = [
  { id: "forward", words: "forward", property: "forwardTo" },
  { id: "delete", words: "delete", property: "shouldTrash" },
  { id: "repeat", words: "repeat", code: "duplicate-filter" },
  { id: "conflict", words: "conflict", code: "conflicting-filters" },
  { id: "all", words: "match almost all mail", code: "matches-almost-all" },
  { id: "never", words: "never match", code: "larger-than-any-message" },
  { id: "merge", words: "could be merged" },
  { id: "nothing", words: "do nothing" },
];

const LEFT_OUT = "Left out of the opened file";

interface CheckupProps {
  /** Of the result, which may be older than the form. */
  readonly state: State<MailFilterResult>;
  /** The form now. */
  readonly tree: Tree;
  readonly result: MailFilterResult;
  readonly offer: Offer | undefined;
  readonly idle: Changes["idle"];
}

/** An overview of many filters by label. Its search and its kinds are fields of the form too. */
export function Checkup({ state, tree, result, offer, idle }: CheckupProps) {
  const words = textOf(tree.get("find")).toLowerCase().split(/\s+/);
  const codes = Map.groupBy(result.warnings, ({ path }) => filterIndex(path));
  const given = offer ? listFilters(state.input).map(filterMeaning) : [];
  const rows = result.filters.map((filter, index) => {
    const { entries, explanation } = filter;
    const label = entries[0]?.properties.label ?? "No label";
    const isOf = ({ id, property = "", code = "" }: Kind) =>
      (id === "merge" && offer?.replaces.has(given[index] ?? "")) ||
      entries.some(({ properties }) => property in properties) ||
      codes.get(index)?.some((warning) => warning.code === code);
    const name = state.nameOf(`filters[${index}]`);
    return { name, explanation, label, kinds: KINDS.filter(isOf).map(({ id }) => id) };
  });
  const counts = KINDS.map(({ id, words }) => {
    const count =
      id === "nothing" ? idle.length : rows.filter(({ kinds }) => kinds.includes(id)).length;
    return { id, count, words: `${thousands(count)} ${words}` };
  }).filter(({ count }) => count > 0);
  // A kind of which none is left shows all.
  const kind = counts.find(({ id }) => id === tree.get("kind"))?.id ?? "";
  const found = rows.filter(
    ({ kinds, explanation, label }) =>
      (kind === "" || kinds.includes(kind)) &&
      words.every((word) => `${explanation} ${label}`.toLowerCase().includes(word)),
  );
  const copied = () =>
    [
      `${[plural(rows.length, "filter"), counts.map((each) => each.words).join(", ")].filter(Boolean).join(": ")}.`,
      ...[...Map.groupBy(rows, ({ label }) => label)].flatMap(([label, group]) => [
        "",
        `${label} (${group.length})`,
        ...group.map(({ explanation }) => `- ${explanation}`),
      ]),
      ...(idle.length > 0 ? ["", LEFT_OUT, ...idle.map((line) => `- ${line}`)] : []),
    ].join("\n");
  return (
    <section class="checkup" aria-labelledby="checkup-title">
      <div class="checkup-head">
        <h3 id="checkup-title">Checkup of {plural(result.filters.length, "filter")}</h3>
        <Copy text={copied} of="the checkup" />
      </div>
      <Radios
        form={FORM_ID}
        class="chips"
        label="Show"
        name="kind"
        value={kind}
        choices={{ "": "all", ...Object.fromEntries(counts.map(({ id, words }) => [id, words])) }}
      />
      <p>
        <input
          form={FORM_ID}
          type="search"
          name="find"
          value={textOf(tree.get("find"))}
          aria-label="Search the filters"
          placeholder="Search"
        />
        <output class="visually-hidden">
          {found.length < rows.length && `${thousands(found.length)} found`}
        </output>
      </p>
      <div id="checkup-list">
        {[...Map.groupBy(found, ({ label }) => label)].map(([label, group]) => (
          <section key={label}>
            <h4>
              <bdi>{label}</bdi> ({group.length})
            </h4>
            <ul>
              {group.map(({ name, explanation }) => (
                <Memo key={name} by={[name, explanation]}>
                  {() => (
                    <li>
                      <a href={`#${name}`} dir="auto">
                        {explanation}
                      </a>
                    </li>
                  )}
                </Memo>
              ))}
            </ul>
          </section>
        ))}
        {idle.length > 0 && ["", "nothing"].includes(kind) && (
          <section>
            <h4>{LEFT_OUT}</h4>
            <ul>
              {idle.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </section>
  );
}
