/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type FilterInput, mailFilterContract } from "../../../schemas/mail-filter.ts";
import { urlWithInput } from "../../../src/describe-tool.ts";
import { importSteps } from "../../../src/mail-filter/write-xml.ts";
import { formatCount, formatNumber } from "../../../src/text.ts";
import { toolPagePath } from "../../paths.ts";
import { announce } from "../announce.ts";
import {
  CopyBlock,
  CopyButton,
  capitalise,
  Icon,
  Note,
  SampleMail,
  saveFile,
  TruncatedList,
} from "../components.tsx";
import { IntentButton } from "../form/field-components.tsx";
import { type FieldMessage, OPENED_FILE, SECOND_FILE, type ToolPage } from "../form/form-state.ts";
import {
  asText,
  type FormValues,
  getItemName,
  isInCollapsedItem,
  listRows,
} from "../form/form-values.ts";
import { FileButton, FORM_ID, ToolLayout } from "../form/tool-layout.tsx";
import { FilterOutcome } from "./filter-card.tsx";
import {
  addFilters,
  applyFilterIntent,
  describeFilter,
  FILE_NAME,
  filterFields,
  filterFormFields,
  findNextStep,
  listFilters,
  PRESETS,
  readSecondFile,
  titleOf,
} from "./filter-form.ts";
import { FilterList, findViews, LONG_LIST, MARKS, NOT_AN_ADDRESS } from "./filter-list.tsx";
import type {
  ExportChanges,
  MailProps,
  MailResult,
  MailState,
  OpenedExport,
} from "./opened-export.ts";

export const mailFilterPage: ToolPage<MailResult, OpenedExport | undefined> = {
  contract: mailFilterContract,
  product: "Gmail filters",
  action: "Make a filter",
  lead: "Say which mail and what should happen to it. You get a file that Gmail imports.",
  fields: filterFormFields,
  controlAfterHandOver: "filters[0].label",
  applyIntent: applyFilterIntent,
  summary({ result, input, extra, isBlank }) {
    if (isBlank) return "Start with a sender";
    if (!result) {
      const next = listFilters(input).flatMap((filter) => findNextStep(filter) ?? []);
      return next[0] ?? "Finish the form";
    }
    if (extra) return extra.changes.summary || "No changes";
    return `${formatCount(result.filters.length, "filter")} ready`;
  },
  view: MailFilterPage,
};

function MailFilterPage({ state, live }: MailProps) {
  // The last result stays while there is none now.
  const last = state.result ? state : live?.lastValid;
  const views = findViews(state, last);
  const messages = state.messages.flatMap((message) => {
    const { name, severity, code } = message;
    const item = getItemName(name);
    const marks = views.views.get(item);
    // What works in Gmail already needs no advice.
    const isAdvice = severity !== "error" && code !== NOT_AN_ADDRESS;
    const isInGmail = last?.extra && marks && !MARKS.some((mark) => marks.has(mark));
    if (isAdvice && isInGmail) return [];
    // "Filter 31, Label" says little.
    const title = titleOf(views.byName.get(item)) ?? filterFields.name.placeholder;
    const place = message.place.replace(/^Filter \d+/, () => title);
    // A script opens the item, in which the control is.
    const isThere = live || !isInCollapsedItem(state.form, name, filterFormFields);
    return { ...message, place, name: isThere ? name : item };
  });
  const shown = { ...state, messages };
  // A message about the open filter is at its field, and one about a domain has a view.
  const isElsewhere = ({ name, code }: FieldMessage) =>
    code !== NOT_AN_ADDRESS &&
    (getItemName(name) === "" || isInCollapsedItem(state.form, name, filterFormFields));
  return (
    <ToolLayout
      state={state.result ? { ...state, messages: messages.filter(isElsewhere) } : shown}
      live={live}
      hidden={[OPENED_FILE, FILE_NAME, SECOND_FILE]}
      effects={listEffects}
      action={state.extra?.changes.added.size !== 0 && <DownloadAction state={state} />}
      start={<Start state={state} live={live} />}
      blank={<Unfinished state={state} />}
      share={({ file }) =>
        file.content.length <= MAX_FILE_SHOWN && (
          <details class="fold" id="file-details">
            <summary>Text of the file</summary>
            <CopyBlock id="file-text" label={file.name} text={file.content} />
          </details>
        )
      }
      result={(result, shown) => <Result result={result} state={shown} live={live} />}
    >
      <FilterList state={shown} last={last} live={live} views={views} />
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

/** The search of an unfinished filter, before there is a result. */
function Unfinished({ state }: Pick<MailProps, "state">) {
  const index = listFilters(state.input).findLastIndex((filter) => describeFilter(filter));
  if (index < 0) return <Blank />;
  return <FilterOutcome state={state} name={state.nameOf(["filters", index])} />;
}

/** What the page does, until there is a filter. */
const Blank = () => (
  <div class="stack">
    <h3 class="todo">Newsletters, out of the inbox</h3>
    <SampleMail
      messages={[
        ["The Weekly", "Five things this week", "Newsletters"],
        ["Longreads", "The lighthouse keepers", "Newsletters"],
        ["Brand", "What is new in May", "Newsletters"],
      ]}
    />
    <p class="quiet">
      Here you will read your filter as a sentence, try its search in Gmail, and download the file.
      Paste many addresses at once: a comma, a semicolon or a new line separates them.
    </p>
    <p class="line">
      <IntentButton form={FORM_ID} intent="preset example">
        Show this example
      </IntentButton>
      <small class="quiet wide needs-script">Or drop your mailFilters.xml on this page.</small>
    </p>
  </div>
);

/** The ways to begin; once a file is opened, its name. */
function Start({ state, live }: MailProps) {
  const opened = state.extra?.opened ?? live?.lastValid?.extra?.opened;
  const isOpened = state.form.has(OPENED_FILE);
  const file = (label: string) => (
    <FileButton label={label} accept=".xml,.json,text/xml,application/xml,application/json" />
  );
  return (
    <>
      <div class="open start">
        {isOpened ? (
          <>
            <Icon name="file" />
            <strong>
              <bdi>{asText(state.form.get(FILE_NAME))}</bdi>
            </strong>
            <span class="quiet">{opened && formatCount(opened.filters.length, "filter")}</span>
            <span class="end">
              {file("Open another")}
              <IntentButton intent="clear" class="bare small">
                Close
              </IntentButton>
            </span>
          </>
        ) : (
          <>
            <span class="quiet wide">Start from</span>
            {[...PRESETS.keys()].map((title) => (
              <IntentButton key={title} intent={`preset ${title}`} class="small">
                {title}
              </IntentButton>
            ))}
            <span class="end">{file("Open mailFilters.xml")}</span>
          </>
        )}
      </div>
      <SecondFile form={state.form} live={live} />
      {isOpened && opened && opened.skipped.length > 0 && (
        <Note kind="warn">
          <div>
            <strong>Not read: {formatNumber(opened.skipped.length)} more.</strong> An import leaves
            them in Gmail as they are.
            <TruncatedList items={opened.skipped} limit={MAX_SKIPPED}>
              {(text) => <li key={text}>{text}</li>}
            </TruncatedList>
          </div>
        </Note>
      )}
    </>
  );
}

/** What to do with another file. */
function SecondFile({ form, live }: Pick<MailState, "form"> & Pick<MailProps, "live">) {
  const second = readSecondFile(form);
  if (!second) return null;
  const { added, name } = second;
  const known = second.filters.length - added.length;
  const add = (form: FormValues) => {
    form.delete(SECOND_FILE);
    return addFilters(form, added);
  };
  // The bar counts what is added.
  const message = `From ${name}${known > 0 ? `, ${formatNumber(known)} there already` : ""}.`;
  return (
    // Escape closes it like a card.
    <div class="item">
      <Note kind="info">
        <p>
          {name} has {formatCount(second.filters.length, "filter")}. Replace yours, or add to them?
        </p>
        <div class="line">
          <IntentButton intent="replace file" class="small">
            Replace
          </IntentButton>
          <button type="button" class="small" onClick={() => live?.change(add, message)}>
            Add
          </button>
          <IntentButton intent="close file" class="bare small">
            Cancel
          </IntentButton>
        </div>
      </Note>
    </div>
  );
}

const MAX_SKIPPED = 5;

/**
 * The main action: the file, or on a phone the link, since Gmail imports only on a computer. A link does not
 * hold an opened export: whoever followed it would import filters again that Gmail has already.
 */
function DownloadAction({ state }: Pick<MailProps, "state">) {
  const { result } = state;
  const changes = state.extra?.changes;
  if (!result)
    return (
      <button type="button" class="needs-script" disabled>
        Download
      </button>
    );
  return (
    <>
      <FileLink
        state={state}
        file={changes?.file ?? result.file}
        id="download"
        class="button primary"
      >
        <Icon name="download" />
        {changes ? `Download ${formatNumber(changes.added.size)}` : "Download"}
      </FileLink>
      {!changes && (
        <span class="on-phone">
          <CopyButton
            isPrimary
            text={() => document.querySelector<HTMLAnchorElement>("#share")?.href ?? location.href}
            subject="the link to this input"
          >
            Copy link
          </CopyButton>
        </span>
      )}
    </>
  );
}

interface FileLinkProps {
  readonly state: MailState;
  readonly file: ExportChanges["file"];
  readonly class?: string;
  readonly id?: string;
  readonly children: ComponentChildren;
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
      const next = document.getElementById("gmail-settings");
      next?.focus({ preventScroll: true });
      next?.scrollIntoView({ block: "nearest" });
    }}
  >
    {children}
  </a>
);

/** A longer file is downloaded only. */
const MAX_FILE_SHOWN = 100_000;

function Result({ state, result, live }: MailProps & { readonly result: MailResult }) {
  const changes = state.extra?.changes;
  const { filters } = result;
  const isLong = listRows(state.form.get("filters")).length >= LONG_LIST;
  const names =
    changes || isLong ? [] : filters.map((_, index) => state.nameOf(["filters", index]));
  return (
    <div class="stack">
      {changes?.added.size !== 0 && (
        <div class="on-phone">
          <Note kind="info">
            <p>
              {changes
                ? "Gmail imports filters on a computer: send the file there."
                : "Gmail imports filters on a computer only. Copy the link, and open this page there."}
            </p>
            {!changes && (
              <FileLink state={state} file={result.file} class="button small">
                Download
              </FileLink>
            )}
          </Note>
        </div>
      )}
      {changes && (
        // Another file has other ticks.
        <Changes
          key={asText(state.form.get(OPENED_FILE))}
          {...changes}
          filters={listFilters(state.input)}
          live={live}
        />
      )}
      {names.map((name) => (
        <FilterOutcome key={name} state={state} name={name} />
      ))}
      <div>
        {!changes && (
          <details class="fold" id="import-steps">
            <summary>How to import it</summary>
            <GmailSteps
              count={filters.flatMap(({ entries }) => entries).length}
              filters={listFilters(state.input)}
            />
          </details>
        )}
        {isLong && (
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
            <summary>For another account</summary>
            <p>
              <FileLink state={state} file={result.file}>
                Download {formatCount(filters.length, "filter")}
              </FileLink>
              . Importing them here would create duplicates.
            </p>
          </details>
        )}
      </div>
    </div>
  );
}

interface StepsProps {
  /** The number of entries to import. */
  readonly count: number;
  /** Their filters. */
  readonly filters: readonly FilterInput[];
  /** What else to do for an opened export. */
  readonly children?: ComponentChildren;
}

/** What to do in Gmail. Once the file is saved, the link to Gmail's settings gets the focus. */
function GmailSteps({ count, filters, children }: StepsProps) {
  const { verify, details } = importSteps(count, filters, children !== undefined);
  return (
    <ol class="steps">
      {verify.map((step) => (
        <li key={step}>{step}</li>
      ))}
      <li>
        <strong>Open</strong>{" "}
        <a
          id="gmail-settings"
          href="https://mail.google.com/mail/u/0/#settings/filters"
          target="_blank"
          rel="noopener"
        >
          Gmail’s filter settings<span class="visually-hidden"> (in a new tab)</span>
        </a>
        {count === 0 && " on a computer"}.
      </li>
      {count > 0 && (
        <li>
          <strong>Import the file.</strong>
          {details.map((step) => (
            <p key={step}>{step}</p>
          ))}
        </li>
      )}
      {children}
    </ol>
  );
}

interface ChangesProps extends ExportChanges, Pick<MailProps, "live"> {
  readonly filters: readonly FilterInput[];
}

/** What to do with a changed export. */
function Changes({ added, gone, file, entryCount, isAboveLimit, filters, live }: ChangesProps) {
  /** The deleted ones, by their place in the export. */
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  // After more changes there is another file to import.
  const [importedFile, setImportedFile] = useState("");
  const [imported, deleted] = [added.size, gone.length].map(formatNumber);
  const count = formatCount(filters.length, "filter");
  const words = [added.size > 0 && `import ${imported}`, gone.length > 0 && `delete ${deleted}`];
  const todo = words.filter(Boolean).join(", then ");
  if (todo === "")
    return (
      <>
        <h3 class="todo">Your Gmail has {count}</h3>
        <p class="quiet">
          Change something, and you get a file with only what is new, and a list of what to delete.
        </p>
      </>
    );
  const done = `Done: your Gmail has ${count}.`;
  const tickedCount = gone.filter(({ index }) => ticked.has(index)).length;
  const isDone = tickedCount === gone.length && importedFile === file.content;
  const tick = (index: number) => {
    const next = new Set(ticked);
    if (!next.delete(index)) next.add(index);
    setTicked(next);
    setImportedFile(file.content);
    if (gone.every(({ index }) => next.has(index))) announce(done);
  };
  return (
    <>
      <h3 class={isDone ? "todo done" : "todo"}>{isDone ? done : capitalise(todo)}</h3>
      {isAboveLimit && (
        <Note kind="warn">
          <p>
            Gmail keeps 1,000 filters: import the new ones in parts, each after you have deleted
            what it replaces.
          </p>
        </Note>
      )}
      <GmailSteps count={entryCount} filters={filters.filter((_, index) => added.has(index))}>
        {gone.length > 0 && (
          <li class="to-delete stack">
            <p>
              <strong>
                Delete {gone.length > 1 ? `these ${formatNumber(gone.length)}` : "this one"} by
                hand.
              </strong>{" "}
              {tickedCount > 0
                ? `${formatNumber(tickedCount)} of ${deleted} deleted.`
                : "An import replaces nothing. Gmail lists them in this order."}
            </p>
            <ul class="items" id="gone" aria-label="To delete by hand">
              {gone.map(({ index, search, actions, kind, filter }) => (
                <li key={index}>
                  <label class="row">
                    <input
                      type="checkbox"
                      form=""
                      checked={ticked.has(index)}
                      onChange={() => tick(index)}
                    />
                    <span>
                      <code dir="auto">{search}</code>
                      <small>{actions}</small>
                    </span>
                  </label>
                  {(kind === "removed" || kind === "repeat") && (
                    <button
                      type="button"
                      class="bare small"
                      aria-label={`Put back ${search}`}
                      onClick={() =>
                        live?.change((form) => addFilters(form, [filter]), "Put back.")
                      }
                    >
                      Put back
                    </button>
                  )}
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
          </li>
        )}
      </GmailSteps>
    </>
  );
}

/** What the user of a link should know before importing its filters, the worst first. */
function listEffects({ filters }: MailResult): readonly string[] {
  const all = filters.map(({ name, entries: [entry] }) => ({ name, ...entry?.properties }));
  return [
    ...all.flatMap(({ name, forwardTo }) =>
      forwardTo ? [`forward mail to ${forwardTo} (${name})`] : [],
    ),
    ...all.flatMap(({ name, shouldTrash }) => (shouldTrash ? [`delete mail (${name})`] : [])),
  ];
}
