/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import {
  type FilterInput,
  type MailFilterResult,
  mailFilterContract,
} from "../../../schemas/mail-filter.ts";
import { urlWithInput } from "../../../src/describe-tool.ts";
import { formatCount } from "../../../src/text.ts";
import { toolPagePath } from "../../paths.ts";
import { CopyBlock, saveFile } from "../components.tsx";
import { FieldGroup, FieldList, IntentButton, ItemList } from "../form/field-components.tsx";
import { type FormState, OPENED_FILE, type ToolPage, type ViewProps } from "../form/form-state.ts";
import {
  type FormValues,
  getFormValue,
  getItemName,
  MAX_EXPANDED,
  toInput,
} from "../form/form-values.ts";
import { CopyLink, FORM_ID, OpenFile, PresetButtons, ToolLayout } from "../form/tool-layout.tsx";
import { Checkup } from "./checkup.tsx";
import {
  ACTION_NAMES,
  applyFilterIntent,
  CONDITION_NAMES,
  filterFormFields,
  findNextStep,
  hasDomain,
  listFilters,
  PRESETS,
  summariseFilter,
} from "./filter-form.ts";
import type { ExportChanges, MailFilterRead, MergeOffer } from "./opened-export.ts";

type Read = MailFilterRead | undefined;

export const mailFilterPage: ToolPage<MailFilterResult, Read> = {
  contract: mailFilterContract,
  product: "Gmail filters",
  action: "Make a filter",
  lead: "Choose which mail, and what should happen to it. Try the search in Gmail, then import the file.",
  fields: filterFormFields,
  press: applyFilterIntent,
  summary({ result, input }) {
    const [next = "Finish the form, and the result appears here."] = listFilters(input).flatMap(
      (filter) => findNextStep(filter) ?? [],
    );
    if (!result) return next;
    const entries = result.filters.flatMap((filter) => filter.entries).length;
    const written = entries > result.filters.length ? `, written as ${entries}` : "";
    return `${formatCount(result.filters.length, "filter")}${written}, ready to import.`;
  },
  view: MailFilterPage,
};

/** The form with its outcome. */
function MailFilterPage({ state, hydrateToolPage }: ViewProps<MailFilterResult, Read>) {
  const { tree, isExample, input, nameOf } = state;
  // The last result stays while there is none now.
  const { changes } = (state.result ? state : hydrateToolPage?.lastGood)?.read ?? {};
  const offer = state.read?.offer;
  const known = new Set<string>();
  const mendable = new Set<string>();
  for (const [index, filter] of listFilters(input).entries()) {
    const name = nameOf(`filters[${index}]`);
    if (changes?.isKnown(filter)) known.add(name);
    if (hasDomain(filter)) mendable.add(name);
  }
  // What works in Gmail already needs no advice, and one button mends the domains.
  const notes = state.notes.filter(({ name, severity, code }) => {
    const item = getItemName(name);
    const isMended = code === "not-an-address" && mendable.has(item);
    return severity === "error" || !(known.has(item) || isMended);
  });
  return (
    <ToolLayout
      state={{ ...state, notes }}
      live={hydrateToolPage}
      hidden={[OPENED_FILE]}
      effects={listEffects}
      summary={changes?.summary}
      start={
        <>
          <OpenFile
            label="Open a mailFilters.xml"
            accept=".xml,.json,text/xml,application/xml,application/json"
            live={hydrateToolPage}
            isExample={isExample}
          />
          <PresetButtons presets={[...PRESETS.keys()]} />
        </>
      }
      beside={
        <>
          {offer && (
            <div class="offer">
              <button
                type="button"
                onClick={() => hydrateToolPage?.change(offer.change, offer.done)}
              >
                {offer.label}
              </button>
              <small>{offer.hint}</small>
            </div>
          )}
          {mendable.size > 0 && (
            <div class="offer">
              <IntentButton form={FORM_ID} command="fix domains">
                {mendable.size > 1 ? "Fix all" : "Fix"}
              </IntentButton>
              <small>{`${formatCount(mendable.size, "filter")} ${mendable.size > 1 ? "name" : "names"} a domain without @, which Gmail takes for a word.`}</small>
            </div>
          )}
        </>
      }
      result={(result, of) => <Result state={of} {...{ tree, result, offer }} />}
    >
      <div class="fields">
        <ItemList
          name="filters"
          field={filterFormFields.filters}
          value={tree.get("filters")}
          notes={notes}
          summarise={summariseFilter}
        >
          {(filter) => (
            <>
              <FieldGroup
                {...filter}
                title="Conditions"
                fields={filterFormFields.filters.fields}
                show={CONDITION_NAMES.slice(0, 3)}
                rare={CONDITION_NAMES.slice(3)}
              />
              <FieldGroup
                {...filter}
                title="Actions"
                fields={filterFormFields.filters.fields}
                show={ACTION_NAMES.slice(0, 2)}
                rare={ACTION_NAMES.slice(2)}
              />
              <FieldList {...filter} fields={filterFormFields.filters.fields} show={["name"]} />
              <Labels state={state} name={filter.name} />
              <NextStep state={state} name={filter.name} />
            </>
          )}
        </ItemList>
      </div>
    </ToolLayout>
  );
}

interface OfFilterProps {
  readonly state: FormState<MailFilterResult>;
  readonly name: string;
}

/** The labels of the other filters, to choose from. */
function Labels({ state: { input, nameOf }, name }: OfFilterProps) {
  const labels = listFilters(input).flatMap(({ label }: FilterInput, index) =>
    typeof label === "string" && nameOf(`filters[${index}]`) !== name ? [label] : [],
  );
  return (
    <datalist id={`${name}.label:list`}>
      {[...new Set(labels)].map((label) => (
        <option key={label} value={label} />
      ))}
    </datalist>
  );
}

/** Says calmly what an unfinished filter lacks, until its messages say it. */
function NextStep({ state, name }: OfFilterProps) {
  const filter = getFormValue(state.tree, name);
  if (!(filter instanceof Map) || state.notes.some((note) => note.name === name)) return null;
  const { input } = toInput(filter, filterFormFields.filters.fields);
  const next = Object.keys(input).length > 0 ? findNextStep(input) : undefined;
  return next === undefined ? null : <p class="next">{next}</p>;
}

/** A longer file is downloaded only: nobody reads it. */
const MAX_FILE_SHOWN = 100_000;

const GMAIL_FILTERS = "https://mail.google.com/mail/u/0/#settings/filters";

interface ResultProps {
  /** Of the result, which may be older than the form. */
  readonly state: FormState<MailFilterResult, Read>;
  readonly tree: FormValues;
  readonly result: MailFilterResult;
  readonly offer: MergeOffer | undefined;
}

function Result({ state, tree, result, offer }: ResultProps) {
  /** The file that was saved. */
  const [saved, setSaved] = useState("");
  const changes = state.read?.changes;
  const { filters } = result;
  const file = changes?.file ?? result.file;
  const added = changes?.added ?? file.name;
  const steps = changes?.steps ?? result.how_to_import;
  const old = changes?.old ?? [];
  /** A link to a file. A page with scripts saves the one that it has made; the server answers with the whole one. */
  const download = (
    of: ExportChanges["file"],
    words: string,
    attributes: { readonly class?: string; readonly id?: string } = {},
  ) => (
    <a
      {...attributes}
      href={
        state.isBeyondApi
          ? "#import-steps"
          : urlWithInput(`${toolPagePath(mailFilterContract)}/file`, state.input)
      }
      download={of.name}
      onClick={(event) => {
        event.preventDefault();
        saveFile(of.name, of.content, of.media_type);
        setSaved(of.content);
      }}
    >
      {words}
    </a>
  );
  /** Of a long list, the filter in work is shown. */
  const isShown = (index: number) =>
    filters.length <= MAX_EXPANDED ||
    getFormValue(tree, state.nameOf(`filters[${index}]`)) instanceof Map;
  return (
    <div>
      <div class="on-phone needs-script">
        <p>Gmail imports filters on a computer only. Open this page there by its link:</p>
        <CopyLink isPrimary>Copy link</CopyLink>
      </div>
      {added !== "" && (
        <p class="download">
          {download(file, `Download ${added}`, { class: "button primary", id: "download" })}
        </p>
      )}
      {saved === file.content && (
        <p>
          Saved.{" "}
          <a href={GMAIL_FILTERS} target="_blank" rel="noopener">
            Open Gmail’s filter settings<span class="visually-hidden"> (in a new tab)</span>
          </a>
        </p>
      )}
      {steps.length > 0 && (
        <details id="import-steps" open={saved !== ""}>
          <summary>Import it: {formatCount(steps.length, "step")} in Gmail</summary>
          <ol>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </details>
      )}
      {old.length > 0 && (
        <details class="report" id="old-filters" open={saved !== ""}>
          <summary>Delete by hand in Gmail: {formatCount(old.length, "old filter")}</summary>
          <CopyBlock id="gone" label="To delete" text={old.join("\n")} />
        </details>
      )}
      {changes && !changes.isMerged && (
        <p>
          <small>
            For another account:{" "}
            {download(result.file, `the whole file, ${formatCount(filters.length, "filter")}`)}.
            Here Gmail would have them twice.
          </small>
        </p>
      )}
      {filters.length > MAX_EXPANDED && (
        <Checkup {...{ state, tree, result, offer }} idle={changes?.idle ?? []} />
      )}
      {filters.map(
        (filter, index) =>
          isShown(index) && <FilterCard key={index} filter={filter} index={index} />,
      )}
      {result.file.content.length <= MAX_FILE_SHOWN && (
        <details id="file-details">
          <summary>The file’s text</summary>
          <CopyBlock id="file-text" label={result.file.name} text={result.file.content} />
        </details>
      )}
    </div>
  );
}

/** What the user of a link should know before importing its filters, the worst first. */
function listEffects({ filters }: MailFilterResult): readonly string[] {
  const all = filters.map(({ name, entries: [entry] }) => ({ name, ...entry?.properties }));
  return [
    ...all.flatMap(({ name, forwardTo }) =>
      forwardTo ? [`forward mail to ${forwardTo} (${name})`] : [],
    ),
    ...all.flatMap(({ name, shouldTrash }) => (shouldTrash ? [`delete mail (${name})`] : [])),
  ];
}

interface FilterCardProps {
  readonly filter: MailFilterResult["filters"][number];
  readonly index: number;
}

/** A filter's explanation and its search, which the user can try in Gmail first. */
function FilterCard({ filter, index }: FilterCardProps) {
  const { name, explanation, search, preview_url, entries } = filter;
  return (
    <section class="card" aria-labelledby={`filter-${index}`}>
      <h3 id={`filter-${index}`}>
        <bdi>{name}</bdi>
      </h3>
      <p dir="auto">{explanation}</p>
      <CopyBlock id={`search-${index}`} label="Search" of={name} text={search}>
        <a class="button" href={preview_url} target="_blank" rel="noopener">
          Open in Gmail<span class="visually-hidden"> the search of {name}, in a new tab</span>
        </a>
      </CopyBlock>
      {entries.length > 1 && (
        <p class="split">
          In the file these are {entries.length} filters that together do the same: a single one
          would be too long for Gmail.
        </p>
      )}
    </section>
  );
}
