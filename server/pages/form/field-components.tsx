/** @jsxImportSource preact */
import { Component, type ComponentChildren, type ComponentProps } from "preact";
import { joinPath } from "../../../src/issues.ts";
import { capitalise, Icon, SEVERITY_ICONS } from "../components.tsx";
import type { FieldMessage } from "./form-state.ts";
import {
  asText,
  type Fields,
  type FormField,
  type FormValue,
  listRows,
  readTokens,
  type Tokens,
} from "./form-values.ts";

/** A field or a group of fields, with the messages of the form. */
export interface FieldState {
  readonly name: string;
  readonly value: FormValue | undefined;
  readonly messages: readonly FieldMessage[];
}

interface FieldProps extends FieldState {
  readonly field: FormField;
}

interface FieldWithTokens extends FieldProps {
  readonly tokens: Tokens;
}

function Field({ isRare, ...props }: FieldWithTokens & { readonly isRare: boolean }) {
  const { name, field, value, messages } = props;
  const places = field.kind === "tokens" ? messages.map((message) => message.name) : [];
  const ofTokens = places.filter((place) => place.startsWith(`${name}[`));
  const below = (
    <div class="slot">
      {field.hint && (
        <p class="hint" id={`${name}:hint`}>
          {field.hint}
        </p>
      )}
      {[...new Set([name, ...ofTokens])].map((place) => (
        <FieldMessages key={place} messages={messages} name={place} />
      ))}
    </div>
  );
  if (field.kind === "map")
    return (
      <fieldset class="field" id={name}>
        <legend>{field.label}</legend>
        <PairRows {...props} />
        <AddButton name={name} label={`Add to ${field.label}`} />
        {below}
      </fieldset>
    );
  // A rare field is folded away while it is blank.
  const isFolded = isRare && areFieldsBlank(value);
  const classes = `field${field.kind === "switch" ? " boolean" : ""}${isFolded ? " rare" : ""}`;
  return (
    <div class={classes} data-name={name}>
      {field.kind !== "switch" && <label for={name}>{field.label}</label>}
      <Control {...props} />
      {below}
    </div>
  );
}

function Control(props: FieldWithTokens) {
  const { field, value } = props;
  const attributes = controlAttributes(props);
  switch (field.kind) {
    case "tokens":
      return <TokenField {...props} />;
    case "switch":
      return (
        <label class="toggle">
          <input {...attributes} type="checkbox" value="true" checked={Boolean(value)} />{" "}
          {field.label}
        </label>
      );
    case "choice":
      return (
        <select {...attributes} value={asText(value)}>
          <option value="">{field.placeholder}</option>
          {Object.entries(field.choices).map(([choice, words]) => (
            <option value={choice}>{words}</option>
          ))}
        </select>
      );
    default:
      return <TextInput {...props} />;
  }
}

/** The attributes of a control. Its message is beside it, or beside its row. */
const controlAttributes = (
  { name, field, messages }: Pick<FieldProps, "name" | "field" | "messages">,
  row = name,
  hint = field.hint && row.replace(/\[\d+\]$/, ""),
) => ({
  id: name,
  name,
  "aria-describedby":
    [hint && `${hint}:hint`, messages.some((message) => message.name === row) && `${row}:notes`]
      .filter(Boolean)
      .join(" ") || undefined,
  "aria-invalid": messages.some(
    ({ severity, name: place }) => severity === "error" && place === row,
  ),
});

interface TextInputProps extends FieldProps {
  readonly label?: string;
  /** The row that has its messages. */
  readonly row?: string;
  /** The name that has its hint. */
  readonly hint?: string;
  readonly placeholder?: string | undefined;
  /** Masked by the style alone: browsers offer to store a password. */
  readonly isMasked?: boolean;
}

/** HTML drops a line break at the beginning of a `textarea`; Preact in a browser sets the value itself. */
const inMarkup = (value: string): string =>
  typeof document === "undefined" && value.startsWith("\n") ? `\n${value}` : value;

/** A text control. An `input` would lose line breaks, so text that has them gets a `textarea`. */
export function TextInput({
  field,
  label,
  row,
  hint,
  placeholder = field.placeholder,
  isMasked = false,
  ...control
}: TextInputProps) {
  const value = asText(control.value);
  const attributes = {
    ...controlAttributes({ ...control, field }, row, hint),
    ...(label === undefined ? {} : { "aria-label": label }),
    dir: "auto" as const,
    value,
    placeholder,
    class: isMasked ? "masked" : undefined,
    autocapitalize: "off" as const,
    spellcheck: false,
  };
  return /[\r\n]/.test(value) ? (
    <textarea {...attributes} value={inMarkup(value)} rows={value.split("\n").length} />
  ) : (
    <input
      {...attributes}
      type="text"
      inputmode={keyboardOf(field)}
      list={field.hasSuggestions ? `${control.name}:list` : undefined}
    />
  );
}

/** The keyboard that a phone shows, chosen by the example in the placeholder. */
function keyboardOf({ kind, placeholder = "" }: FormField) {
  if (kind === "number") return "decimal";
  if (placeholder.includes("@")) return "email";
  return placeholder.startsWith("https:") ? "url" : "text";
}

/** Without scripts, Tab stops at each button; with them, arrow keys move between the buttons. */
const tabindex = typeof document === "undefined" ? undefined : -1;

/**
 * A box with a chip for each string, and a text control for the next one. Each chip has a hidden control
 * with the list's name.
 */
function TokenField({ name, field, tokens, messages }: FieldWithTokens) {
  const { texts, typedIndex } = tokens;
  const places = messages.map((message) => message.name);
  const wrong = messages.flatMap((message) => (message.severity === "error" ? message.name : []));
  const textControl = (text: string) => (
    <li key="text" class="text">
      <textarea
        {...controlAttributes({ name, field, messages })}
        aria-invalid={wrong.some((place) => place.replace(/\[\d+\]$/, "") === name)}
        class="token-text"
        value={inMarkup(text)}
        rows={1}
        dir="auto"
        placeholder={texts.length > 1 ? "" : field.placeholder}
        inputmode={keyboardOf(field)}
        autocapitalize="off"
        spellcheck={false}
      />
    </li>
  );
  const chip = (text: string, token: string) => (
    <li key={token} class={wrong.includes(token) ? "chip wrong" : "chip"}>
      <input type="hidden" name={name} value={text} />
      <IntentButton
        intent={`edit ${token}`}
        label={`Edit ${text}`}
        id={token}
        tabIndex={tabindex}
        aria-describedby={places.includes(token) ? `${token}:notes` : undefined}
      >
        <bdi>{text}</bdi>
      </IntentButton>
      <RemoveButton name={token} label={text} tabIndex={tabindex} />
    </li>
  );
  return (
    <>
      <ul class="tokens line" aria-label={field.label}>
        {texts.map((text, index) =>
          index === typedIndex ? textControl(text) : text !== "" && chip(text, `${name}[${index}]`),
        )}
      </ul>
      {typedIndex < texts.length - 1 && (
        <input type="hidden" name={`${name}_at`} value={typedIndex} />
      )}
    </>
  );
}

/** The rows of a map, each with a key and a value. */
function PairRows({ name, field, value, messages }: FieldProps) {
  const rows = listRows(value);
  return (
    <ul class="rows stack">
      {rows.map(([row, item], index) => {
        const rowName = `${name}[${row}]`;
        const label = `${field.label} ${index + 1}`;
        const pair = item instanceof Map ? item : undefined;
        const key = asText(pair?.get("key"));
        const isMasked = field.isSecret?.(key, asText(pair?.get("value"))) === true;
        const part = (key: "key" | "value", words: string, placeholder = words) => (
          <TextInput
            {...{ field, messages, placeholder }}
            isMasked={isMasked && key === "value"}
            name={`${rowName}.${key}`}
            row={rowName}
            value={pair?.get(key)}
            label={`${label}, ${words.toLowerCase()}`}
          />
        );
        return (
          <li key={row} id={rowName}>
            <div class="row line">
              {part("key", "Name")}
              {part("value", "Value", key === "" ? "Value" : `Value of ${key}`)}
              {isMasked && (
                <label class="toggle">
                  <input type="checkbox" /> Show<span class="visually-hidden"> {label}, value</span>
                </label>
              )}
              {(rows.length > 1 || !areFieldsBlank(item)) && (
                <RemoveButton name={rowName} label={label} />
              )}
            </div>
            <FieldMessages messages={messages} name={rowName} />
          </li>
        );
      })}
    </ul>
  );
}

interface FieldsProps extends FieldState {
  readonly fields: Fields;
  readonly show: readonly string[];
  /** Rarely used fields, keyed by the label of the button that reveals them. Hidden while blank. */
  readonly folds?: Readonly<Record<string, readonly string[]>>;
  readonly class?: string;
}

/** Some of the fields of a form or of an item. */
export function FieldList({
  fields,
  show,
  folds = {},
  class: className = "",
  ...group
}: FieldsProps) {
  const draw = (isRare: boolean) => (key: string) => {
    const name = joinPath(group.name, key);
    const values = group.value instanceof Map ? group.value : new Map();
    const { messages } = group;
    const field = fields[key];
    const value = values.get(key);
    const tokens = readTokens(values, key);
    return field && <Field key={key} {...{ name, field, value, tokens, messages, isRare }} />;
  };
  return (
    <div class={`fields stack ${className}`}>
      {show.map(draw(false))}
      {Object.entries(folds).map(([words, keys]) => (
        <div key={words} class="group">
          <details class="more">
            {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a control */}
            <summary onClick={({ currentTarget }) => focusUnfolded(currentTarget)}>
              <Icon name="plus" />
              {words}
            </summary>
          </details>
          {keys.map(draw(true))}
        </div>
      ))}
    </div>
  );
}

/** Focuses the first field that a fold reveals. The fold itself disappears. */
function focusUnfolded(summary: HTMLElement): void {
  const field = summary.closest(".group")?.querySelector(".rare");
  setTimeout(() => field?.querySelector<HTMLElement>("textarea, select, input")?.focus());
}

interface MemoProps {
  /** The values that the children render. */
  readonly values: readonly unknown[];
  readonly children: () => ComponentChildren;
}

/** Skips unchanged rows: in a long list, a keystroke changes few. */
export class MemoByValues extends Component<MemoProps> {
  override shouldComponentUpdate({ values }: MemoProps) {
    return values.some((value, index) => value !== this.props.values[index]);
  }

  render({ children }: MemoProps) {
    return children();
  }
}

interface RowButtonProps extends Pick<IntentButtonProps, "label" | "tabIndex"> {
  readonly name: string;
  readonly children?: ComponentChildren;
}

export const AddButton = ({ name, children, ...rest }: RowButtonProps) => (
  <IntentButton intent={`add ${name}`} class="add" {...rest}>
    <Icon name="plus" />
    {children}
  </IntentButton>
);

export const RemoveButton = ({ name, label, ...rest }: RowButtonProps) => (
  <IntentButton intent={`remove ${name}`} label={`Remove ${label}`} class="remove" {...rest}>
    ×
  </IntentButton>
);

interface RadioGroupProps {
  readonly label: string;
  readonly name: string;
  readonly value: string | undefined;
  /** Content beside each value's button. */
  readonly choices: Readonly<Record<string, string>>;
  readonly class: string;
  /** The form, if the choice is outside of it. */
  readonly form?: string;
  readonly onChoose?: (value: string) => void;
  /** A control for more values. */
  readonly children?: ComponentChildren;
}

/** A choice with all values visible. */
export const RadioGroup = ({
  label,
  choices,
  class: className,
  onChoose,
  children,
  ...props
}: RadioGroupProps) => (
  <div class={className} role="radiogroup" aria-label={label}>
    {Object.entries(choices).map(([value, words]) => (
      <label key={value}>
        <input
          {...props}
          type="radio"
          value={value}
          checked={value === props.value}
          onChange={() => onChoose?.(value)}
        />{" "}
        <bdi>{words}</bdi>
      </label>
    ))}
    {children}
  </div>
);

interface IntentButtonProps extends ComponentProps<"button"> {
  readonly intent: string;
  /** What it does, for a screen reader. */
  readonly label?: string;
}

/** A button of the form. Without scripts it sends the form. */
export const IntentButton = ({ intent, label, children, ...rest }: IntentButtonProps) => (
  <button
    type="submit"
    name="do"
    value={intent}
    {...(label !== undefined && { "aria-label": label, title: label })}
    {...rest}
  >
    {children}
  </button>
);

export const FieldMessages = ({ messages, name }: Pick<FieldState, "messages" | "name">) => (
  <div class="notes stack" id={`${name}:notes`}>
    {messages.map(
      ({ severity, message, ...at }) =>
        at.name === name && (
          <p class={severity}>
            <Icon name={SEVERITY_ICONS[severity]} />
            {capitalise(message)}
          </p>
        ),
    )}
  </div>
);

const areFieldsBlank = (value: FormValue | undefined): boolean =>
  value instanceof Map
    ? [...value.values()].every(areFieldsBlank)
    : [value ?? ""].flat().every((text) => text === "");
