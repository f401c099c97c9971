/*
 * Random exports in Gmail's own style. The shapes are those of exports that people have published,
 * about as often as there; the people, companies and words are made up.
 */

type Properties = Readonly<Record<string, string>>;

/** The form of 2009, and the one since 2019 with other ids and with sizes that mean nothing. */
type Form = 2009 | 2026;

/** A file with random filters, and their properties. */
export function randomExport(form: Form, count: number, seed: number) {
  const random = generator(seed);
  // An account does the same few things again and again.
  const habits = Array.from({ length: Math.ceil(count / 4) }, () => actions(random, form));
  const entries = Array.from({ length: count }, () => entryOf(random, pick(random, habits)));
  return { entries, xml: writeExport(form, entries) };
}

/** True for a filter with a condition and an action. */
export const doesSomething = (entry: Properties): boolean =>
  Object.keys(entry).some((name) => CONDITION.test(name)) &&
  Object.keys(entry).some((name) => ACTION.test(name));

const CONDITION = /^(?:from|to|subject|hasTheWord|doesNotHaveTheWord|hasAttachment|size)$/;
const ACTION = /^(?:label|should|forwardTo|smartLabel|cannedResponse)/;

type Random = () => number;

/** Mulberry32: numbers from 0 to 1. */
function generator(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("There is nothing to pick from");
  return item;
}

type Choice = readonly [weight: number, make: (random: Random) => string];

/** One of several, by their weights. */
function weighted(random: Random, choices: readonly Choice[]): string {
  let at = random() * choices.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, make] of choices) {
    at -= weight;
    if (at < 0) return make(random);
  }
  return "";
}

const several = (random: Random, most: number, make: (random: Random) => string): string[] =>
  Array.from({ length: 2 + Math.floor(random() ** 2 * (most - 1)) }, () => make(random));

const WORDS = [
  ...["invoice", "Receipt", "weekly", "report", "order", "Build", "failed", "digest", "newsletter"],
  ...[
    "Reminder",
    "Your",
    "statement",
    "shipped",
    "Update",
    "alert",
    "meeting",
    "rechnung",
    "領収書",
  ],
];
const NAMES = ["Ann", "Lee", "Google", "Voice", "Shop", "Team", "Jörg", "Bank", "Daily"];
const word = (random: Random) => pick(random, WORDS);
const domain = (random: Random) =>
  `${pick(random, ["", "", "", "mail.", "e."])}${pick(random, ["shop", "bank", "air-line", "news", "forge", "uni"])}${Math.floor(random() * 9_999)}.${pick(random, ["example", "example.com", "co.example"])}`;
const address = (random: Random) =>
  `${pick(random, ["news", "no-reply", "info", "ann.lee", "jo_b", "team+list", "alerts"])}@${domain(random)}`;
const phrase = (random: Random) => `"${word(random)} ${word(random)}"`;

const SENDERS: readonly Choice[] = [
  [50, address],
  [14, (random) => `@${domain(random)}`],
  [5, domain],
  [12, (random) => several(random, 12, address).join(" OR ")],
  [4, (random) => several(random, 6, (own) => `*@${domain(own)}`).join(" OR ")],
  [3, (random) => `{${several(random, 6, address).join(" ")}}`],
  [3, (random) => `(${several(random, 5, address).join(") OR (")})`],
  [1, (random) => several(random, 4, address).join("| ")],
  [3, (random) => `${pick(random, NAMES)} ${pick(random, NAMES)}`],
  [2, (random) => `"${pick(random, NAMES)} ${pick(random, NAMES)}"`],
  [1, (random) => `{${address(random)} "${pick(random, NAMES)} ${pick(random, NAMES)}"}`],
  [1, (random) => `${several(random, 3, address).join(", ")}`],
  [0.3, (random) => Array.from({ length: 90 }, () => address(random)).join(" OR ")],
];

const RECIPIENTS: readonly Choice[] = [
  [8, (random) => address(random)],
  [3, () => "me"],
  [3, (random) => `me+${word(random).toLowerCase()}@mail.example`],
  [2, (random) => several(random, 4, address).join(" OR ")],
];

const SUBJECTS: readonly Choice[] = [
  [55, (random) => `${word(random)} ${word(random)}`],
  [20, word],
  [12, phrase],
  [6, (random) => `[${word(random)}]`],
  [5, (random) => `${word(random)} OR ${word(random)}`],
  [4, (random) => several(random, 4, phrase).join(" OR ")],
  [2, (random) => `${word(random)}:`],
  [2, (random) => `${word(random)} and ${word(random)}`],
  [2, (random) => `See You, ${word(random)}!`],
  [1, (random) => `${word(random)} & ${word(random)}`],
  [1, (random) => `added to “${word(random)}” calendar.`],
  [1, (random) => `([${word(random)}] -"${word(random)}")`],
];

const SEARCHES: readonly Choice[] = [
  [20, word],
  [20, (random) => `list:(<${word(random).toLowerCase()}.lists.example>)`],
  [12, phrase],
  [10, (random) => several(random, 5, phrase).join(" OR ")],
  [3, (random) => `${word(random)} ${word(random)}`],
  [3, (random) => `${word(random)} +${word(random)}`],
  [6, (random) => `to:(${address(random)}) OR cc:(${address(random)})`],
  [5, (random) => `subject:${word(random)} -{${word(random)} ${word(random)}}`],
  [4, (random) => `(${word(random)}|${word(random)}) -${word(random)}`],
  [3, (random) => `deliveredto:${address(random)}`],
  [3, (random) => `replyto:${address(random)}`],
  [3, (random) => `"${word(random)} UP", ${word(random)}, "b c" , bar`],
  [2, (random) => `filename:${pick(random, ["ics", "pdf"])}`],
  [2, () => "label:inbox is:unread"],
  [1, (random) => `${word(random)} AND NOT ${word(random)}`],
];

const EXCLUSIONS: readonly Choice[] = [
  [5, word],
  [4, (random) => `${word(random)} OR ${word(random)}`],
  [3, (random) => `${phrase(random)} ${phrase(random)}`],
  [2, (random) => `{ ${word(random)} subject:${word(random)} }`],
];

/** Properties of filters that no input can express, or that do nothing; in thousandths. */
const ODDITIES: readonly (readonly [
  perMille: number,
  change: (entry: Properties) => Properties,
])[] = [
  [9, (entry) => only(entry, CONDITION)],
  [1, (entry) => only(entry, ACTION)],
  [4, (entry) => ({ ...entry, from: "(a@shop.example OR b@shop.example}" })],
  [2, (entry) => ({ ...entry, cannedResponse: "1" })],
  [1, (entry) => ({ ...entry, excludeChats: "true" })],
  [2, (entry) => ({ ...entry, from: "*" })],
];

const only = (entry: Properties, names: RegExp): Properties =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => names.test(name)));

function entryOf(random: Random, habit: Properties): Properties {
  const entry = { ...conditions(random), ...habit };
  let at = random() * 1000;
  for (const [perMille, change] of ODDITIES) {
    at -= perMille;
    if (at < 0) return change(entry);
  }
  return entry;
}

function conditions(random: Random): Properties {
  const kind = random();
  const more = random();
  return {
    ...(kind < 0.62 && { from: weighted(random, SENDERS) }),
    ...(kind >= 0.62 && kind < 0.72 && { to: weighted(random, RECIPIENTS) }),
    ...((kind >= 0.72 && kind < 0.85) || (kind < 0.62 && more < 0.06)
      ? { subject: weighted(random, SUBJECTS) }
      : {}),
    ...(kind >= 0.85 && { hasTheWord: weighted(random, SEARCHES) }),
    ...(more > 0.95 && { doesNotHaveTheWord: weighted(random, EXCLUSIONS) }),
    ...(more > 0.9 && more < 0.91 && { hasAttachment: "true" }),
    ...(more > 0.91 && more < 0.915 && { size: "10" }),
  };
}

function actions(random: Random, form: Form): Properties {
  const has = (share: number) => random() < share;
  const label = has(0.001)
    ? `${form === 2009 ? "INBOX" : "[Gmail]"}/Old`
    : `${pick(random, ["Money", "Lists", "Pay / EMI", "Work/Build", "me@mail", "Trips"])}${pick(random, ["", "", "/A", "/B", " c", "/2024", "/D"])}`;
  const chosen = {
    ...(has(0.75) && { label }),
    ...(has(0.1) && { shouldMarkAsRead: "true" }),
    ...(has(0.45) && { shouldArchive: "true" }),
    ...(has(0.01) && { forwardTo: "incoming+a/b@git.example" }),
    ...(has(0.04) && { shouldStar: "true" }),
    ...(has(0.04) && { shouldNeverSpam: "true" }),
    ...(form === 2026 && has(0.04) && { shouldAlwaysMarkAsImportant: "true" }),
    ...(form === 2026 && has(0.06) && { smartLabelToApply: "^smartlabel_promo" }),
  };
  return Object.keys(chosen).length > 0 ? chosen : { shouldTrash: "true" };
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&apos;", '"': "&quot;" },
};

const property = ([name, value]: readonly [string, string]): string =>
  `\t\t<apps:property name='${name}' value='${value.replace(/[&<>'"]/g, (sign) => ENTITIES[sign] ?? sign)}'/>\n`;

function writeExport(form: Form, entries: readonly Properties[]): string {
  const id = (index: number) =>
    form === 2009
      ? `${1_206_327_421_108 + index}`
      : `z00000017${72_000_000_000 + index}*${10 ** 15}`;
  const time = form === 2009 ? "2009-12-09T20:44:01Z" : "2026-02-03T24:58:30Z";
  const sizes = form === 2009 ? {} : { sizeOperator: "s_sl", sizeUnit: "s_smb" };
  return [
    `<?xml version='1.0' encoding='UTF-8'?>${form === 2009 ? "" : "\n"}<feed xmlns='http://www.w3.org/2005/Atom' xmlns:apps='http://schemas.google.com/apps/2006'>\n`,
    `\t<title>Mail Filters</title>\n\t<id>tag:mail.google.com,2008:filters:${entries.map((_, index) => id(index)).join(",")}</id>\n`,
    `\t<updated>${time}</updated>\n\t<author>\n\t\t<name>Ann Example</name>\n\t\t<email>ann@mail.example</email>\n\t</author>\n`,
    ...entries.flatMap((entry, index) => [
      "\t<entry>\n\t\t<category term='filter'></category>\n\t\t<title>Mail Filter</title>\n",
      `\t\t<id>tag:mail.google.com,2008:filter:${id(index)}</id>\n`,
      `\t\t<updated>${time}</updated>\n\t\t<content></content>\n`,
      ...Object.entries({ ...entry, ...sizes }).map(property),
      "\t</entry>\n",
    ]),
    "</feed>",
  ].join("");
}
