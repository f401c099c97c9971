/** @jsxImportSource preact */
import { useEffect, useState } from "preact/hooks";
import { previewUrl } from "../../../src/mail-filter/write-xml.ts";
import { formatNumber } from "../../../src/text.ts";
import { CopyBlock, Icon, Note } from "../components.tsx";
import {
  FieldList,
  FieldMessages,
  type FieldState,
  IntentButton,
  TextInput,
} from "../form/field-components.tsx";
import type { FormValue } from "../form/form-values.ts";
import { highlight } from "../highlight.tsx";
import {
  ACTION_NAMES,
  CONDITION_NAMES,
  describeFilter,
  filterFields,
  listFilters,
  MAX_TERMS_SHOWN,
  readFilter,
  titleOf,
} from "./filter-form.ts";
import type { MailState } from "./opened-export.ts";

interface FilterCardProps extends FieldState {
  readonly value: FormValue;
  /** "Filter 2" */
  readonly title: string;
  /** Whether there are others. */
  readonly isOneOfMany: boolean;
  readonly labels: readonly string[];
}

export function FilterCard({ title, isOneOfMany, labels, ...group }: FilterCardProps) {
  const { name, value, messages } = group;
  const input = readFilter(value);
  const isBlank = Object.keys(input).length === 0;
  const { from = [], has_words: [word, ...more] = [] } = input;
  // A long list of senders is usually whole by itself.
  const isNarrowed = from.length > MAX_TERMS_SHOWN && word !== undefined && more.length === 0;
  return (
    <fieldset class="card">
      <legend class="visually-hidden">{title}</legend>
      <div class="card-head">
        <TextInput
          name={`${name}.name`}
          field={filterFields.name}
          value={value instanceof Map ? value.get("name") : ""}
          messages={messages}
          label={`Name of ${title}`}
          placeholder={input.label ?? titleOf(input) ?? filterFields.name.placeholder}
        />
        {!isBlank && (
          <IntentButton intent={`copy ${name}`} label={`Duplicate ${title}`} class="bare small">
            Duplicate
          </IntentButton>
        )}
        {isOneOfMany && (
          <IntentButton intent={`close ${name}`} label={`Close ${title}`} class="bare small">
            Close
          </IntentButton>
        )}
        {(isOneOfMany || !isBlank) && (
          <IntentButton intent={`remove ${name}`} label={`Remove ${title}`} class="bare icon">
            <Icon name="remove" />
          </IntentButton>
        )}
      </div>
      <FieldMessages messages={messages} name={`${name}.name`} />
      <FieldMessages messages={messages} name={name} />
      <FieldList
        {...{ name, value, messages }}
        fields={filterFields}
        show={CONDITION_NAMES.slice(0, 1)}
        folds={{
          Subject: CONDITION_NAMES.slice(1, 2),
          Words: CONDITION_NAMES.slice(2, 3),
          "More conditions": CONDITION_NAMES.slice(3),
        }}
      />
      {isNarrowed && (
        <Note kind="info">
          <p>
            Every condition narrows: mail from these {formatNumber(from.length)} without this word
            stays as it is.
          </p>
          <IntentButton intent={`remove ${name}.has_words[0]`} class="small">
            Remove the word
          </IntentButton>
        </Note>
      )}
      <FieldList
        {...group}
        fields={filterFields}
        show={ACTION_NAMES.slice(0, 4)}
        folds={{ "More actions": ACTION_NAMES.slice(4) }}
      />
      <datalist id={`${name}.label:list`}>
        {labels
          .filter((label) => label !== input.label)
          .map((label) => (
            <option key={label} value={label} />
          ))}
      </datalist>
    </fieldset>
  );
}

interface OutcomeProps {
  /** The last form with a result, or for an unfinished filter the form now. */
  readonly state: MailState | undefined;
  /** The name of the filter's row. */
  readonly name: string;
}

/** A filter's sentence, and its search to try in Gmail first. The field with the focus lights its part of both. */
export function FilterOutcome({ state, name }: OutcomeProps) {
  const lit = useFocusedField();
  const isLit = (field?: string) => field !== undefined && lit === `${name}.${field}`;
  const filters = listFilters(state?.input);
  const index = filters.findIndex((_, at) => state?.nameOf(["filters", at]) === name);
  const filter = filters[index];
  const parts = filter && describeFilter(filter);
  if (!parts) return null;
  const subject = filter.name ?? `Filter ${index + 1}`;
  const search = parts.search.map(({ text }) => text).join(" ");
  const { entries = [] } = state?.result?.filters[index] ?? {};
  return (
    <div class="answer stack">
      <p class="sentence" dir="auto">
        {parts.sentence.map(({ text, field }) =>
          field === undefined ? (
            text
          ) : (
            <span
              class={`${ACTION_NAMES.includes(field) ? "does" : "part"}${isLit(field) ? " lit" : ""}`}
            >
              {text}
            </span>
          ),
        )}
      </p>
      <CopyBlock
        label="Search"
        subject={subject}
        text={search}
        marked={parts.search.map(({ text, field }, index) => [
          index > 0 && " ",
          <span class={isLit(field) ? "lit" : ""}>{highlight(text, "search")}</span>,
        ])}
      >
        <a class="button small" href={previewUrl(search)} target="_blank" rel="noopener">
          Open in Gmail
          <span class="visually-hidden"> the search of {subject}, in a new tab</span>
        </a>
      </CopyBlock>
      {entries.length > 1 && (
        <p class="quiet">
          The file splits this into {formatNumber(entries.length)} filters, because one would be too
          long for Gmail.
        </p>
      )}
    </div>
  );
}

/** The name of the field that has the focus. */
function useFocusedField(): string {
  const [field, setField] = useState("");
  useEffect(() => {
    const read = ({ target, type }: FocusEvent) => {
      const at = target instanceof Element ? target.closest<HTMLElement>("[data-name]") : null;
      setField(type === "focusin" && at ? (at.dataset.name ?? "") : "");
    };
    const ended = new AbortController();
    for (const type of ["focusin", "focusout"] as const)
      document.addEventListener(type, read, { signal: ended.signal });
    return () => ended.abort();
  }, []);
  return field;
}
