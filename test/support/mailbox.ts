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

/**
 * The mails of a mailbox, of about 12 kB each: long headers, most of them with HTML beside the text.
 *
 * @param attachmentBytes for the one in ten that has an attachment.
 */
export function* madeMails(count: number, attachmentBytes = 20_000): Generator<MadeMail> {
  const next = random(42);
  const pick = (length: number) => Math.floor(next() * length);
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
    const hasAttachment = next() < 0.1;
    const attachment = hasAttachment ? `${word(pick(100))}.${["pdf", "png"][pick(2)]}` : undefined;
    const list = next() < 0.1 ? `${word(pick(10))}.${host}` : "";
    const labels = ["Inbox", ...(next() < 0.05 ? ["Sent"] : [])];
    const eol = next() < 0.3 ? "\r\n" : "\n";
    const lines = [
      `X-GM-THRID: ${1_600_000_000_000 + index}`,
      `X-Gmail-Labels: ${labels.join(",")}`,
      ...transport(domain, pick),
      `From: ${next() < 0.3 ? "=?utf-8?Q?J=C3=B6rg?=" : "Someone"}${next() < 0.1 ? "\n " : " "}<${sender}>`,
      "To: me@own.example",
      `Subject: ${encoded(subject.filter(Boolean).join(" "), next() < 0.3)}`,
      `Message-ID: <${index}@made.example>`,
      `Date: ${new Date(1_600_000_000_000 + index * 60_000).toUTCString()}`,
      ...(list === "" ? [] : [`List-Id: Talk <${list}>`]),
      "MIME-Version: 1.0",
      ...(attachment === undefined
        ? content(next, body)
        : mixed(content(next, body), attachment, attachmentBytes)),
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

const SIGNATURE = Array.from({ length: 5 }, () => `        ${"Zm9vYmFyL2Jhe+".repeat(5)}`);

/** The header fields that servers add: 2 to 6 kB. */
function transport(domain: string, pick: (length: number) => number): readonly string[] {
  const hops = Array.from({ length: 2 + pick(6) }, (_, hop) => [
    `Received: from out${hop}.${domain} (out${hop}.${domain}. [192.0.2.${hop}])`,
    "        by mx.own.example with ESMTPS id a1-20020a05600c4f0000b003f1738e64c0si12345678wmq.77",
    "        for <me@own.example>",
    "        (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256);",
    `        Mon, 05 Jan 2026 02:00:0${hop} -0800 (PST)`,
  ]).flat();
  const signatures = ["ARC-Seal", "ARC-Message-Signature", "DKIM-Signature", "X-Feedback"]
    .slice(0, 1 + pick(4))
    .flatMap((name) => [
      `${name}: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=20230601; t=1767607200;`,
      "        h=list-unsubscribe:mime-version:subject:message-id:to:from:date;",
      "        bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=",
      ...SIGNATURE,
    ]);
  return [
    "Delivered-To: me@own.example",
    ...hops,
    ...signatures,
    "Authentication-Results: mx.own.example;",
    `       dkim=pass header.i=@${domain} header.s=20230601 header.b=Zm9vYmFy;`,
    `       spf=pass (own.example: domain of bounce@${domain} designates 192.0.2.1 as permitted`,
    `       sender) smtp.mailfrom=bounce@${domain}; dmarc=pass (p=REJECT) header.from=${domain}`,
    `Return-Path: <bounce@${domain}>`,
    `List-Unsubscribe: <https://${domain}/unsubscribe?${"u".repeat(80)}>,`,
    ` <mailto:leave@${domain}>`,
  ];
}

/** Of ten mails two are plain text, two HTML alone, and six have both. */
function content(next: () => number, body: readonly string[]): readonly string[] {
  const wrapped = body
    .map((text, index) => (index % 12 === 11 ? `${text}\n` : `${text} `))
    .join("");
  const plain = ["Content-Type: text/plain; charset=utf-8", "", wrapped, "From here on nothing."];
  const base64 = [
    ...plain.slice(0, 1),
    "Content-Transfer-Encoding: base64",
    "",
    btoa(wrapped).replace(/.{76}/g, "$&\n"),
  ];
  const kind = next();
  if (kind < 0.2) return kind < 0.1 ? plain : base64;
  const page = html(wrapped);
  if (kind < 0.4) return page;
  return [
    `Content-Type: multipart/alternative; boundary="a=b"`,
    "",
    "--a=b",
    ...(kind < 0.6 ? base64 : plain),
    "--a=b",
    ...page,
    "--a=b--",
  ];
}

const CELL = `<table border=3D"0" cellpadding=3D"0" cellspacing=3D"0" width=3D"100%" styl=
e=3D"border-collapse:collapse;mso-table-lspace:0pt;background-color:#ffffff">
<tr><td align=3D"center" valign=3D"top" style=3D"padding:9px 18px;font-family=
:Helvetica,Arial,sans-serif;font-size:16px;line-height:150%;color:#202020">
<a href=3D"https://click.made.example/track/click/30010203/www.made.example?p=
=3DeyJzIjoiWm9vIiwidiI6MSwicCI6IntcInVcIjozMDAxMDIwM30" target=3D"_blank">`;

/** HTML as newsletters have it, quoted-printable: mostly tables, styles and links. */
const html = (text: string): readonly string[] => [
  "Content-Type: text/html; charset=utf-8",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "<!doctype html><html><head><style>",
  ...Array.from({ length: 30 }, (_, at) => `.c${at} { margin: 0; padding:${at}px; color:#fff }`),
  "</style></head><body>",
  ...text.split("\n").map((line) => `${CELL}${line}</a></td></tr></table>`),
  "<p>=C2=A9 2026 &nbsp; All rights reserved.</p></body></html>",
];

const mixed = (
  content: readonly string[],
  attachment: string,
  bytes: number,
): readonly string[] => [
  "Content-Type: multipart/mixed;\n boundary=cut_here",
  "",
  "--cut_here",
  ...content,
  "--cut_here",
  `Content-Type: application/octet-stream; name="${attachment}"`,
  `Content-Disposition: attachment;\n filename="${attachment}"`,
  "Content-Transfer-Encoding: base64",
  "",
  ...Array.from({ length: Math.ceil(bytes / 76) }, () => "QUJD".repeat(19)),
  "--cut_here--",
];

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
