/** @jsxImportSource preact */
import type { MailFilterResult } from "../../../schemas/mail-filter.ts";
import { filterIndex } from "../../../src/mail-filter/parse-filter.ts";
import { formatCount, formatNumber } from "../../../src/text.ts";
import { CopyButton } from "../components.tsx";
import { MemoByValues, RadioGroup } from "../form/field-components.tsx";
import type { FormState } from "../form/form-state.ts";
import { asText, type FormValues } from "../form/form-values.ts";
import { FORM_ID } from "../form/tool-layout.tsx";
import { listFilters, toMeaningKey } from "./filter-form.ts";
import type { ExportChanges, MergeOffer } from "./opened-export.ts";

interface CheckupGroup {
  readonly id: string;
  /** The words after a number: "forward" in "80 forward". */
  readonly words: string;
  /** A property that a filter of this kind has. */
  readonly property?: string;
  /** The code of a warning about a filter of this kind. */
  readonly code?: string;
}

const CHECKUP_GROUPS: readonly CheckupGroup[] = [
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
  readonly state: FormState<MailFilterResult>;
  /** The form now. */
  readonly tree: FormValues;
  readonly result: MailFilterResult;
  readonly offer: MergeOffer | undefined;
  readonly idle: ExportChanges["idle"];
}

/** An overview of many filters by label. Its search and its kinds are fields of the form too. */
export function Checkup({ state, tree, result, offer, idle }: CheckupProps) {
  const words = asText(tree.get("find")).toLowerCase().split(/\s+/);
  const codes = Map.groupBy(result.warnings, ({ path }) => filterIndex(path));
  const given = offer ? listFilters(state.input).map(toMeaningKey) : [];
  const rows = result.filters.map((filter, index) => {
    const { entries, explanation } = filter;
    const label = entries[0]?.properties.label ?? "No label";
    const isOf = ({ id, property = "", code = "" }: CheckupGroup) =>
      (id === "merge" && offer?.replaces.has(given[index] ?? "")) ||
      entries.some(({ properties }) => property in properties) ||
      codes.get(index)?.some((warning) => warning.code === code);
    const name = state.nameOf(`filters[${index}]`);
    return { name, explanation, label, kinds: CHECKUP_GROUPS.filter(isOf).map(({ id }) => id) };
  });
  const counts = CHECKUP_GROUPS.map(({ id, words }) => {
    const count =
      id === "nothing" ? idle.length : rows.filter(({ kinds }) => kinds.includes(id)).length;
    return { id, count, words: `${formatNumber(count)} ${words}` };
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
      `${[formatCount(rows.length, "filter"), counts.map((each) => each.words).join(", ")].filter(Boolean).join(": ")}.`,
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
        <h3 id="checkup-title">Checkup of {formatCount(result.filters.length, "filter")}</h3>
        <CopyButton text={copied} of="the checkup" />
      </div>
      <RadioGroup
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
          value={asText(tree.get("find"))}
          aria-label="Search the filters"
          placeholder="Search"
        />
        <output class="visually-hidden">
          {found.length < rows.length && `${formatNumber(found.length)} found`}
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
                <MemoByValues key={name} by={[name, explanation]}>
                  {() => (
                    <li>
                      <a href={`#${name}`} dir="auto">
                        {explanation}
                      </a>
                    </li>
                  )}
                </MemoByValues>
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
