/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { FilterInput } from "../../../schemas/mail-filter.ts";
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
  closeFilters,
  findNextStep,
  hasDomain,
  listActions,
  listConditions,
  listFilters,
  readFilter,
  replaceFilters,
} from "./filter-form.ts";
import type { MailProps, MailState } from "./opened-export.ts";

/** From here on a list has a search and views, and each result is in its card. */
export const LONG_LIST = 4;

/** The views of a long list. A warning that is a view has its code as the key. */
const LIST_VIEWS = {
  changed: "Changed",
  merged: "Merged",
  added: "Added",
  "duplicate-filter": "Same twice",
  merge: "Can be merged",
  fix: "To fix",
  forward: "Forwards mail",
  delete: "Deletes mail",
  "conflicting-filters": "Clashes",
  "matches-almost-all": "Matches almost all mail",
  "larger-than-any-message": "Never matches",
};

/** The views of filters to import. */
export const MARKS = ["added", "changed", "merged"] as const;

/** A finding that matters for filters in Gmail too: they miss the mail that is meant. */
export const NOT_AN_ADDRESS = "not-an-address";

interface ListProps extends MailProps {
  /** The last form with a result. */
  readonly last: MailState | undefined;
  readonly views: FilterViews;
}

/** All filters: each is a row, and the one being edited is a card. */
export function FilterList({ state, last, live, ...props }: ListProps) {
  const { views, counts, groups: allGroups = [] } = props.views;
  const { form, input } = state;
  const rows = listRows(form.get("filters"));
  const isLong = rows.length >= LONG_LIST;
  const filters = listFilters(input);
  const chosenView = asText(form.get("view"));
  // A view that is empty by now shows all.
  const view = isLong && counts.get(chosenView) ? chosenView : "";
  const words = isLong ? asText(form.get("find")).toLowerCase().split(/\s+/) : [];
  const found = new Set(
    rows.flatMap(([row, item]) => {
      const name = `filters[${row}]`;
      const text = isCollapsed(item) ? item.toLowerCase() : "";
      const isInView = view === "" || views.get(name)?.has(view);
      const isFound = text === "" || (isInView && words.every((word) => text.includes(word)));
      return isFound ? name : [];
    }),
  );
  const groupView = isLong ? view : allGroups[0]?.view;
  const groups = allGroups.filter(
    (group) => group.view === groupView && group.names.some((name) => found.has(name)),
  );
  const groupOf = new Map(groups.flatMap((group) => group.names.map((name) => [name, group])));
  const toDelete = groups
    .flatMap(({ view, members }) => (view === "merge" ? members : members.slice(1)))
    .filter((index) => !last?.extra?.changes.added.has(index)).length;
  const domainCount = filters.filter(hasDomain).length;
  const canFixDomains = domainCount > 0 && (!isLong || view === "fix");
  const messagesByItem = Map.groupBy(state.messages, ({ name }) => getItemName(name));
  const labels = [...new Set(filters.flatMap(({ label }) => label ?? []))].sort();
  // An open card would stay in a list that it does not belong to.
  const closeOpen = () => rows.some(([, item]) => !isCollapsed(item)) && live?.change(closeFilters);
  const hasSlashShortcut = isLong && asText(form.get("slash")) === "true";
  useEffect(() => (hasSlashShortcut ? focusSearchBySlash() : undefined), [hasSlashShortcut]);
  const openName = `filters[${rows.find(([, item]) => !isCollapsed(item))?.[0]}]`;
  const items = rows.map(([row, item], index) => {
    const name = `filters[${row}]`;
    const messages = messagesByItem.get(name) ?? [];
    const title = `Filter ${index + 1}`;
    const mark = MARKS.find((mark) => views.get(name)?.has(mark));
    if (!isCollapsed(item)) {
      const filter = readFilter(item);
      // The note above the list has the button for it.
      const isSaid = ({ code }: FieldMessage) => code === NOT_AN_ADDRESS && canFixDomains;
      return (
        <li key={row} class="item" id={name}>
          <FilterCard
            {...{ name, title, labels }}
            value={item}
            messages={hasDomain(filter) ? messages.filter((message) => !isSaid(message)) : messages}
            isOneOfMany={rows.length > 1}
          />
          {(isLong || last?.extra) && (
            <FilterOutcome state={findNextStep(filter) ? state : last} name={name} />
          )}
        </li>
      );
    }
    // With several groups each is a row, unless one of its filters is open.
    const ofName = groups.length > 1 ? groupOf.get(name) : undefined;
    const group = ofName?.names.includes(openName) ? undefined : ofName;
    const isShown =
      found.has(name) && (!group || group.names.find((one) => found.has(one)) === name);
    const problem = getProblemTag(messages);
    return (
      <MemoByValues key={row} values={[item, title, mark, problem, isShown, group]}>
        {() => (
          <Row {...{ name, title, item, mark, problem, isShown }} filter={group?.filter}>
            {isShown && group && <GroupButton groups={[group]} {...{ state, live }} />}
          </Row>
        )}
      </MemoByValues>
    );
  });
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
          <output class={found.size > 0 ? "visually-hidden" : "line"}>
            {found.size === 0 ? (
              <>
                No filter has “{asText(form.get("find"))}”.
                <IntentButton intent="view all" class="small">
                  Show all
                </IntentButton>
              </>
            ) : (
              found.size < rows.length && `${formatNumber(found.size)} shown`
            )}
          </output>
        </div>
      )}
      {canFixDomains && (
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
      {groups.length > 0 && (
        <Note kind="info">
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
          <GroupButton {...{ groups, state, live }} id={ALL_GROUPS} />
        </Note>
      )}
      <ul class="items" id="filters" aria-label="Filters">
        {items}
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

interface GroupProps extends MailProps {
  readonly groups: NonNullable<FilterViews["groups"]>;
  readonly id?: string;
}

/** Merges filters, or removes repeats. */
function GroupButton({ groups, id, state, live }: GroupProps) {
  const count = groups.flatMap(({ names }) => names).length;
  const before = listFilters(state.input).length;
  return (
    <button
      type="button"
      class="small"
      id={id}
      disabled={!state.result}
      onClick={() =>
        live?.change(
          (form) => {
            for (const { names, filter } of groups) replaceFilters(form, names, filter);
            return id === undefined ? ALL_GROUPS : "summary";
          },
          `${formatCount(before, "filter")} became ${formatNumber(before - count + groups.length)}.`,
        )
      }
    >
      {groups[0]?.view === "merge"
        ? `Merge ${formatNumber(count)} into ${formatNumber(groups.length)}`
        : `Remove ${formatCount(count - groups.length, "repeat")}`}
    </button>
  );
}

const ALL_GROUPS = "all-groups";

type FilterViews = ReturnType<typeof findViews>;

/** The views of each filter, by what it says and what the tool found. */
export function findViews({ input, messages, nameOf }: MailState, last: MailState | undefined) {
  const byName = new Map(
    listFilters(input).map((filter, index) => [nameOf(["filters", index]), filter]),
  );
  const views = new Map([...byName.keys()].map((name) => [name, new Set<string>()]));
  const add = (name: string, view: string) => views.get(name)?.add(view);
  const nameOfLast = (index: string | number = "") => last?.nameOf(["filters", index]) ?? "";
  for (const [name, filter] of byName) {
    if (hasDomain(filter)) add(name, "fix");
    if (filter.forward_to !== undefined) add(name, "forward");
    if (filter.delete) add(name, "delete");
  }
  for (const { name, severity } of messages)
    if (severity === "error") add(getItemName(name), "fix");
  for (const { path, code } of last?.result?.warnings ?? []) add(nameOfLast(path[1]), code);
  for (const [index, mark] of last?.extra?.changes.added ?? []) add(nameOfLast(index), mark);
  const groups = last?.extra?.groups.map((group) => ({
    ...group,
    names: group.members.map(nameOfLast),
  }));
  for (const { names, view } of groups ?? []) for (const name of names) add(name, view);
  const all = [...views.values()];
  const counts = new Map(
    Object.keys(LIST_VIEWS).map((view) => [view, all.filter((own) => own.has(view)).length]),
  );
  return { byName, views, counts, groups };
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
  readonly isShown: boolean;
  /** The filter to show, if not its own. */
  readonly filter: FilterInput | undefined;
  readonly children: ComponentChildren;
}

/** A closed filter. Filters outside the view remain part of the form. */
function Row({ name, title, item, mark, problem, isShown, children, ...props }: RowProps) {
  const { filter = readFilter(item) } = props;
  // All that a merged filter has.
  const conditions = listConditions(filter, props.filter && Infinity);
  return (
    <li class="item closed" id={name} hidden={!isShown}>
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
        </span>
      </IntentButton>
      {children}
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
