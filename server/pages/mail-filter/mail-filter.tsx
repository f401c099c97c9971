import { Component } from "preact";
import {
  type FilterInput,
  type MailFilterResult,
  mailFilterContract,
} from "../../../schemas/mail-filter.ts";
import { plural, thousands } from "../../../src/text.ts";
import { toolPagePath } from "../../links.ts";
import { FieldIn, Group, Items } from "../form/fields.tsx";
import { textOf } from "../form/form.ts";
import type { Shown } from "../form/live.ts";
import type { State, ToolPage } from "../form/run-form.ts";
import { FORM, OpenFile, Start, Workbench } from "../form/workbench.tsx";
import { Copy, CopyBlock, saveFile } from "../parts.tsx";
import { ACTIONS, CONDITIONS, fields, nextStep, PRESETS, pressOwn } from "./fields.ts";
import type { Changes } from "./open-export.ts";

export type MailFilterState = State<MailFilterResult>;

/** What only a browser has: without it, the page is the same. */
export interface Live extends Shown<MailFilterResult> {
  /** What the form changes of the opened export. */
  readonly changes: Changes | undefined;
}

interface PageProps {
  readonly state: MailFilterState;
  readonly live?: Live | Shown<MailFilterResult>;
}

export const mailFilterPage: ToolPage<MailFilterResult> = {
  contract: mailFilterContract,
  product: "Gmail filters",
  action: "Make a filter",
  lead: "Choose which mail, and what should happen to it.",
  fields,
  press: pressOwn,
  summary: (state) => summaryOf(state),
  view: MailFilterPage,
};

/** The form with its outcome. */
export function MailFilterPage({ state, live }: PageProps) {
  const { tree, notes, isExample } = state;
  const changes = live && "changes" in live ? live.changes : undefined;
  return (
    <Workbench
      state={state}
      live={live}
      hidden={["source"]}
      effects={effectsOf}
      start={
        <>
          <OpenFile
            label="Open a mailFilters.xml"
            accept=".xml,.json,text/xml,application/xml,application/json"
            live={live}
            isExample={isExample}
          />
          <Start presets={PRESETS.map(({ title }) => title)} />
        </>
      }
      result={(result) => <Result state={state} result={result} live={live} changes={changes} />}
    >
      <div class="fields">
        <Items
          name="filters"
          field={fields.filters}
          value={tree.get("filters")}
          notes={notes}
          summarise={summarise}
        >
          {(filter) => (
            <>
              <div class="fields">
                <FieldIn {...filter} fields={fields.filters.fields} of="name" />
              </div>
              <Group
                {...filter}
                title="Conditions"
                fields={fields.filters.fields}
                show={CONDITIONS.slice(0, 3)}
                rare={CONDITIONS.slice(3)}
              />
              <Group
                {...filter}
                title="Actions"
                fields={fields.filters.fields}
                show={ACTIONS.slice(0, 2)}
                rare={ACTIONS.slice(2)}
              />
            </>
          )}
        </Items>
      </div>
    </Workbench>
  );
}

/** A closed filter in a line: "linkedin.com: Trash". */
function summarise(filter: FilterInput): string {
  const { from = [], to = [], subject = [], has_words = [], label } = filter;
  const which = [...from, ...to, ...subject, ...has_words].slice(0, 3).join(", ");
  const what = ACTIONS.filter((name) => name in filter).map((name) =>
    name === "label" ? label : fields.filters.fields[name].label,
  );
  return [which, what.slice(0, 3).join(", ")].filter(Boolean).join(" → ");
}

function summaryOf(state: MailFilterState, changes?: Changes): string {
  const { result } = state;
  if (!result) return nextStep(state);
  const entries = result.filters.flatMap((filter) => filter.entries).length;
  const written = entries > result.filters.length ? `, written as ${entries}` : "";
  return `${changes?.summary ?? `${plural(result.filters.length, "filter")}${written}, ready to import`}.`;
}

/** Filters that are explained one by one, and those of the whole list. */
const AT_A_GLANCE = 3;
const MAX_CARDS = 20;
/** A longer file is downloaded only: nobody reads it. */
const MAX_SHOWN = 100_000;

interface ResultProps {
  readonly state: MailFilterState;
  readonly result: MailFilterResult;
  readonly live: Shown<MailFilterResult> | undefined;
  readonly changes: Changes | undefined;
}

function Result({ state, result, live, changes }: ResultProps) {
  const { filters, file } = result;
  const steps = changes?.steps ?? result.how_to_import;
  const cards = filters
    .slice(0, MAX_CARDS)
    .map((filter, index) => <FilterCard key={index} filter={filter} id={`filter-${index}`} />);
  const more = filters.length - AT_A_GLANCE;
  return (
    <>
      {changes && (
        <p>
          {changes.added !== "" && (
            <button
              type="button"
              class="primary"
              onClick={save({ ...changes.file, name: "new-filters.xml" })}
            >
              Download {changes.added}
            </button>
          )}
        </p>
      )}
      <p>
        <button
          type="submit"
          class={changes ? "" : "primary"}
          form={FORM}
          formaction={`${toolPagePath(mailFilterContract)}/file`}
          onClick={live && save(file)}
        >
          Download {changes ? "the whole file" : file.name}
        </button>
      </p>
      {steps.length > 0 && (
        <details open>
          <summary>Import it: {plural(steps.length, "step")} in Gmail</summary>
          <ol>
            {steps.map((step) => (
              <li>{step}</li>
            ))}
          </ol>
        </details>
      )}
      {changes && changes.old.length > 0 && (
        <details class="report" open>
          <summary>Delete by hand in Gmail: {plural(changes.old.length, "old filter")}</summary>
          <CopyBlock label="As Gmail lists them" text={changes.old.join("\n")} />
        </details>
      )}
      {more > 0 && <Checkup state={state} result={result} />}
      {cards.slice(0, AT_A_GLANCE)}
      {more > 0 && (
        <details>
          <summary>{plural(more, "more filter")}</summary>
          {cards.slice(AT_A_GLANCE)}
          {filters.length > MAX_CARDS && (
            <p>
              The file also has {plural(filters.length - MAX_CARDS, "filter")} that are not shown
              here.
            </p>
          )}
        </details>
      )}
      {file.content.length <= MAX_SHOWN && (
        <details>
          <summary>The file’s text</summary>
          <CopyBlock label={file.name} text={file.content} />
        </details>
      )}
    </>
  );
}

/** Without scripts, the button sends the form and the server answers with the file. */
const save =
  ({
    name,
    content,
    media_type,
  }: {
    readonly name: string;
    readonly content: string;
    readonly media_type: string;
  }) =>
  (event: Event) => {
    event.preventDefault();
    saveFile(name, content, media_type);
  };

const effectsOf = (result: MailFilterResult): readonly string[] =>
  result.filters.flatMap(({ name, entries: [entry] }) => {
    const { shouldTrash, forwardTo } = entry?.properties ?? {};
    return [
      ...(shouldTrash ? [`delete mail (${name})`] : []),
      ...(forwardTo ? [`forward mail to ${forwardTo} (${name})`] : []),
    ];
  });

type Filter = MailFilterResult["filters"][number];

/** A filter's explanation and its search, which the user can try in Gmail first. */
const FilterCard = ({ filter, id }: { readonly filter: Filter; readonly id: string }) => (
  <section class="card" aria-labelledby={id}>
    <h3 id={id}>
      <bdi>{filter.name}</bdi>
    </h3>
    <p dir="auto">{filter.explanation}</p>
    <CopyBlock label="Search" of={filter.name} text={filter.search}>
      <a class="button" href={filter.preview_url} target="_blank" rel="noopener">
        Open in Gmail<span class="visually-hidden"> the search of {filter.name}, in a new tab</span>
      </a>
    </CopyBlock>
    {filter.entries.length > 1 && (
      <p class="split">
        In the file these are {filter.entries.length} filters that together do the same: a single
        one would be too long for Gmail.
      </p>
    )}
  </section>
);

/** The kinds of filters to look at, and how each is known. */
const KINDS: readonly {
  readonly id: string;
  readonly words: string;
  readonly property?: string;
  readonly code?: string;
}[] = [
  { id: "forward", words: "forward", property: "forwardTo" },
  { id: "delete", words: "delete", property: "shouldTrash" },
  { id: "repeat", words: "repeat", code: "duplicate-filter" },
  { id: "conflict", words: "conflict", code: "conflicting-filters" },
  { id: "all", words: "match almost all mail", code: "matches-almost-all" },
];

/** An overview of many filters by label. Its search and its kinds are fields of the form too. */
function Checkup({
  state,
  result,
}: {
  readonly state: MailFilterState;
  readonly result: MailFilterResult;
}) {
  const kind = textOf(state.tree.get("kind"));
  const words = textOf(state.tree.get("find")).toLowerCase().split(/\s+/);
  const codes = Map.groupBy(result.warnings, ({ path }) => /^filters\[(\d+)\]/.exec(path)?.[1]);
  const rows = result.filters.map((filter, index) => ({
    filter,
    name: state.nameOf(`filters[${index}]`),
    kinds: KINDS.filter(({ property, code }) =>
      property !== undefined
        ? filter.entries.some(({ properties }) => property in properties)
        : codes.get(String(index))?.some((warning) => warning.code === code),
    ).map(({ id }) => id),
  }));
  const counts = KINDS.map(({ id, words }) => ({
    id,
    words,
    count: rows.filter(({ kinds }) => kinds.includes(id)).length,
  })).filter(({ count }) => count > 0);
  const found = rows.filter(
    ({ filter, kinds }) =>
      (kind === "" || kinds.includes(kind)) &&
      words.every((word) => filter.explanation.toLowerCase().includes(word)),
  );
  return (
    <section class="checkup" aria-labelledby="checkup-title">
      <div class="checkup-head">
        <h3 id="checkup-title">Checkup of {plural(result.filters.length, "filter")}</h3>
        <Copy
          text={() => rows.map(({ filter }) => `- ${filter.explanation}`).join("\n")}
          of="the checkup"
        />
      </div>
      <div class="chips" role="radiogroup" aria-label="Show">
        <label>
          <input form={FORM} type="radio" name="kind" value="" checked={kind === ""} /> all
        </label>
        {counts.map(({ id, words, count }) => (
          <label key={id}>
            <input form={FORM} type="radio" name="kind" value={id} checked={kind === id} />{" "}
            {thousands(count)} {words}
          </label>
        ))}
      </div>
      <p>
        <input
          form={FORM}
          type="search"
          name="find"
          value={textOf(state.tree.get("find"))}
          aria-label="Search the filters"
          placeholder="Search"
        />
      </p>
      <div id="checkup-list">
        {[
          ...Map.groupBy(found, ({ filter }) => filter.entries[0]?.properties.label ?? "No label"),
        ].map(([label, group]) => (
          <section key={label}>
            <h4>
              <bdi>{label}</bdi> ({group.length})
            </h4>
            <ul>
              {group.map(({ filter, name }) => (
                <CheckRow key={name} name={name} words={filter.explanation} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}

interface CheckRowProps {
  readonly name: string;
  readonly words: string;
}

/** One of up to a thousand: it is compared by its words and skipped. */
class CheckRow extends Component<CheckRowProps> {
  override shouldComponentUpdate(next: CheckRowProps) {
    return next.words !== this.props.words || next.name !== this.props.name;
  }

  render({ name, words }: CheckRowProps) {
    return (
      <li>
        <a href={`#${name}`} dir="auto">
          {words}
        </a>
      </li>
    );
  }
}
