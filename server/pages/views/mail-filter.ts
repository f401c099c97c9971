import type { MailFilterResult } from "../../../schemas/index.ts";
import { ACTION_FIELDS, CONDITIONS } from "../../../src/mail-filter/fields.ts";
import { plural } from "../../../src/text.ts";
import { type Html, html } from "../html.ts";
import { copyBlock, copyButton } from "../parts.ts";
import type { View } from "../view.ts";
import { checkup } from "./checkup.ts";
import {
  findTried,
  listFilters,
  mailToTry,
  mailTrial,
  type Tried,
  type TriedMails,
  triedFold,
} from "./mail-trial/mail-trial.ts";

/** The fields that most filters have. The others come last in their group, folded away. */
const COMMON = ["from", "subject", "has_words", "label", "skip_inbox"];

const isRare = (field: string): boolean => !COMMON.includes(field);

const sortRareLast = (fields: readonly string[]): readonly string[] => [
  ...fields.filter((field) => !isRare(field)),
  ...fields.filter(isRare),
];

export const mailFilterView: View<MailFilterResult, TriedMails> = {
  product: "Gmail filters",
  action: "Make a filter",
  lead: "Choose which mail, and what should happen to it. Try the search in Gmail, then import the file.",

  form: {
    labels: {
      name: "Optional name",
      skip_inbox: "Archive (skip the inbox)",
      mark_read: "Mark as read",
      never_spam: "Never to Spam",
    },
    singulars: { has_words: "Word", does_not_have: "Excluded word" },
    hints: {
      filters: "Each filter needs at least one condition and one action.",
      name: "Tells filters apart. Gmail does not keep it.",
      from: "Address, @domain or name. Any one is enough.",
      to: "In To, Cc or Bcc. Any one is enough.",
      subject: "Words of the subject. Any one is enough.",
      has_words: "All must be there. Gmail’s operators work too.",
      does_not_have: "Any one of these keeps mail out.",
      label: "A slash nests labels.",
      forward_to: "Verify the address in Gmail first.",
      delete: "Moves the mail to the bin.",
      skip_inbox: "The mail waits under its label.",
      larger_than_mb: "1 MB is 1,048,576 bytes.",
      smaller_than_mb: "1 MB is 1,048,576 bytes.",
      importance: "Gmail’s yellow marker.",
      category: "The tab of the inbox.",
    },
    choices: {
      personal: "Primary",
      promo: "Promotions",
      notification: "Updates",
      group: "Forums",
    },
    placeholders: {
      name: "Newsletters",
      from: "news@shop.example or @shop.example",
      to: "me+shop@mail.example",
      subject: "your receipt",
      has_words: "unsubscribe",
      does_not_have: "refund",
      larger_than_mb: "5",
      smaller_than_mb: "20",
      label: "Money/Receipts",
      forward_to: "archive@mail.example",
    },
    rare: [...CONDITIONS, ...ACTION_FIELDS].filter(isRare),
    groups: [
      { title: "Conditions", fields: sortRareLast(CONDITIONS) },
      { title: "Actions", fields: sortRareLast(ACTION_FIELDS) },
    ],
  },

  reader: {
    label: "Open a mailFilters.xml",
    accept: ".xml,.json,text/xml,application/xml,application/json",
    unchanged: "Your filters are unchanged.",
    read: async (text, field) => (await import("./read-filters.ts")).readFilters(text, field),
  },

  trial: mailTrial,

  presets: [
    {
      title: "Newsletters",
      input: {
        filters: [
          {
            has_words: ["unsubscribe"],
            does_not_have: ["invoice", "receipt", "security alert"],
            label: "Newsletters",
            skip_inbox: true,
          },
        ],
      },
    },
    {
      title: "Receipts",
      input: {
        filters: [{ subject: ["receipt", "invoice", "your order"], label: "Money/Receipts" }],
      },
    },
    {
      title: "A project",
      input: {
        filters: [
          { from: ["@client.example"], subject: ["[website]"], label: "Project", star: true },
        ],
      },
    },
    {
      title: "Travel",
      input: {
        filters: [
          {
            from: ["@airline.example", "@rail.example"],
            has_words: ['itinerary OR "boarding pass" OR "booking confirmation"'],
            label: "Travel",
            star: true,
          },
        ],
      },
    },
  ],

  next(input) {
    const filter = listFilters(input).at(-1) ?? {};
    const has = (names: readonly string[]) => names.some((name) => Object.hasOwn(filter, name));
    if (!has(CONDITIONS)) return "Now choose which mail: a sender, a subject or some words.";
    return has(ACTION_FIELDS) ? undefined : "Now choose what should happen.";
  },

  effects: ({ filters }) =>
    filters.flatMap(({ name, entries }) =>
      entries
        .slice(0, 1)
        .flatMap(({ properties }) => [
          ...(properties.shouldTrash === "true" ? [`delete mail (${name})`] : []),
          ...(properties.forwardTo === undefined
            ? []
            : [`forward mail to ${properties.forwardTo} (${name})`]),
        ]),
    ),

  summary({ filters }, changes) {
    if (changes) return changes.summary;
    const entries = filters.flatMap((filter) => filter.entries).length;
    const written = entries > filters.length ? `, written as ${entries}` : "";
    return `${plural(filters.length, "filter")}${written}, ready to import.`;
  },

  body: (result, { fileHref, trial, input, extras }) => {
    const { file, filters, how_to_import } = result;
    const changes = extras?.changes?.(input);
    const steps = changes?.steps ?? how_to_import;
    const whole = (words: string, isButton = false) =>
      html`<a${isButton && html` class="button primary"`} href="${fileHref ?? "#file-details"}" download="${file.name}" data-file>${words}</a>`;
    const triedAt = findTried(trial, input);
    const card = (filter: Filter, index: number) => filterCard(filter, index, triedAt(index));
    return html`${ON_A_PHONE}
${changes ? changes.downloads(whole) : html`<p>${whole(`Download ${file.name}`, true)}</p>`}
${mailToTry}
${filters.length > AT_A_GLANCE && checkup(result, { triedAt, input, extras })}
${steps.length > 0 && importSteps(steps)}
${changes?.afterSteps}
${filters.slice(0, AT_A_GLANCE).map(card)}
${filters.length > AT_A_GLANCE && moreCards(filters, card)}
${fileText(file)}
`;
  },
};

/** Shown on phones: how to continue on a computer. */
const ON_A_PHONE = html`<div class="on-phone needs-script">
<p>Gmail imports filters on a computer only. Open this page there by its link:</p>
<p><button type="button" data-share="share">Share</button> ${copyButton("share", "the link to this input", "Copy link")}</p>
</div>`;

const AT_A_GLANCE = 3;

/** The page's script accepts up to a thousand filters. */
const MAX_CARDS = 20;

const moreCards = (
  filters: readonly Filter[],
  card: (filter: Filter, index: number) => Html,
): Html => html`<details id="more-filters">
<summary>${plural(filters.length - AT_A_GLANCE, "more filter")}</summary>
${filters.slice(AT_A_GLANCE, MAX_CARDS).map((filter, index) => card(filter, AT_A_GLANCE + index))}
${filters.length > MAX_CARDS && html`<p class="more-cards">The file also has ${plural(filters.length - MAX_CARDS, "filter")} that are not shown here.</p>`}
</details>
`;

const importSteps = (steps: readonly string[]): Html => html`<details id="import-steps" open>
<summary>Import it: ${plural(steps.length, "step")} in Gmail</summary>
<ol>
${steps.map((step) => html`<li>${step}</li>\n`)}</ol>
</details>
`;

type Filter = MailFilterResult["filters"][number];

/** A filter's explanation and its search, which the user can try in Gmail first. */
const filterCard = (
  { name, explanation, search, preview_url, entries }: Filter,
  index: number,
  tried: Tried | undefined,
): Html => html`<section class="card" aria-labelledby="filter-${index}">
<h3 id="filter-${index}"><bdi>${name}</bdi></h3>
<p dir="auto">${explanation}</p>
${triedFold(`tried-${index}`, tried)}
${copyBlock({
  id: `search-${index}`,
  label: "Search",
  of: name,
  text: search,
  action: openInGmail(preview_url, name),
})}
${entries.length > 1 && html`<p class="split">${splitNote(entries.length)}</p>`}
</section>
`;

const openInGmail = (href: string, name: string): Html =>
  html`<a class="button" href="${href}" target="_blank" rel="noopener">Open in Gmail<span class="visually-hidden"> the search of ${name}, in a new tab</span></a>`;

const splitNote = (entries: number): string =>
  `In the file these are ${entries} filters that together do the same: a single one would be too long for Gmail.`;

const fileText = ({ name, content }: MailFilterResult["file"]): Html | false =>
  content.length <= MAX_SHOWN_LENGTH &&
  html`<details id="file-details">
<summary>The file’s text</summary>
${copyBlock({ id: "file-text", label: name, text: content })}
</details>`;

/** A longer file is downloaded only: nobody reads it, and every keystroke would render it. */
const MAX_SHOWN_LENGTH = 100_000;
