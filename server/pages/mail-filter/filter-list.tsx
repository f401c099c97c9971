/** @jsxImportSource preact */
import { useEffect } from "preact/hooks";
import { formatCount, formatNumber } from "../../../src/text.ts";
import { Note } from "../components.tsx";
import {
  AddButton,
  FieldMessages,
  IntentButton,
  MemoByValues,
  RadioGroup,
} from "../form/field-components.tsx";
import type { FieldMessage } from "../form/form-state.ts";
import { asText, getItemName, isCollapsed, listRows } from "../form/form-values.ts";
import { FilterCard, FilterOutcome } from "./filter-card.tsx";
import {
  addFilters,
  closeFilters,
  findNextStep,
  hasDomain,
  listActions,
  listConditions,
  listFilters,
  readFilter,
} from "./filter-form.ts";
import type { MailProps, MailState } from "./opened-export.ts";

/** From here on a list has a search and views, and each result is in its card. */
export const LONG_LIST = 4;

/** The views of a long list, by what a filter in it is. */
const LIST_VIEWS = {
  changed: "Changed",
  merged: "Merged",
  new: "New",
  twice: "Same twice",
  merge: "Can be merged",
  fix: "To fix",
  forward: "Forward",
  delete: "Delete",
  clash: "Clash",
  broad: "Match almost all mail",
  never: "Never match",
};

/** The views of filters to import. */
export const MARKS = ["new", "changed", "merged"] as const;

/** The warnings that are a view. */
const VIEW_BY_CODE: ReadonlyMap<string, string> = new Map([
  ["duplicate-filter", "twice"],
  ["conflicting-filters", "clash"],
  ["matches-almost-all", "broad"],
  ["larger-than-any-message", "never"],
]);

/** A finding that matters for filters in Gmail too: they miss the mail that is meant. */
export const NOT_AN_ADDRESS = "not-an-address";

interface ListProps extends MailProps {
  /** The last form with a result. */
  readonly last: MailState | undefined;
  readonly views: FilterViews;
}

/** All filters: each is a row, and the one being edited is a card. */
export function FilterList({ state, last, live, views: { views, counts } }: ListProps) {
  const { form, input } = state;
  const rows = listRows(form.get("filters"));
  const isLong = rows.length >= LONG_LIST;
  const filters = listFilters(input);
  const chosenView = asText(form.get("view"));
  // A view that is empty by now shows all.
  const view = isLong && counts.get(chosenView) ? chosenView : "";
  const words = isLong ? asText(form.get("find")).toLowerCase().split(/\s+/) : [];
  const domainCount = filters.filter(hasDomain).length;
  const messagesByItem = Map.groupBy(state.messages, ({ name }) => getItemName(name));
  const labels = [...new Set(filters.flatMap(({ label }) => label ?? []))].sort();
  // An open card would stay in a list that it does not belong to.
  const closeOpen = () => rows.some(([, item]) => !isCollapsed(item)) && live?.change(closeFilters);
  const hasSlashShortcut = isLong && asText(form.get("slash")) === "true";
  useEffect(() => (hasSlashShortcut ? focusSearchBySlash() : undefined), [hasSlashShortcut]);
  const items = rows.map(([row, item], index) => {
    const name = `filters[${row}]`;
    const messages = messagesByItem.get(name) ?? [];
    const title = `Filter ${index + 1}`;
    const mark = MARKS.find((mark) => views.get(name)?.has(mark));
    if (!isCollapsed(item))
      return {
        isFound: true,
        node: (
          <li key={row} class="item" id={name}>
            <FilterCard
              {...{ name, title, labels }}
              value={item}
              messages={messages}
              isOneOfMany={rows.length > 1}
            />
            {isLong && (
              <FilterOutcome state={findNextStep(readFilter(item)) ? state : last} name={name} />
            )}
          </li>
        ),
      };
    const text = item.toLowerCase();
    const isInView = view === "" || views.get(name)?.has(view) === true;
    const isFound = isInView && words.every((word) => text.includes(word));
    const problem = getProblemTag(messages);
    const places = [...new Set(messages.map(({ name }) => name))].filter((place) => place !== name);
    return {
      isFound,
      node: (
        <MemoByValues key={row} values={[item, title, mark, problem, places.join(), isFound]}>
          {() => <Row {...{ name, title, item, mark, problem, places, isFound }} />}
        </MemoByValues>
      ),
    };
  });
  const foundCount = items.filter(({ isFound }) => isFound).length;
  return (
    <>
      {isLong && (
        <div class="stack">
          <div class="line">
            <a class="to-result" href="#outcome">
              To the result
            </a>
            <input
              type="search"
              id="find"
              name="find"
              value={asText(form.get("find"))}
              aria-label="Search the filters"
              placeholder={`Search ${formatCount(rows.length, "filter")}`}
              onInput={closeOpen}
            />
            <AddButton name="filters">Add a filter</AddButton>
          </div>
          <RadioGroup
            class="views"
            label="Show"
            name="view"
            value={view}
            choices={{
              "": `All ${formatNumber(rows.length)}`,
              ...Object.fromEntries(
                Object.entries(LIST_VIEWS).flatMap(([id, title]) =>
                  counts.get(id) ? [[id, `${title} ${formatNumber(counts.get(id) ?? 0)}`]] : [],
                ),
              ),
            }}
            onChoose={closeOpen}
          />
          <output class={foundCount > 0 ? "visually-hidden" : "line"}>
            {foundCount === 0 ? (
              <>
                No filter has “{asText(form.get("find"))}”.
                <IntentButton intent="view all" class="small">
                  Show all
                </IntentButton>
              </>
            ) : (
              foundCount < rows.length && `${formatNumber(foundCount)} shown`
            )}
          </output>
        </div>
      )}
      {domainCount > 0 && (!isLong || view === "fix") && (
        <Note kind="warn">
          <p>
            {formatCount(domainCount, "filter")} {domainCount > 1 ? "have" : "has"} a domain without
            @. Gmail would search for it as a word.
          </p>
          <IntentButton intent="fix domains" class="small">
            {domainCount > 1 ? `Fix all ${formatNumber(domainCount)}` : "Fix"}
          </IntentButton>
        </Note>
      )}
      {last?.extra?.offers
        .filter((offer) => !isLong || view === offer.view)
        .map(({ view, label, toDelete, apply }) => (
          <Note key={view} kind="info">
            {state.result ? (
              <p>
                Your mail is treated exactly as before
                {toDelete > 0 && `, but you delete ${formatNumber(toDelete)} more by hand`}.
              </p>
            ) : (
              <p>
                First <a href={`#${state.problems[0]?.name || "outcome"}`}>finish this filter</a>.
              </p>
            )}
            <button
              type="button"
              class="small"
              disabled={!state.result}
              onClick={() => {
                const merged = apply(input);
                live?.change(
                  (form) => {
                    form.delete("filters");
                    addFilters(form, merged);
                    return "download";
                  },
                  `${formatCount(filters.length, "filter")} became ${formatNumber(merged.length)}.`,
                );
              }}
            >
              {label}
            </button>
          </Note>
        ))}
      <ul class="items" id="filters" aria-label="Filters">
        {items.map(({ node }) => node)}
      </ul>
      <FieldMessages messages={state.messages} name="filters" />
      {!isLong && filters.length > 0 && (
        <div>
          <AddButton name="filters">Add a filter</AddButton>
        </div>
      )}
    </>
  );
}

type FilterViews = ReturnType<typeof findViews>;

/** The views of each filter, by what it says and what the tool found. */
export function findViews({ input, messages, nameOf }: MailState, last: MailState | undefined) {
  const byName = new Map(
    listFilters(input).map((filter, index) => [nameOf(["filters", index]), filter]),
  );
  const views = new Map([...byName.keys()].map((name) => [name, new Set<string>()]));
  const add = (name: string, view: string) => views.get(name)?.add(view);
  const addIndex = (index: number, view: string) =>
    add(last?.nameOf(["filters", index]) ?? "", view);
  for (const [name, filter] of byName) {
    if (hasDomain(filter)) add(name, "fix");
    if (filter.forward_to !== undefined) add(name, "forward");
    if (filter.delete) add(name, "delete");
  }
  for (const { name, severity } of messages)
    if (severity === "error") add(getItemName(name), "fix");
  for (const { path, code } of last?.result?.warnings ?? []) {
    const view = VIEW_BY_CODE.get(code);
    if (view) addIndex(Number(path[1]), view);
  }
  const { changes, offers = [] } = last?.extra ?? {};
  for (const [index, mark] of changes?.added ?? []) addIndex(index, mark);
  for (const { indexes, view } of offers) for (const index of indexes) addIndex(index, view);
  const all = [...views.values()];
  const counts = new Map(
    Object.keys(LIST_VIEWS).map((view) => [view, all.filter((own) => own.has(view)).length]),
  );
  return { byName, views, counts };
}

/** The worst message of a closed row, in a word. */
function getProblemTag(notes: readonly FieldMessage[]) {
  if (notes.some(({ severity }) => severity === "error")) return "Correct this";
  return notes.some(({ severity, code }) => severity === "warning" || code === NOT_AN_ADDRESS)
    ? "Check"
    : "";
}

interface RowProps {
  readonly name: string;
  readonly title: string;
  /** The JSON of its input. */
  readonly item: string;
  readonly mark: (typeof MARKS)[number] | undefined;
  readonly problem: string;
  /** The names of the controls with messages, for links to them. */
  readonly places: readonly string[];
  readonly isFound: boolean;
}

/** A closed filter. Filters outside the view remain part of the form. */
function Row({ name, title, item, mark, problem, places, isFound }: RowProps) {
  const filter = readFilter(item);
  const conditions = listConditions(filter);
  return (
    <li class="item closed" id={name} hidden={!isFound}>
      <input type="hidden" name={name} value={item} />
      <IntentButton intent={`open ${name}`} class="row">
        {mark && <span class={`mark ${mark}`} />}
        <span class="visually-hidden">
          {title}
          {mark && `, ${mark}`}:{" "}
        </span>
        <span class="what" dir="auto">
          {filter.name && <strong>{filter.name} </strong>}
          {conditions.map(({ name, text }) => [<span class="quiet">{name}</span>, ` ${text} `])}
          {conditions.length === 0 && "Not finished"}
        </span>{" "}
        <span class="tags">
          {filter.label && <bdi class="tag">{filter.label}</bdi>}
          {listActions(filter).map((action) => (
            <span key={action} class="tag plain">
              {action}
            </span>
          ))}
          {problem !== "" && (
            <span class={problem === "Check" ? "tag warning" : "tag error"}>{problem}</span>
          )}
          {places.map((place) => (
            <span key={place} id={place} />
          ))}
        </span>
      </IntentButton>
    </li>
  );
}

/** Focuses the search at the `/` key (WCAG 2.1.4). @returns what ends that. */
function focusSearchBySlash() {
  const search = (event: KeyboardEvent) => {
    const isTyped = event.target instanceof Element && event.target.matches(TYPING_CONTROLS);
    if (event.key !== "/" || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    document.getElementById("find")?.focus();
  };
  document.addEventListener("keydown", search);
  return () => document.removeEventListener("keydown", search);
}

const TYPING_CONTROLS = "input:not([type=checkbox], [type=radio]), textarea, select";
