import * as v from "valibot";

/** A string. JSON Schema counts code points too. */
export const text = (min: number, max: number) =>
  v.pipe(v.string(), v.minCodePoints(min), v.maxCodePoints(max));

export const textUpTo = (max: number) => v.pipe(v.string(), v.maxCodePoints(max));

export const described = <const Schema extends v.GenericSchema>(
  schema: Schema,
  description: string,
): v.GenericSchema<v.InferInput<Schema>, v.InferOutput<Schema>> =>
  v.pipe(schema, v.description<v.InferOutput<Schema>, string>(description));

export const integer = (min: number, max: number, description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max), v.description(description));

export const calendarDay = v.check<string, string>(isCalendarDay, "must be a real calendar date");

/** JavaScript engines disagree on 2026-02-30: some reject it, some read it as 2 March. */
function isCalendarDay(text: string): boolean {
  const day = text.slice(0, "2026-02-30".length);
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
}

/** Makes all arrays readonly, so that callers can use `as const`. */
export type ReadonlyLists<Value> = Value extends readonly (infer Item)[]
  ? readonly ReadonlyLists<Item>[]
  : Value extends object
    ? { [Key in keyof Value]: ReadonlyLists<Value[Key]> }
    : Value;

/** Makes all arrays mutable, as in an input that was read from a file. */
export type Editable<Value> = Value extends readonly (infer Item)[]
  ? Editable<Item>[]
  : Value extends object
    ? { [Key in keyof Value]: Editable<Value[Key]> }
    : Value;

/**
 * An object with exactly these keys. Unlike `v.strictObject`, it rejects arrays and names every
 * unknown key.
 */
export function closedObject<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.GenericSchema<InputOf<Entries>, OutputOf<Entries>> {
  const schema = v.strictObject(entries, "is required");
  type Input = InputOf<Entries>;
  const anything = v.custom<Input>(() => true);
  return v.pipe(
    v.custom<Input>(isJsonObject, "must be an object"),
    v.lazy<v.GenericSchema<Input>>((value) => {
      const unknown = Object.keys(Object(value)).filter((key) => !Object.hasOwn(entries, key));
      return unknown.length === 0
        ? anything
        : v.strictObject(
            { ...entries, ...rejectAll(unknown, Object.keys(entries)) },
            "is required",
          );
    }),
    schema,
  );
}

type InputOf<Entries extends v.ObjectEntries> = v.InferInput<v.StrictObjectSchema<Entries, string>>;
type OutputOf<Entries extends v.ObjectEntries> = v.InferOutput<
  v.StrictObjectSchema<Entries, string>
>;

function rejectAll(unknown: readonly string[], known: readonly string[]): v.ObjectEntries {
  let list = `; known are ${known.join(", ")}`;
  const rejections = unknown.map((key) => {
    const near = closestName(key, known);
    const advice = near === undefined ? list : `; did you mean ${near}?`;
    // List all fields only once, at the first key that resembles none.
    if (near === undefined) list = "";
    return [key, v.never(`is not a known field${advice}`)] as const;
  });
  return Object.fromEntries(rejections);
}

/** Rejects maps, dates and arrays, whose contents would be lost. */
export function isJsonObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // `Object.prototype`, even of another realm, has no prototype itself.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Checks the length before the items, so that a list that is far too long gets one message. */
export function list<const Item extends v.GenericSchema>(
  item: Item,
  {
    min = 0,
    max,
    advice,
  }: {
    readonly min?: number;
    readonly max: number;
    /** Continues the message about too many items: "; one item …". */
    readonly advice?: string | undefined;
  },
): v.GenericSchema<v.InferInput<Item>[], v.InferOutput<Item>[]> {
  return v.pipe(
    v.custom<v.InferInput<Item>[]>(Array.isArray, "must be an array"),
    v.minLength(min),
    v.maxLength(max, advice),
    v.array(item),
    v.metadata({ ...(min > 0 && { minItems: min }), maxItems: max }),
  );
}

/** Keeps all keys. `v.record` silently drops `constructor`, `prototype` and `__proto__`. */
export function recordOf<const Value extends v.GenericSchema>(value: Value) {
  type Input = Record<string, v.InferInput<Value>>;
  type Output = Record<string, v.InferOutput<Value>>;
  return v.pipe(
    v.custom<Input>(isJsonObject, "must be an object"),
    v.lazy<v.GenericSchema<Input, Output>>((input) => {
      const given = Object.entries<unknown>(Object(input));
      return v.pipe(
        v.object(Object.fromEntries(given.map(([key]) => [key, value]))),
        // `v.object` loses `__proto__`.
        v.transform((output): Output => {
          const read = new Map(Object.entries<v.InferOutput<Value>>(output));
          return Object.fromEntries(
            given.map(([key, one]) => [key, read.has(key) ? read.get(key) : v.parse(value, one)]),
          );
        }),
      );
    }),
  );
}

/** Finds the known name that is closest to a misspelt one. */
export const closestName = (name: string, known: readonly string[]): string | undefined =>
  [1, 2]
    .filter((slips) => 2 * slips <= name.length)
    .flatMap((slips) => known.filter((candidate) => isWithin(slips, name, candidate)))
    .at(0);

/** Whether two strings differ by at most `slips` added, removed, changed or swapped letters. */
export function isWithin(slips: number, one: string, other: string): boolean {
  if (one === other) return true;
  if (slips === 0 || Math.abs(one.length - other.length) > slips) return false;
  // The strings differ, so this loop ends.
  let same = 0;
  while (one[same] === other[same]) same++;
  const [a, b] = [one.slice(same), other.slice(same)];
  return (
    isWithin(slips - 1, a.slice(1), b) ||
    isWithin(slips - 1, a, b.slice(1)) ||
    isWithin(slips - 1, a.slice(1), b.slice(1)) ||
    (a[0] === b[1] && a[1] === b[0] && isWithin(slips - 1, a.slice(2), b.slice(2)))
  );
}

/*
 * The JSON Schema formats `email` and `uri`, checked by the rules of the RFCs. Valibot's own checks
 * differ: `v.url` accepts "javascript:alert(1)" and raw spaces, `v.email` rejects "o'x@b.co".
 */

export const email = () => ({ ...v.rfcEmail<string>(), requirement: new RegExp(EMAIL_PATTERN) });

export const uri = () => ({
  ...v.url<string>(),
  requirement: (value: string) =>
    URI_PATTERN.test(value) && URL.canParse(`http://${/\[.*\]/.exec(value)?.[0] ?? "host"}`),
});

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const HOST_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";

/** RFC 5321 addresses with a dot-atom local part and a domain of two labels or more. */
const EMAIL_PATTERN = `^${ATOM}(?:\\.${ATOM})*@(?:${HOST_LABEL}\\.)+${HOST_LABEL}$`;

/** RFC 3986 section 2: unreserved, sub-delims, percent-encoded. */
const URI_CHARACTER = "[A-Za-z0-9\\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2}";
/** The digits of an IPv6 address are left to the parser of `URL`. */
const HOST = `(?:\\[[0-9A-Fa-f:.]+\\]|(?:${URI_CHARACTER})*)`;
const AUTHORITY = `//(?:(?:${URI_CHARACTER}|:)*@)?${HOST}(?::\\d*)?(?=[/?#]|$)`;
const PATH_CHARACTERS = `(?:${URI_CHARACTER}|[:@/?])*`;

/** RFC 3986, appendix A: an absolute URI with an optional fragment. */
const URI_PATTERN = new RegExp(
  `^[A-Za-z][A-Za-z0-9+.-]*:(?:${AUTHORITY}|(?!//))${PATH_CHARACTERS}(?:#${PATH_CHARACTERS})?$`,
);

/** The longest server name that every MCP client accepts. */
export const MAX_SERVER_NAME_LENGTH = 64;

/** Changes a name as little as possible so that every MCP client accepts it. */
export function toServerName(name: string): string | undefined {
  const usable = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, MAX_SERVER_NAME_LENGTH);
  return usable === "" ? undefined : usable;
}
