/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { type MailFilterResult, mailFilterContract } from "../../../schemas/mail-filter.ts";
import { urlWithInput } from "../../../src/describe-tool.ts";
import { plural } from "../../../src/text.ts";
import { toolPagePath } from "../../links.ts";
import { FieldIn, Group, Items } from "../form/fields.tsx";
import { type Tree, toInput, valueAt } from "../form/form.ts";
import { type Shown, SOURCE, type State, type ToolPage, type ViewProps } from "../form/run-form.ts";
import { CopyLink, FileButton, OpenFile, Start, Workbench } from "../form/workbench.tsx";
import { CopyBlock, saveFile } from "../parts.tsx";
import { Checkup } from "./checkup.tsx";
import {
  ACTIONS,
  CONDITIONS,
  fields,
  listFilters,
  nextStep,
  PRESETS,
  pressOwn,
  summarise,
} from "./fields.ts";
import type { Trials } from "./mail-trial.ts";
import type { Changes, Offer } from "./open-export.ts";
import { findTried, TrialPanel, type Tried, TriedFold } from "./trial-panel.tsx";

/** What only a browser has: without it, the page is the same. */
interface Live extends Shown<MailFilterResult> {
  /** What the form changes of the opened export. */
  readonly changes: Changes | undefined;
  readonly offer: Offer | undefined;
  readonly trials: Trials;
}

export const mailFilterPage: ToolPage<MailFilterResult> = {
  contract: mailFilterContract,
  product: "Gmail filters",
  action: "Make a filter",
  lead: "Choose which mail, and what should happen to it. Try the search in Gmail, then import the file.",
  worker: "mail-trial-worker.js",
  fields,
  press: pressOwn,
  summary({ result, input }) {
    if (!result) return listFilters(input).flatMap((filter) => nextStep(filter) ?? [])[0] ?? FIRST;
    const entries = result.filters.flatMap((filter) => filter.entries).length;
    const written = entries > result.filters.length ? `, written as ${entries}` : "";
    return `${plural(result.filters.length, "filter")}${written}, ready to import.`;
  },
  view: MailFilterPage,
};

const FIRST = "Finish the form, and the result appears here.";

interface PageProps extends ViewProps<MailFilterResult> {
  readonly own?: Live;
}

/** The form with its outcome. */
export function MailFilterPage({ state, live, own }: PageProps) {
  const { tree, notes, isExample, input, result } = state;
  const { trials, offer } = own ?? {};
  const shown = own?.changes;
  return (
    <Workbench
      state={state}
      live={live}
      hidden={[SOURCE]}
      effects={effectsOf}
      summary={shown?.summary}
      start={
        <>
          <OpenFile
            label="Open a mailFilters.xml"
            accept=".xml,.json,text/xml,application/xml,application/json"
            live={live}
            isExample={isExample}
          />
          <Start presets={[...PRESETS.keys()]} />
        </>
      }
      beside={
        <>
          {offer && (
            <div class="offer">
              <button type="button" onClick={() => live?.change(offer.change, offer.done)}>
                {offer.label}
              </button>
              <small>{offer.hint}</small>
            </div>
          )}
          {trials && <TrialPanel trials={trials} input={result && input} />}
        </>
      }
      result={(result, of) => <Result state={of} tree={tree} result={result} live={own} />}
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
              <NextStep state={state} name={filter.name} />
            </>
          )}
        </Items>
      </div>
    </Workbench>
  );
}

/** Says calmly what an unfinished filter lacks, until its messages say it. */
function NextStep({
  state,
  name,
}: {
  readonly state: State<MailFilterResult>;
  readonly name: string;
}) {
  const filter = valueAt(state.tree, name);
  if (!(filter instanceof Map) || state.notes.some((note) => note.name === name)) return null;
  const { input } = toInput(filter, fields.filters.fields);
  const next = Object.keys(input).length > 0 ? nextStep(input) : undefined;
  return next === undefined ? null : <p class="next">{next}</p>;
}

/** Filters that are explained one by one, and those of the whole list. */
const AT_A_GLANCE = 3;
const MAX_CARDS = 20;
/** A longer file is downloaded only: nobody reads it. */
const MAX_SHOWN = 100_000;

interface ResultProps {
  /** Of the result, which may be older than the form. */
  readonly state: State<MailFilterResult>;
  readonly tree: Tree;
  readonly result: MailFilterResult;
  readonly live: Live | undefined;
}

function Result({ state, tree, result, live }: ResultProps) {
  const { filters, file } = result;
  const { changes, offer, trials } = live ?? {};
  const steps = changes?.steps ?? result.how_to_import;
  const triedAt = findTried(trials?.trial, state.input);
  const cards = filters
    .slice(0, MAX_CARDS)
    .map((filter, index) => (
      <FilterCard key={index} filter={filter} index={index} tried={triedAt(index)} />
    ));
  const more = filters.length - AT_A_GLANCE;
  return (
    <>
      <OnAPhone />
      {changes ? (
        <ChangedFiles changes={changes} state={state} file={file} count={filters.length} />
      ) : (
        <p>
          <Download file={file} state={state} isPrimary>
            Download {file.name}
          </Download>
        </p>
      )}
      <MailToTry live={live} />
      {more > 0 && (
        <Checkup
          state={state}
          tree={tree}
          result={result}
          triedAt={triedAt}
          replaced={offer?.replaces}
          idle={changes?.idle ?? []}
        />
      )}
      {steps.length > 0 && (
        <details id="import-steps" open>
          <summary>Import it: {plural(steps.length, "step")} in Gmail</summary>
          <ol>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </details>
      )}
      {changes && changes.old.length > 0 && (
        <details class="report" id="old-filters" open>
          <summary>Delete by hand in Gmail: {plural(changes.old.length, "old filter")}</summary>
          <CopyBlock id="gone" label="As Gmail lists them" text={changes.old.join("\n")} />
        </details>
      )}
      {cards.slice(0, AT_A_GLANCE)}
      {more > 0 && (
        <details id="more-filters">
          <summary>{plural(more, "more filter")}</summary>
          {cards.slice(AT_A_GLANCE)}
          {filters.length > MAX_CARDS && (
            <p class="more-cards">
              The file also has {plural(filters.length - MAX_CARDS, "filter")} that are not shown
              here.
            </p>
          )}
        </details>
      )}
      {file.content.length <= MAX_SHOWN && (
        <details id="file-details">
          <summary>The file’s text</summary>
          <CopyBlock id="file-text" label={file.name} text={file.content} />
        </details>
      )}
    </>
  );
}

type File = Changes["file"];

interface DownloadProps {
  readonly file: File;
  readonly state: State<MailFilterResult>;
  readonly isPrimary?: boolean;
  readonly children: ComponentChildren;
}

/** A link to a file. A page with scripts saves the one that it has made; the server answers with the whole one. */
const Download = ({ file, state, isPrimary = false, children }: DownloadProps) => (
  <a
    {...(isPrimary && { class: "button primary", id: "download" })}
    href={
      state.apiIssue
        ? "#import-steps"
        : urlWithInput(`${toolPagePath(mailFilterContract)}/file`, state.input)
    }
    download={file.name}
    onClick={(event) => {
      event.preventDefault();
      saveFile(file.name, file.content, file.media_type);
    }}
  >
    {children}
  </a>
);

interface ChangedFilesProps {
  readonly changes: Changes;
  readonly state: State<MailFilterResult>;
  readonly file: File;
  readonly count: number;
}

/** The file with what is new first: the user's account has all of the opened one. */
const ChangedFiles = ({ changes, state, file, count }: ChangedFilesProps) => (
  <>
    {changes.added !== "" && (
      <p>
        <Download file={changes.file} state={state} isPrimary>
          Download {changes.added}
        </Download>
      </p>
    )}
    {!changes.isMerged && (
      <p>
        <small>
          For another account:{" "}
          <Download file={file} state={state}>
            the whole file, {plural(count, "filter")}
          </Download>
          . Here Gmail would have them twice.
        </small>
      </p>
    )}
  </>
);

/** Shown on phones: how to continue on a computer. */
const OnAPhone = () => (
  <div class="on-phone needs-script">
    <p>Gmail imports filters on a computer only. Open this page there by its link:</p>
    <p>
      <CopyLink>Copy link</CopyLink>
    </p>
  </div>
);

/** Says what can be dropped, and where it comes from. */
const MailToTry = ({ live }: { readonly live: Live | undefined }) => (
  <div class="try needs-script">
    <FileButton
      label="Try on your own mail"
      accept=".mbox,.mbx,.eml,.gz,application/mbox,message/rfc822"
      multiple
      live={live}
    />
    <small>
      Or drop a mailbox (.mbox, .gz) or mails (.eml) on this page;{" "}
      <a href="https://takeout.google.com" target="_blank" rel="noopener">
        Google Takeout<span class="visually-hidden"> (in a new tab)</span>
      </a>{" "}
      gives you yours. It is read in this tab: nothing leaves your computer, nothing is kept.
    </small>
  </div>
);

const effectsOf = (result: MailFilterResult): readonly string[] =>
  result.filters.flatMap(({ name, entries: [entry] }) => {
    const { shouldTrash, forwardTo } = entry?.properties ?? {};
    return [
      ...(shouldTrash ? [`delete mail (${name})`] : []),
      ...(forwardTo ? [`forward mail to ${forwardTo} (${name})`] : []),
    ];
  });

interface FilterCardProps {
  readonly filter: MailFilterResult["filters"][number];
  readonly index: number;
  readonly tried: Tried | undefined;
}

/** A filter's explanation and its search, which the user can try in Gmail first. */
function FilterCard({ filter, index, tried }: FilterCardProps) {
  const { name, explanation, search, preview_url, entries } = filter;
  return (
    <section class="card" aria-labelledby={`filter-${index}`}>
      <h3 id={`filter-${index}`}>
        <bdi>{name}</bdi>
      </h3>
      <p dir="auto">{explanation}</p>
      <TriedFold id={`tried-${index}`} tried={tried} />
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
