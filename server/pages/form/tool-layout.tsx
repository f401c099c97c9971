/** @jsxImportSource preact */
import { type ComponentChildren, Fragment } from "preact";
import { toolPath, urlWithInput } from "../../../src/describe-tool.ts";
import { formatCount, formatNumber } from "../../../src/text.ts";
import { toolDocsPath, toolPagePath } from "../../paths.ts";
import {
  CopyBlock,
  capitalise,
  Icon,
  Note,
  SEVERITY_ICONS,
  TruncatedList,
} from "../components.tsx";
import { copyText } from "../copy-buttons.ts";
import { curlPost } from "../curl.ts";
import { IntentButton, MemoByValues } from "./field-components.tsx";
import {
  type FieldMessage,
  type FormState,
  FROM_LINK,
  LINK_PROBLEM,
  type LivePage,
  OPENED_FILE,
  type ReadNotice,
  TOUCHED_FIELDS,
} from "./form-state.ts";
import { asText, isInCollapsedItem } from "./form-values.ts";
import { createShareLink, getShareableInput } from "./links.ts";

/** The id of the form, for its controls that stand outside of it. */
export const FORM_ID = "tool-form";

interface ToolLayoutProps<Result, Extra> {
  readonly state: FormState<Result, Extra>;
  readonly live: LivePage<Result, Extra> | undefined;
  /** Names of hidden controls with a state of this page alone. */
  readonly hidden?: readonly string[];
  /** The ways to begin, above the fields. */
  readonly start: ComponentChildren;
  readonly children: ComponentChildren;
  /** The one action of the page, in the bar. */
  readonly action?: ComponentChildren;
  /** Choices above the result. */
  readonly choices?: ComponentChildren;
  /** Shown until there is a result. */
  readonly blank: ComponentChildren;
  /** The result, and the form that it is of: the last one with a result. */
  readonly result: (result: Result, state: FormState<Result, Extra>) => ComponentChildren;
  /** Effects of the result that a user should know before trusting a link. */
  readonly effects?: (result: Result) => readonly string[];
  /** What else can be done with the result, beside the link and the API call. */
  readonly share?: (result: Result) => ComponentChildren;
}

/** The form of a tool with its outcome. */
export function ToolLayout<Result extends object, Extra>(props: ToolLayoutProps<Result, Extra>) {
  const { state, start, children, hidden = [] } = props;
  const { page, form } = state;
  const path = toolPagePath(page.contract);
  return (
    <div class="tool-layout">
      <form
        id={FORM_ID}
        class="tool-form stack"
        aria-label="Input"
        action={path}
        method="post"
        autocomplete="off"
        noValidate
      >
        {/* The Enter key presses the first button of a form. */}
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: nobody comes to it by Tab */}
        <button
          type="submit"
          class="default"
          tabindex={-1}
          aria-hidden="true"
          formaction={`${path}#outcome`}
        >
          Update
        </button>
        {/* Once all is right, nothing counts as left: the next problem waits too. */}
        {[
          ...(state.result && state.problems.length === 0 ? [] : [TOUCHED_FIELDS]),
          FROM_LINK,
          LINK_PROBLEM,
          ...hidden,
        ].map(
          (name) =>
            form.has(name) && (
              <input key={name} type="hidden" name={name} value={asText(form.get(name))} />
            ),
        )}
        {form.has(FROM_LINK) && !form.has(LINK_PROBLEM) && (
          <FromLinkWarning effects={(state.result && props.effects?.(state.result)) ?? []} />
        )}
        {start}
        <ReadingNotes notice={props.live?.notice} />
        {children}
        <p class="privacy needs-script">
          What you type stays in this tab, and is still here after a reload
          {page.draftOmits !== undefined && `, except ${page.draftOmits}`}.
        </p>
      </form>
      <div class="bar-and-result">
        <Bar {...props} />
        <ResultPanel {...props} />
      </div>
    </div>
  );
}

/** Why nothing was read, or what of it the user should know. */
const ReadingNotes = ({ notice }: { readonly notice: ReadNotice | undefined }) => {
  const texts = notice?.isError ? [notice.text] : notice?.details;
  if (!notice || !texts || texts.length === 0) return null;
  return (
    <Note kind={notice.isError ? "bad" : "info"} id="reading">
      <TruncatedList class="plain" items={texts} limit={MAX_LISTED_ITEMS}>
        {(text) => <li key={text}>{text}</li>}
      </TruncatedList>
    </Note>
  );
};

/** The state of the form in a line, the way back, and the one action of the page. */
function Bar<Result extends object, Extra>({
  state,
  live,
  action,
}: ToolLayoutProps<Result, Extra>) {
  const { page, result, problems, messages } = state;
  const isRejected = !result && messages.length > 0;
  const [outcome, rest] = (
    isRejected ? `Fix ${formatCount(messages.length, "problem")}` : page.summary(state)
  ).split("\n");
  const steps = { undo: live?.history.past.at(-1), redo: live?.history.future.at(-1) };
  return (
    <div class="bar line">
      <p class="status" id="status">
        <a class="summary" id="summary" href={`#${problems[0]?.name || "outcome"}`}>
          <bdi>{outcome}</bdi>
          {rest && <small class="notice"> {rest}</small>}
        </a>
        {!rest && live?.notice && !live.notice.isError && (
          <small class="notice"> {live.notice.text}</small>
        )}
      </p>
      {(["undo", "redo"] as const).map(
        (intent) =>
          steps[intent] && (
            <IntentButton
              key={intent}
              form={FORM_ID}
              intent={intent}
              label={[capitalise(intent), steps[intent].done].filter(Boolean).join(": ")}
              class="bare icon"
            >
              <Icon name={intent} />
            </IntentButton>
          ),
      )}
      <button
        type="submit"
        form={FORM_ID}
        class="needs-no-script"
        formaction={`${toolPagePath(page.contract)}#outcome`}
      >
        Update the result
      </button>
      {action ||
        (result && (
          <a class="button primary phone-only needs-script" href="#outcome">
            See result
          </a>
        ))}
    </div>
  );
}

function ResultPanel<Result extends object, Extra>({
  state,
  live,
  choices,
  blank,
  result: view,
  share,
}: ToolLayoutProps<Result, Extra>) {
  const { messages, isBlank, form } = state;
  const isRejected = !state.result && messages.length > 0;
  const shown = state.result ? state : (live?.lastValid ?? state);
  const { result } = shown;
  const isStale = !state.result && (!isBlank || isRejected);
  // Where scripts run, a message is beside its field, unless that is in a closed item.
  const listed = live
    ? messages.filter(({ name }) => name === "" || isInCollapsedItem(form, name, state.page.fields))
    : messages;
  const kind = state.result ? "done" : isRejected ? "rejected" : isBlank ? "blank" : "unfinished";
  const linkedChoices = state.page.linkedControls?.map((name) => asText(form.get(name))) ?? [];
  return (
    <section
      class="result-panel stack"
      id="outcome"
      aria-labelledby="outcome-title"
      data-outcome={kind}
    >
      <h2 class="visually-hidden" id="outcome-title">
        Result
      </h2>
      {isRejected && listed.length > 0 && (
        <div class="problems" id="problems">
          <MessageList messages={listed} />
        </div>
      )}
      {choices}
      <div class="stack" id="result" data-stale={isStale ? "" : undefined}>
        {result && (
          <>
            {isStale && (
              <Note kind="info">
                <p>Showing your last valid result.</p>
              </Note>
            )}
            {shown.messages.length > 0 && <MessageList messages={shown.messages} />}
            {view(result, shown)}
            <MemoByValues values={[shown.input, ...linkedChoices]}>
              {() => <ShareAndApi state={shown}>{share?.(result)}</ShareAndApi>}
            </MemoByValues>
          </>
        )}
      </div>
      {!result && blank}
    </section>
  );
}

const MAX_LISTED_ITEMS = 20;

/** Warns of an input that came in a link, which may be from someone else. */
const FromLinkWarning = ({ effects }: { readonly effects: readonly string[] }) => (
  <Note kind={effects.length > 0 ? "warn" : "info"} id="from-link">
    <div>
      <strong>Filled in from a link.</strong> Check it before you use the result.
      {effects.length > 0 && " It would:"}
      <TruncatedList items={effects} limit={MAX_LISTED_ITEMS}>
        {(effect) => <li dir="auto">{effect}</li>}
      </TruncatedList>
    </div>
  </Note>
);

/** Equal messages are one item, with the places that it is about. */
function MessageList({ messages }: { readonly messages: readonly FieldMessage[] }) {
  const byMessage = [...Map.groupBy(messages, ({ message }) => message)];
  return (
    <TruncatedList class="notes stack" items={byMessage} limit={MAX_LISTED_ITEMS}>
      {([message, equal]) => {
        const { severity = "error" } = equal[0] ?? {};
        const places = equal.filter(({ place }) => place !== "");
        return (
          <li key={message} class={severity}>
            <Icon name={SEVERITY_ICONS[severity]} />
            {places.slice(0, MAX_PLACES).map(({ name, place }, index) => (
              <Fragment key={place}>
                {index > 0 && "; "}
                {name === "" ? place : <a href={`#${name}`}>{place}</a>}
              </Fragment>
            ))}
            {places.length > MAX_PLACES && ` and ${formatNumber(places.length - MAX_PLACES)} more`}
            {places.length > 0 ? `: ${message}` : capitalise(message)}
          </li>
        );
      }}
    </TruncatedList>
  );
}

const MAX_PLACES = 5;

/** The same input elsewhere: the API, and a link. The link to a thousand filters takes a while to write. */
function ShareAndApi<Result, Extra>({
  state,
  children,
}: Pick<ToolLayoutProps<Result, Extra>, "state" | "children">) {
  const { page, runner, input, form, isBeyondApi } = state;
  const endpoint = `${runner.baseUrl}${toolPath(page.contract)}`;
  const whyNot = page.whyNotShareable?.(form);
  const shared = getShareableInput(state);
  const isWhole = shared === input || JSON.stringify(shared) === JSON.stringify(input);
  return (
    <footer class="share-and-api line">
      {whyNot && <p>{whyNot}</p>}
      {!whyNot && !isBeyondApi && (
        <details class="fold" id="api-call">
          <summary>API call</summary>
          <CopyBlock id="api-curl" label="curl" text={curlPost(endpoint, input)} />
          {isWhole && <CopyBlock id="api-url" label="GET" text={urlWithInput(endpoint, input)} />}
          <p>
            No key, no account. See <a href={toolDocsPath(page.contract)}>the API documentation</a>.
          </p>
        </details>
      )}
      {shared ? (
        <p class="share needs-script">
          <a
            id="share"
            href={createShareLink(page, shared, form)}
            onClick={({ currentTarget }) => copyText(currentTarget, currentTarget.href)}
          >
            Share a link
          </a>
          {!isWhole && " (without the values that may be secret)"}
        </p>
      ) : (
        !whyNot &&
        !form.has(OPENED_FILE) && <p>There is no link: the input seems to hold a secret.</p>
      )}
      {children}
    </footer>
  );
}

type FileProps = Readonly<Record<"label" | "accept", string>>;

/** The button that opens a file. The page's script reads the file. */
export const FileButton = ({ label, accept }: FileProps) => (
  <label class="button needs-script">
    <Icon name="file" />
    {label}
    <input type="file" class="visually-hidden" accept={accept} />
  </label>
);

export const OpenFile = ({ canClear, ...file }: FileProps & { readonly canClear: boolean }) => (
  <p class="open">
    <FileButton {...file} />
    {canClear && (
      <IntentButton intent="clear" class="bare small">
        Clear
      </IntentButton>
    )}
  </p>
);
