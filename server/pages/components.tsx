/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { formatNumber } from "../../src/text.ts";
import { copyText } from "./copy-buttons.ts";
import { type CodeLanguage, highlight } from "./highlight.tsx";

interface CopyProps {
  /** The text to copy. The default is the text of the surrounding block. */
  readonly text?: () => string;
  /** Describes the copied text to screen readers. */
  readonly subject: string;
  readonly isPrimary?: boolean;
  readonly children?: string;
}

/** A copy button, hidden without scripts. The key resets "Copied" when the text changes. */
export const CopyButton = ({ text, subject, isPrimary = false, children = "Copy" }: CopyProps) => (
  <button
    key={`${children} ${subject}`}
    type="button"
    class={`copy needs-script${isPrimary ? " primary" : ""}`}
    aria-label={`${children}: ${subject}`}
    onClick={text && (({ currentTarget }) => copyText(currentTarget, text()))}
  >
    {children}
  </button>
);

interface CopyBlockProps {
  readonly id?: string;
  readonly label: string;
  /** Describes the text to screen readers. */
  readonly subject?: string;
  readonly text: string;
  readonly language?: CodeLanguage | undefined;
  readonly marked?: ComponentChildren;
  /** Whether to show one line of code, with the label only for screen readers. */
  readonly isCompact?: boolean;
  readonly children?: ComponentChildren;
}

/** Text with a Copy button. The text wraps, and long text scrolls, also by keyboard. */
export function CopyBlock(props: CopyBlockProps) {
  const { id, label, subject, text, language, isCompact, children } = props;
  const { marked = language ? highlight(text, language) : text } = props;
  const isLine = !text.trimEnd().includes("\n");
  return (
    <figure class={`copy-block${isCompact ? " compact" : ""}`}>
      <figcaption class="line">
        <span class="label">
          {allowBreaks(label)}
          {subject !== undefined && <span class="visually-hidden"> of {subject}</span>}
        </span>
        {children}
        <CopyButton subject={subject === undefined ? label : `${label} of ${subject}`} />
      </figcaption>
      {/* What scrolls by keyboard needs a role and a name. */}
      <pre {...(!isLine && { tabindex: 0, role: "group", "aria-label": label })}>
        <code id={id}>{marked}</code>
      </pre>
    </figure>
  );
}

interface TruncatedListProps<Item> {
  readonly items: readonly Item[];
  readonly limit: number;
  readonly class?: string;
  /** Renders one item as an `<li>`. */
  readonly children: (item: Item) => ComponentChildren;
}

/** A list of the first items, and the number of the others. */
export const TruncatedList = <Item,>({
  items,
  limit,
  class: className,
  children,
}: TruncatedListProps<Item>) =>
  items.length === 0 ? null : (
    <ul class={className}>
      {items.slice(0, limit).map(children)}
      {items.length > limit && <li>and {formatNumber(items.length - limit)} more</li>}
    </ul>
  );

export function saveFile(name: string, content: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  // Long enough for the browser to start the download.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The subset of CommonMark in descriptions: paragraphs, flat lists, code and links. */
export const Prose = ({ text }: { readonly text: string }) => (
  <>
    {text
      .trim()
      .split(/\n{2,}/)
      .map((block) =>
        block.startsWith("- ") ? (
          <ul>
            {block
              .slice(2)
              .split("\n- ")
              .map((item) => (
                <li>
                  <Inline text={item} />
                </li>
              ))}
          </ul>
        ) : (
          <p>
            <Inline text={block} />
          </p>
        ),
      )}
  </>
);

/** A line of text with `code` and [links](https://example.com). */
export const Inline = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/(`[^`]+`|\[[^\]]+\]\(https?:[^)]+\))/).map((part, index) => {
      if (index % 2 === 0) return part;
      const [, words, href] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
      return href === undefined ? (
        <Code name={part.slice(1, -1)} />
      ) : (
        <a href={href} rel="noopener">
          {words}
        </a>
      );
    })}
  </>
);

export const Code = ({ name }: { readonly name: string }) => <code>{allowBreaks(name)}</code>;

/** A name or a path, which a narrow column may break after punctuation. */
const allowBreaks = (name: string) =>
  name
    .split(/[\\/]/.test(name) ? /(?<=[\\/])/ : /(?<=[._\]])/)
    .flatMap((part, index) => (index > 0 ? [<wbr />, part] : part));

/** Paths in a square of 16 units. */
const ICON_PATHS = {
  info: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 7.2v4M8 4.8v.01",
  bad: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4",
  good: "M3.5 8.5l3 3 6-7",
  warn: "M8 2.5l6 11H2zM8 6.5v3M8 11.5v.01",
  undo: "M4 7h5.5a3.5 3.5 0 0 1 0 7H6M4 7l3-3M4 7l3 3",
  redo: "M12 7H6.5a3.5 3.5 0 0 0 0 7H10M12 7L9 4M12 7l-3 3",
  remove: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  download: "M8 3v7M5 7.5l3 3 3-3M3.5 13h9",
  plus: "M8 3.5v9M3.5 8h9",
};

export const Icon = ({ name }: { readonly name: keyof typeof ICON_PATHS }) => (
  <svg
    width="1rem"
    height="1rem"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={ICON_PATHS[name]} />
  </svg>
);

export const SEVERITY_ICONS = { error: "bad", warning: "warn", info: "info" } as const;

interface NoteProps {
  readonly kind: "info" | "bad" | "good" | "warn";
  readonly id?: string;
  readonly children: ComponentChildren;
}

/** A message next to its subject. */
export const Note = ({ kind, id, children }: NoteProps) => (
  <div class={`note ${kind}`} id={id}>
    <Icon name={kind} />
    {children}
  </div>
);

/** A picture of an inbox: a sender, a subject and a label each. */
export const SampleMail = (props: {
  readonly messages: readonly (readonly [string, string, string])[];
}) => (
  <div class="sample" aria-hidden="true">
    {props.messages.map(([sender, subject, label]) => (
      <p key={sender} class="mail">
        <strong>{sender}</strong>
        <span class="quiet">{subject}</span>
        <span class="tag">{label}</span>
      </p>
    ))}
  </div>
);

/** Capitalises a message. Messages begin in lower case because they usually follow a path. */
export const capitalise = (message: string): string =>
  message.charAt(0).toUpperCase() + message.slice(1);
