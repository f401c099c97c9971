/** @jsxImportSource preact */
import { type MailFilterResult, mailFilterContract } from "../../../schemas/mail-filter.ts";
import { urlWithInput } from "../../../src/describe-tool.ts";
import { formatCount, formatNumber } from "../../../src/text.ts";
import { toolPagePath } from "../../paths.ts";
import { announce } from "../announce.ts";
import { CopyBlock, CopyButton, Note, saveFile } from "../components.tsx";
import { IntentButton } from "../form/field-components.tsx";
import {
  type FieldMessage,
  OPENED_FILE,
  type ToolPage,
  type ViewProps,
} from "../form/form-state.ts";
import { getFormValue, getItemName, isCollapsed, listRows } from "../form/form-values.ts";
import { CopyLink, FileButton, ToolLayout } from "../form/tool-layout.tsx";
import {
  applyFilterIntent,
  filterFormFields,
  findNextStep,
  listFilters,
  PRESETS,
  SECOND_FILE,
} from "./filter-form.ts";
import {
  FilterList,
  LONG_LIST,
  type MailState,
  type Read,
  ResultOfFilter,
} from "./filter-list.tsx";
import type { ExportChanges } from "./opened-export.ts";

export const mailFilterPage: ToolPage<MailFilterResult, Read> = {
  contract: mailFilterContract,
  product: "Gmail filters",
  action: "Make a filter",
  lead: "Say which mail and what should happen to it. You get a file that Gmail imports.",
  fields: filterFormFields,
  applyIntent: applyFilterIntent,
  summary({ result, input, extra, isBlank }) {
    if (isBlank) return "Start with a sender";
    if (!result) {
      const [next = "Finish the form, and the result appears here."] = listFilters(input).flatMap(
        (filter) => findNextStep(filter) ?? [],
      );
      return next;
    }
    if (extra) return formatChanges(extra.changes, result.filters.length);
    return `${formatCount(result.filters.length, "filter")} ready`;
  },
  view: MailFilterPage,
};

/** "2 changed, 1 new, 1 deleted" */
function formatChanges({ counts }: ExportChanges, count: number): string {
  const parts = Object.entries(counts).flatMap(([kind, number]) =>
    number > 0 ? `${formatNumber(number)} ${kind}` : [],
  );
  return parts.join(", ") || `Your Gmail has ${countAll(count)} already`;
}

const countAll = (count: number): string =>
  count === 1 ? "this filter" : `all ${formatNumber(count)}`;

/** The form with its outcome. */
function MailFilterPage({ state, live }: ViewProps<MailFilterResult, Read>) {
  // The last result stays while there is none now.
  const last = state.result ? state : live?.lastValid;
  const { added } = last?.extra?.changes ?? {};
  const known = new Set(
    added &&
      listFilters(last?.input).flatMap((_, index) =>
        added.has(index) ? [] : (last?.nameOf(`filters[${index}]`) ?? []),
      ),
  );
  // What works in Gmail already needs no advice.
  const notes = state.messages.filter(
    ({ name, severity }) => severity === "error" || !known.has(getItemName(name)),
  );
  const shown = { ...state, notes };
  // A message about the open filter is at its field.
  const isElsewhere = ({ name }: FieldMessage) =>
    !(getFormValue(state.form, getItemName(name)) instanceof Map) || getItemName(name) === "";
  return (
    <ToolLayout
      state={state.result ? { ...state, messages: notes.filter(isElsewhere) } : shown}
      live={live}
      hidden={[OPENED_FILE, SECOND_FILE]}
      effects={listEffects}
      action={<DownloadAction state={last} />}
      start={<Start state={state} live={live} />}
      blank={
        <p class="quiet">
          Your filter appears here as a sentence, with its search to try in Gmail and the file to
          import. Paste many addresses at once: a comma, a semicolon or a new line separates them.
        </p>
      }
      result={(result, shown) => <Result result={result} state={shown} form={state.form} />}
    >
      <FilterList state={shown} last={last} live={live} />
      <details class="fold needs-script" id="keys">
        <summary>Keys</summary>
        <p>
          Enter adds an address or a word. Escape closes a filter. Control Z takes back a change,
          with Shift it redoes it.
        </p>
        <label class="toggle">
          <input
            type="checkbox"
            name="slash"
            value="true"
            checked={state.form.get("slash") === "true"}
          />
          / searches a long list
        </label>
      </details>
    </ToolLayout>
  );
}

/** The ways to begin; once a file is opened, its name. */
function Start({
  state,
  live,
}: {
  readonly state: MailState;
  readonly live: ViewProps<MailFilterResult, Read>["live"];
}) {
  const opened = state.extra?.opened ?? live?.lastValid?.extra?.opened;
  const isOpened = state.form.has(OPENED_FILE);
  const file = (label: string) => (
    <FileButton
      label={label}
      accept=".xml,.json,text/xml,application/xml,application/json"
      live={live}
    />
  );
  return (
    <>
      <div class="open start">
        {isOpened ? (
          <>
            <strong>mailFilters.xml</strong>
            {opened && <span class="quiet">{formatCount(opened.size, "filter")}</span>}
            <span class="end">
              {file("Open another")}
              <IntentButton command="clear" class="bare small">
                Close
              </IntentButton>
            </span>
          </>
        ) : (
          <>
            <span class="quiet wide">Start from</span>
            {[...PRESETS.keys()].map((title) => (
              <IntentButton key={title} command={`preset ${title}`} class="small">
                {title}
              </IntentButton>
            ))}
            <span class="end">{file("Open mailFilters.xml")}</span>
          </>
        )}
      </div>
      {state.form.has(SECOND_FILE) && (
        <Note kind="info">
          <p>
            Replace the {formatCount(listFilters(state.input).length, "filter")}, or add to them?
          </p>
          <IntentButton command="replace file" class="small">
            Replace
          </IntentButton>
          <IntentButton command="add file" class="small">
            Add
          </IntentButton>
        </Note>
      )}
      {isOpened && opened && opened.skipped !== "" && (
        <Note kind="warn">
          <p>{opened.skipped}</p>
        </Note>
      )}
    </>
  );
}

/** The main action: the file, or on a phone the link, since Gmail imports only on a computer. */
function DownloadAction({ state }: { readonly state: MailState | undefined }) {
  const result = state?.result;
  const changes = state?.extra?.changes;
  if (!state || !result)
    return (
      <button type="button" class="needs-script" disabled>
        Download
      </button>
    );
  const count = changes?.added.size;
  return (
    <>
      {count !== 0 && (
        <FileLink
          state={state}
          file={changes?.file ?? result.file}
          id="download"
          class="button primary"
        >
          {count === undefined ? "Download" : `Download ${formatNumber(count)}`}
        </FileLink>
      )}
      <span class="on-phone">
        <CopyLink isPrimary>Copy link</CopyLink>
      </span>
    </>
  );
}

interface FileLinkProps {
  readonly state: MailState;
  readonly file: ExportChanges["file"];
  readonly class?: string;
  readonly id?: string;
  readonly children: string;
}

/** A download link. With scripts the page saves its own file; without, the server sends it. */
const FileLink = ({ state, file, children, ...attributes }: FileLinkProps) => (
  <a
    {...attributes}
    href={
      state.isBeyondApi
        ? "#import-steps"
        : urlWithInput(`${toolPagePath(mailFilterContract)}/file`, state.input)
    }
    download={file.name}
    onClick={(event) => {
      event.preventDefault();
      saveFile(file.name, file.content, file.media_type);
      announce("Saved");
      document.getElementById("import-steps")?.toggleAttribute("open", true);
      document.getElementById("gmail-settings")?.focus({ preventScroll: true });
    }}
  >
    {children}
  </a>
);

/** A longer file is downloaded only. */
const MAX_FILE_SHOWN = 100_000;

const GMAIL_FILTERS = "https://mail.google.com/mail/u/0/#settings/filters";

interface ResultProps {
  /** The result's state, which may be older than the form. */
  readonly state: MailState;
  readonly form: MailState["form"];
  readonly result: MailFilterResult;
}

function Result({ state, form, result }: ResultProps) {
  const changes = state.extra?.changes;
  const { filters } = result;
  const steps = changes?.steps ?? result.how_to_import;
  const gone = changes?.gone ?? [];
  const rows = listRows(form.get("filters")).slice(0, LONG_LIST);
  const open = rows.find(([, item]) => !isCollapsed(item)) ?? rows[0];
  return (
    <div class="stack">
      <div class="on-phone">
        <Note kind="info">
          <p>Gmail imports filters on a computer only. Copy the link, and open this page there.</p>
          {(!changes || changes.added.size > 0) && (
            <FileLink state={state} file={changes?.file ?? result.file} class="button small">
              Download
            </FileLink>
          )}
        </Note>
      </div>
      {changes ? (
        <Changes changes={changes} />
      ) : (
        rows.length < LONG_LIST &&
        open && <ResultOfFilter state={state} name={`filters[${open[0]}]`} />
      )}
      <div>
        {!changes &&
          rows.length < LONG_LIST &&
          rows
            .filter((row) => row !== open)
            .map(([row]) => <FoldedResult key={row} state={state} name={`filters[${row}]`} />)}
        {(!changes || changes.added.size > 0) && (
          <details class="fold" id="import-steps">
            <summary>
              Import {filters.length > 1 ? "them" : "it"} in Gmail
              <small>{formatCount(steps.length, "step")}</small>
            </summary>
            <ol class="steps">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <p>
              <a id="gmail-settings" href={GMAIL_FILTERS} target="_blank" rel="noopener">
                Open Gmail’s filter settings<span class="visually-hidden"> (in a new tab)</span>
              </a>
            </p>
          </details>
        )}
        {gone.length > 0 && changes && <ToDelete changes={changes} />}
        {rows.length >= LONG_LIST && (
          <details class="fold" id="sentences">
            <summary>All {formatNumber(filters.length)} as sentences</summary>
            <CopyBlock
              label="Sentences"
              text={filters.map(({ explanation }) => explanation).join("\n")}
            />
          </details>
        )}
        {changes && (
          <details class="fold" id="whole-file">
            <summary>For another account: {countAll(filters.length)}</summary>
            <p>
              <FileLink state={state} file={result.file}>
                {`Download ${countAll(filters.length)}`}
              </FileLink>
              . Importing them here would create duplicates.
            </p>
          </details>
        )}
        {result.file.content.length <= MAX_FILE_SHOWN && (
          <details class="fold" id="file-details">
            <summary>Text of the file</summary>
            <CopyBlock id="file-text" label={result.file.name} text={result.file.content} />
          </details>
        )}
      </div>
    </div>
  );
}

/** The answer of a filter that is closed. */
function FoldedResult({ state, name }: { readonly state: MailState; readonly name: string }) {
  const index = listFilters(state.input).findIndex(
    (_, at) => state.nameOf(`filters[${at}]`) === name,
  );
  const filter = state.result?.filters[index];
  return filter ? (
    <details class="fold">
      <summary>
        <bdi>{filter.name}</bdi>
        <small>
          <bdi>{filter.search.slice(0, 30)}</bdi>
        </small>
      </summary>
      <ResultOfFilter state={state} name={name} />
    </details>
  ) : null;
}

/** What to do, in a line. */
function Changes({ changes: { added, gone, isAboveLimit } }: { readonly changes: ExportChanges }) {
  const [imported, deleted] = [added.size, gone.length].map(formatNumber);
  const words = [added.size > 0 && `import ${imported}`, gone.length > 0 && `delete ${deleted}`];
  const todo = words.filter(Boolean).join(", then ");
  return (
    <>
      <h3 class="todo">{todo === "" ? "Nothing to do" : todo[0]?.toUpperCase() + todo.slice(1)}</h3>
      {added.size > 0 && gone.length > 0 && isAboveLimit && (
        <Note kind="warn">
          <p>
            Gmail keeps 1,000 filters: import the new ones in parts, each after you have deleted
            what it replaces.
          </p>
        </Note>
      )}
    </>
  );
}

/** What an import leaves in Gmail, to tick off. */
const ToDelete = ({ changes: { gone, added } }: { readonly changes: ExportChanges }) => (
  <section class="to-delete stack" aria-labelledby="to-delete">
    <h4 id="to-delete">
      {added.size > 0 ? "Then delete" : "Delete"}{" "}
      {gone.length > 1 ? `these ${formatNumber(gone.length)}` : "this one"} by hand
    </h4>
    <p>An import adds filters and replaces none. Gmail lists them in this order.</p>
    <ul class="items" id="gone">
      {gone.map(({ search, actions, isChanged }, index) => (
        <li key={`${index} ${search}`}>
          <label class="row">
            <input type="checkbox" form="" />
            <span>
              <code dir="auto">{search}</code>{" "}
              <small>
                {actions}
                {isChanged && " · was changed"}
              </small>
            </span>
          </label>
        </li>
      ))}
    </ul>
    <div>
      <CopyButton
        subject="the filters to delete"
        text={() => gone.map(({ search, actions }) => `${search} -> ${actions}`).join("\n")}
      >
        Copy the list
      </CopyButton>
    </div>
  </section>
);

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
