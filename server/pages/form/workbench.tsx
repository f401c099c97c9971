import type { ComponentChildren } from "preact";
import { toolPath, urlWithInput } from "../../../src/describe-tool.ts";
import { plural, thousands } from "../../../src/text.ts";
import { toolPagePath } from "../../links.ts";
import { curlPost } from "../curl.ts";
import { Copy, CopyBlock } from "../parts.tsx";
import { Do } from "./fields.tsx";
import { textOf } from "./form.ts";
import type { Shown } from "./live.ts";
import { LEFT, type Note, type State } from "./run-form.ts";

/** The id of the form, for its controls that stand outside of it. */
export const FORM = "tool-form";

interface WorkbenchProps<Result> {
  readonly state: State<Result>;
  readonly live: Shown<Result> | undefined;
  /** Names of hidden controls with a state of this page alone. */
  readonly hidden?: readonly string[];
  /** The ways to begin, above the fields. */
  readonly start: ComponentChildren;
  /** The fields. */
  readonly children: ComponentChildren;
  /** The result, which may be the last valid one. */
  readonly result: (result: Result) => ComponentChildren;
  /** Effects of the result that a user should know before trusting a link. */
  readonly effects?: (result: Result) => readonly string[];
}

/** The form of a tool with its outcome. */
export function Workbench<Result>(props: WorkbenchProps<Result>) {
  const { state, live, start, children, hidden = [] } = props;
  const { page, tree } = state;
  const path = toolPagePath(page.contract);
  return (
    <div class="workbench" {...live?.on}>
      <form
        id={FORM}
        class="tool-form"
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
        {[LEFT, "linked", ...hidden].map(
          (name) =>
            tree.has(name) && <input type="hidden" name={name} value={textOf(tree.get(name))} />,
        )}
        {start}
        {children}
        <p class="actions">
          <button type="submit" class="needs-no-script" formaction={`${path}#outcome`}>
            Update the result
          </button>
          {live && (
            <Do command="undo" disabled={!live.canUndo}>
              Undo
            </Do>
          )}
          {live && (
            <Do command="redo" disabled={!live.canRedo}>
              Redo
            </Do>
          )}
          <Do command="example">Back to the example</Do>
        </p>
        <p class="privacy needs-script">
          What you type stays in this tab, and is still here after a reload.
        </p>
        <a class="live" href="#outcome">
          {summaryLine(state)}
        </a>
      </form>
      <Outcome {...props} />
    </div>
  );
}

/** The outcome in a line. */
export function summaryLine<Result>(state: State<Result>): string {
  const { result, notes, isExample, page } = state;
  if (isExample) return "Example: make it yours.";
  if (!result && notes.length > 0) return `Fix ${plural(notes.length, "problem")}`;
  return page.summary(state);
}

function Outcome<Result>({ state, live, result: view, effects }: WorkbenchProps<Result>) {
  const { notes, isBlank, isExample, tree } = state;
  const result = state.result ?? (isBlank ? undefined : live?.stale);
  const isStale = result !== state.result;
  return (
    <section class="outcome" id="outcome" aria-labelledby="outcome-title">
      <h2 class="visually-hidden" id="outcome-title">
        Result
      </h2>
      <div id="status">
        {!state.result && notes.length > 0 ? (
          <div class="problems">
            <p>{summaryLine(state)}:</p>
            <NoteList of={notes} />
          </div>
        ) : (
          <p class={state.result ? `summary${isExample ? " of-example" : ""}` : "invitation"}>
            <bdi>{summaryLine(state)}</bdi>
          </p>
        )}
      </div>
      {result && (
        <div id="result" data-stale={isStale ? "" : undefined}>
          {isStale && <p class="stale">Showing your last valid result.</p>}
          {tree.has("linked") && <Linked effects={effects?.(result) ?? []} />}
          {state.result && notes.length > 0 && <NoteList of={notes} />}
          {view(result)}
          <Elsewhere state={state} />
        </div>
      )}
    </section>
  );
}

const MAX_LISTED = 20;

/** Warns of an input that came in a link, which may be from someone else. */
const Linked = ({ effects }: { readonly effects: readonly string[] }) => (
  <div class="linked">
    <p>
      <strong>Filled in from a link.</strong> Check it before you use the result.
      {effects.length > 0 && " It would:"}
    </p>
    {effects.length > 0 && (
      <ul>
        {effects.slice(0, MAX_LISTED).map((effect) => (
          <li dir="auto">{effect}</li>
        ))}
      </ul>
    )}
  </div>
);

/** Equal messages are one item, with the places that it is about. */
export const NoteList = ({ of }: { readonly of: readonly Note[] }) => (
  <ul class="notes">
    {[...Map.groupBy(of, ({ message }) => message)].slice(0, MAX_LISTED).map(([message, equal]) => (
      <li key={message} class={equal[0]?.severity}>
        {equal.slice(0, 5).map(({ name, place }, index) => (
          <>
            {index > 0 && ", "}
            <a href={`#${name}`}>{place}</a>
          </>
        ))}
        {equal.length > 5 && ` and ${thousands(equal.length - 5)} more`}: {message}
      </li>
    ))}
  </ul>
);

/** The same input elsewhere: the API, and a link. */
function Elsewhere<Result>({ state: { page, host, input } }: { readonly state: State<Result> }) {
  const endpoint = `${host.baseUrl}${toolPath(page.contract)}`;
  const issue = host.apiIssue?.(input);
  return (
    <footer class="elsewhere">
      {issue ? (
        <p class="beyond-api">
          Only this page and the command line accept this much. The API would reject it:{" "}
          {issue.message}.
        </p>
      ) : (
        <details class="api-call">
          <summary>The same as an API call</summary>
          <CopyBlock label="curl" text={curlPost(endpoint, input)} />
          <CopyBlock label="GET" text={urlWithInput(endpoint, input)} />
        </details>
      )}
      <p class="share needs-script">
        The address of this page holds this input.{" "}
        <Copy text={() => location.href} of="the link to this input">
          Copy link
        </Copy>
      </p>
    </footer>
  );
}

interface OpenProps<Result> {
  /** "Open a mailFilters.xml" */
  readonly label: string;
  readonly accept: string;
  readonly live: Shown<Result> | undefined;
  readonly isExample: boolean;
}

/** The button that opens a file, and what was read. */
export const OpenFile = <Result,>({ label, accept, live, isExample }: OpenProps<Result>) => (
  <p class="open needs-script">
    <label class="button">
      {label}
      <input
        type="file"
        class="visually-hidden"
        accept={accept}
        onChange={async ({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) live?.open(await file.text(), file.name);
          currentTarget.value = "";
        }}
      />
    </label>
    <small class={live?.notice?.isError ? "error" : ""}>{live?.notice?.text}</small>
    {isExample && <span class="example">Example</span>}
  </p>
);

interface PasteProps<Result> {
  readonly label: string;
  readonly live: Shown<Result> | undefined;
}

/** The field for a whole text. It is not a part of the form. */
export const PasteBox = <Result,>({ label, live }: PasteProps<Result>) => (
  <p class="paste needs-script">
    <label for="paste">{label}</label>
    <textarea
      id="paste"
      form=""
      rows={1}
      autocapitalize="off"
      autocomplete="off"
      spellcheck={false}
      onChange={({ currentTarget }) => live?.open(currentTarget.value, "")}
    />
  </p>
);

interface StartProps {
  readonly presets: readonly string[];
}

/** Buttons that fill in the form. A preset is added to what is there, and replaces only the example. */
export const Start = ({ presets }: StartProps) => (
  <div class="start">
    <span id="start">Add</span>
    <ul aria-labelledby="start">
      {presets.map((title) => (
        <li key={title}>
          <Do command={`preset ${title}`}>{title}</Do>
        </li>
      ))}
      <li>
        <Do command="clear">Empty</Do>
      </li>
    </ul>
  </div>
);
