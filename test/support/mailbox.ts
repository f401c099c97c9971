import type { FilterInput } from "../../schemas/mail-filter.ts";

/*
 * A mailbox of made-up mails, and what sixty filters do with each of them by the facts that the mail
 * was made of: nothing here reads the bytes again, or uses the library.
 */

/** The facts that a mail was made of. */
interface Facts {
  readonly sender: string;
  readonly subject: readonly string[];
  readonly body: readonly string[];
  readonly attachment: string | undefined;
  readonly list: string;
  /** Octets, with CRLF. */
  readonly bytes: number;
  readonly labels: readonly string[];
}

export interface MadeMail {
  /** With its `From ` line, and the blank line after it. */
  readonly text: string;
  readonly facts: Facts;
}

type Answer = "yes" | "no" | "unknown";

/** A filter, and its answer for a mail. */
export interface KnownFilter {
  readonly filter: FilterInput;
  readonly answer: (facts: Facts) => Answer;
}

/** Numbers from 0 up to 1 that are the same in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const SYLLABLES = ["ba", "ko", "mi", "tu", "re", "sa", "lo", "ni", "du", "fe"];

/** No two share their first four letters. */
const WORDS = SYLLABLES.flatMap((first) =>
  SYLLABLES.map((second) => `${first}${second}${first === second ? "x" : ""}`),
).map((start, index) => start + "aeiou"[index % 5] + "zq"[index % 2]);

const word = (index: number): string => WORDS[index % WORDS.length] ?? "";

const DOMAINS = Array.from({ length: 30 }, (_, index) => `${word(index * 7)}.example`);

/** The mails of a mailbox, of about 6 kB each; `attachmentBytes` for one in five of them. */
export function* madeMails(count: number, attachmentBytes = 20_000): Generator<MadeMail> {
  const next = random(42);
  const pick = (length: number) => Math.floor(next() * length);
  const blob = "QUJD".repeat(19);
  for (let index = 0; index < count; index += 1) {
    const host = DOMAINS[pick(DOMAINS.length)] ?? "";
    const domain = next() < 0.2 ? `mail.${host}` : host;
    const sender = `${word(pick(20))}@${domain}`;
    const subject = [
      word(pick(100)),
      word(pick(100)),
      ["invoice", "invoices", "news"][pick(12)] ?? "",
    ];
    const body = Array.from({ length: 60 + pick(200) }, () => word(pick(100)));
    const hasAttachment = next() < 0.2;
    const attachment = hasAttachment ? `${word(pick(100))}.${["pdf", "png"][pick(2)]}` : undefined;
    const list = next() < 0.1 ? `${word(pick(10))}.${host}` : "";
    const labels = ["Inbox", ...(next() < 0.05 ? ["Sent"] : [])];
    const kind = hasAttachment ? "mixed" : (["plain", "base64", "alternative"][pick(3)] ?? "");
    const eol = next() < 0.3 ? "\r\n" : "\n";
    const lines = [
      `Message-ID: <${index}@made.example>`,
      `X-Gmail-Labels: ${labels.join(",")}`,
      `From: ${next() < 0.3 ? "=?utf-8?Q?J=C3=B6rg?=" : "Someone"}${next() < 0.1 ? "\n " : " "}<${sender}>`,
      "To: me@own.example",
      `Subject: ${encoded(subject.filter(Boolean).join(" "), next() < 0.3)}`,
      `Date: ${new Date(1_600_000_000_000 + index * 60_000).toUTCString()}`,
      ...(list === "" ? [] : [`List-Id: Talk <${list}>`]),
      "MIME-Version: 1.0",
      ...content(kind, body, attachment, blob, Math.ceil(attachmentBytes / 76)),
    ].join("\n");
    const bytes = lines.replaceAll("\n", "\r\n").length + 2;
    const escaped = lines.replace(/^(>*From )/gm, ">$1").replaceAll("\n", eol);
    yield {
      text: `From ${index}@xxx Mon Jan 05 10:00:00 +0000 2026${eol}${escaped}${eol}${eol}`,
      facts: { sender, subject: subject.filter(Boolean), body, attachment, list, bytes, labels },
    };
  }
}

const encoded = (text: string, isEncoded: boolean): string =>
  isEncoded ? `=?utf-8?B?${btoa(text)}?=` : text;

function content(
  kind: string,
  body: readonly string[],
  attachment: string | undefined,
  blob: string,
  lines: number,
): readonly string[] {
  const wrapped = body
    .map((text, index) => (index % 12 === 11 ? `${text}\n` : `${text} `))
    .join("");
  const plain = ["Content-Type: text/plain; charset=utf-8", "", wrapped, "From here on nothing."];
  if (kind === "plain") return plain;
  if (kind === "base64") {
    const base64 = btoa(wrapped).replace(/.{76}/g, "$&\n");
    return [...plain.slice(0, 1), "Content-Transfer-Encoding: base64", "", base64];
  }
  if (kind === "alternative") {
    return [
      'Content-Type: multipart/alternative; boundary="a=b"',
      "",
      "--a=b",
      ...plain,
      "--a=b",
      "Content-Type: text/html; charset=utf-8",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      `<div class=3D"x">${wrapped.replaceAll("\n", "<br>=\n")}</div>`,
      "--a=b--",
    ];
  }
  return [
    "Content-Type: multipart/mixed;\n boundary=cut_here",
    "",
    "--cut_here",
    ...plain,
    "--cut_here",
    `Content-Type: application/octet-stream; name="${attachment}"`,
    `Content-Disposition: attachment;\n filename="${attachment}"`,
    "Content-Transfer-Encoding: base64",
    "",
    ...Array.from({ length: lines }, () => blob),
    "--cut_here--",
  ];
}

const is = (value: boolean): Answer => (value ? "yes" : "no");

const domainOf = ({ sender }: Facts): string => sender.slice(sender.indexOf("@") + 1);

/** True for words that a term without an operator finds. */
const isAnywhere = ({ subject, body, sender }: Facts, wanted: string): boolean =>
  [...subject, ...body, ...sender.split(/[@.]/)].includes(wanted);

/** The contents of a PDF are not read. */
const anywhere = (facts: Facts, wanted: string): Answer => {
  if (isAnywhere(facts, wanted)) return "yes";
  const { attachment = "", list } = facts;
  const isNamed = [...attachment.split("."), ...list.split(".")].includes(wanted);
  return isNamed || attachment.endsWith(".pdf") ? "unknown" : "no";
};

const not = (answer: Answer): Answer => (answer === "unknown" ? answer : is(answer === "no"));

const both = (one: Answer, other: Answer): Answer => {
  if (one === "no" || other === "no") return "no";
  return one === "unknown" || other === "unknown" ? "unknown" : "yes";
};

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Sixty filters of all kinds. */
export const KNOWN_FILTERS: readonly KnownFilter[] = [
  ...numbers(20).map((index) => {
    const domain = DOMAINS[index] ?? "";
    return {
      filter: { from: [`@${domain}`], label: `From ${index}` },
      answer: (facts: Facts) => is(`.${domainOf(facts)}`.endsWith(`.${domain}`)),
    };
  }),
  ...numbers(10).map((index) => {
    const addresses = [0, 1].map((other) => `${word(index)}@${DOMAINS[index + other]}`);
    return {
      filter: { from: addresses, star: true },
      answer: ({ sender }: Facts) => is(addresses.includes(sender)),
    };
  }),
  ...numbers(9).map((index) => {
    const phrase = [word(index), word(index + 1)];
    return {
      filter: { subject: [phrase.join(" ")], mark_read: true },
      answer: ({ subject }: Facts) => is(subject[0] === phrase[0] && subject[1] === phrase[1]),
    };
  }),
  {
    filter: { subject: ["invoice"], label: "Bills" },
    answer: ({ subject }) => {
      if (subject.includes("invoice")) return "yes";
      return subject.includes("invoices") ? "unknown" : "no";
    },
  },
  ...numbers(6).map((index) => ({
    filter: { has_words: [word(index * 3)], skip_inbox: true },
    answer: (facts: Facts) => anywhere(facts, word(index * 3)),
  })),
  ...numbers(4).map((index) => ({
    filter: {
      from: [`@${DOMAINS[index]}`],
      does_not_have: [word(index * 5)],
      ...(index === 0 ? { delete: true } : { skip_inbox: true }),
    },
    answer: (facts: Facts) =>
      both(
        is(`.${domainOf(facts)}`.endsWith(`.${DOMAINS[index]}`)),
        not(anywhere(facts, word(index * 5))),
      ),
  })),
  {
    filter: { has_attachment: true, label: "Files" },
    answer: ({ attachment }) => is(attachment !== undefined),
  },
  {
    filter: { has_words: ["filename:pdf"], label: "Papers" },
    answer: ({ attachment = "" }) => is(attachment.endsWith(".pdf")),
  },
  ...[0.005, 0.01, 0.02].map((size) => {
    const bound = Math.round(size * 1_048_576);
    return {
      filter: { larger_than_mb: size, label: "Large" },
      answer: ({ bytes }: Facts): Answer =>
        Math.abs(bytes - bound) <= bound * 0.03 ? "unknown" : is(bytes > bound),
    };
  }),
  ...numbers(5).map((index) => {
    const list = `${word(index)}.${DOMAINS[index]}`;
    return {
      filter: { has_words: [`list:${list}`], label: "Lists" },
      answer: (facts: Facts) => is(facts.list === list),
    };
  }),
];
