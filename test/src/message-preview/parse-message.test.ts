import { describe, expect, test } from "bun:test";
import { extractVisibleText } from "../../../src/message-preview/html-text.ts";
import { expectNoSquare } from "../../support/growth.ts";
import { latin1, parse, verdictOn } from "./support.ts";

const FROM = "From: a@x.com\nTo: b@y.org\n";

const mail = (fields: string, body: string): string => `${FROM}${fields}\n\n${body}\n`;

const plain = (charset: string, body: string, more = ""): string =>
  mail(`Content-Type: text/plain; charset=${charset}${more}`, body);

const html = (body: string, charset = "; charset=utf-8"): string =>
  mail(`Content-Type: text/html${charset}`, body);

const base64 = (charset: string, ...bytes: readonly number[]): string =>
  plain(charset, Buffer.from(bytes).toString("base64"), "\nContent-Transfer-Encoding: base64");

const parts = (...all: readonly string[]): string =>
  mail(
    "Content-Type: multipart/mixed; boundary=b",
    `${all.map((part) => `--b\n${part}\n`).join("")}--b--`,
  );

const attached = "Content-Type: image/png; name=a.png\n\n";

type Row = readonly [
  name: string,
  mail: string | Uint8Array,
  search: string,
  verdict: "yes" | "no" | "unknown",
];

const RIGHT: readonly Row[] = [
  [
    "a word that a flowed text folds",
    plain("utf-8", "Ihre Rech \nnung", "; format=flowed; delsp=yes"),
    "rechnung",
    "yes",
  ],
  [
    "a phrase that a flowed text folds",
    plain("utf-8", "> your \n> invoice", "; format=flowed"),
    '"your invoice"',
    "yes",
  ],
  ["a text after a field of a server", mail("X-Spam: no\n more", "invoice"), "invoice", "yes"],
  ["a part after a field of a server", parts("X-Spam: no\n\na", "\ninvoice"), "invoice", "yes"],
  ["a field after a server's", mail("Received: by x;\n y\nSubject: a", ""), "subject:a", "yes"],
  ["a word that a format goes through", html("in<b>voice</b>"), "invoice", "yes"],
  ["a word that may break", html("in<wbr>voice"), "invoice", "yes"],
  ["a word of entities", html("inv&#111;ice &rarr; caf&eacute;"), "invoice café", "yes"],
  ["words that cells part", html("<td>Order</td><td>Invoice</td>"), "invoice", "yes"],
  ["no word of two cells", html("<td>in</td><td>voice</td>"), "invoice", "no"],
  ["no text of a style in capitals", html("<STYLE>invoice</STYLE> a"), "invoice", "no"],
  ["a text behind a broken attribute", html('<img alt="x"">Your invoice'), "invoice", "yes"],
  ["no text of a script", html("<script>invoice</script> a"), "invoice", "no"],
  ["no text of a comment", html("<!-- <p> invoice --> a"), "invoice", "no"],
  ["Shift JIS as cp932", base64("cp932", 0x90, 0xbf, 0x8b, 0x81), "請求", "yes"],
  ["an empty name of an encoding", plain("", "café"), "café", "yes"],
  ["Latin-1 as it is", latin1(plain("iso-8859-1", "caf\xE9 \xC4rger")), "café ärger", "yes"],
  [
    "Russian in windows-1251",
    latin1(plain("windows-1251", "\xC2\xE0\xF8 \xF1\xF7\xB8\xF2")),
    '"ваш счёт"',
    "yes",
  ],
  ["Japanese", latin1(plain("iso-2022-jp", "\x1b$BI=<(\x1b(B")), "other", "no"],
  [
    "a subject of two encoded words",
    mail("Subject: =?utf-8?Q?in?=\n =?utf-8?B?dm9pY2U=?=", ""),
    "subject:invoice",
    "yes",
  ],
  ["a subject in UTF-8 as it is", mail("Subject: Fälligkeit", ""), "subject:other", "no"],
  [
    "an encoded name that looks like an address",
    mail("From: x", "")
      .replace(`From: a@x.com\n`, "")
      .replace("From: x", "From: =?utf-8?Q?=3Cboss=40x.com=3E?= <c@z.com>"),
    "from:@x.com",
    "unknown",
  ],
  [
    "a line like the boundary of parts that have ended",
    parts("Content-Type: multipart/mixed; boundary=c\n\n--c\n\na", "\n--c\ninvoice"),
    "invoice",
    "yes",
  ],
  ["a text beside an attachment", parts("\ninvoice", `${attached}QUJD`), "invoice", "yes"],
  ["no text of an attachment", parts("\ntext", `${attached}invoice`), "invoice", "no"],
];

const OPEN: readonly (readonly [name: string, mail: string | Uint8Array, search: string])[] = [
  [
    "a word over a soft line break with blanks behind it",
    mail("Content-Transfer-Encoding: quoted-printable", "in= \t \nvoice"),
    "-invoice",
  ],
  ["links without a space between", html("<a>Order</a><a>Invoice</a>"), "-orderinvoice"],
  ["a link in a word", html("<a href=x>invoice</a>s"), "-invoices"],
  ["a format with a style", html('<b style="display:block">Order</b>Invoice'), "-orderinvoice"],
  ["HTML that ends in a tag", html('a <a href="x>invoice'), "-invoice"],
  ["HTML that ends in a comment", html("a <!-- <p> invoice"), "-invoice"],
  [
    "HTML that ends in the name of a tag",
    html(btoa("a <invoice"), "; charset=utf-8\nContent-Transfer-Encoding: base64"),
    "-invoice",
  ],
  ["a raw subject in GBK", latin1(mail("Subject: \xB7\xA2\xC6\xB1", "")), "-subject:发票"],
  ["a raw subject in Latin-1", latin1(mail("Subject: F\xE4llig", "")), "-subject:fällig"],
  ["a raw sender in Latin-1", latin1(mail("", "").replace("a@x", "J\xF6rg <a@x")), "-from:jörg"],
  ["UTF-8 as us-ascii", plain("us-ascii", "café"), "-café"],
  ["Latin-1 as UTF-8", latin1(plain("utf-8", "caf\xE9")), "-café"],
  ["Japanese without a name", latin1(mail("", "\x1b$BI=<(\x1b(B")), "-表示"],
  ["an encoding that nobody knows", plain("klingon", "a"), "-invoice"],
  ["an encoding of HTML alone", latin1(html('<meta charset="iso-8859-1">caf\xE9', "")), "-café"],
  ["a subject that says us-ascii", mail("Subject: =?us-ascii?Q?caf=C3=A9?=", ""), "-subject:café"],
  [
    "a character that is cut over two words",
    mail("Subject: =?utf-8?Q?J=C3?=\n =?utf-8?Q?=B6rg?=", ""),
    "-subject:other",
  ],
  ["an encoded word that has no end", mail("Subject: =?utf-8?Q?J=C3", ""), "-subject:jörg"],
  ["an encoded word in a word", mail("Subject: in=?utf-8?Q?voice?=", ""), "-subject:voice"],
  ["an endless header, its text", "From: a@x.com\nSubject: s\nDear Bob,\nYour invoice", "-invoice"],
  ["an endless header, in a part", parts("Your invoice\n"), "-invoice"],
  [
    "an endless header, before parts",
    parts("\ninvoice").replace("Content-Type", "Dear Bob\nContent-Type"),
    "invoice",
  ],
  [
    "base64 that lacks a letter",
    plain(
      "windows-1252",
      Buffer.from("order invoice password").toString("base64").slice(1),
      "\nContent-Transfer-Encoding: base64",
    ),
    "-invoice",
  ],
  [
    "an escape that is cut over two words",
    mail("Subject: =?us-ascii?Q?rec=6?=\n =?us-ascii?Q?5ipt?=", ""),
    "-subject:receipt",
  ],
  ["a mail without a sender", "Subject: s\n\ntext\n", "-from:a@x.com"],
  ["a mail with two subjects", mail("Subject: a\nSubject: b", ""), "-subject:order"],
  ["a mail that is cut in its parts", parts("\na").replace("--b--", ""), "-invoice"],
  ["attachments of a mail that is cut", parts("\na").replace("--b--", ""), "has:attachment"],
  ["attachments of a header without an end", "From: a@x.com\nDear Bob", "-has:attachment"],
  ["a mail in a mail", parts(`Content-Type: message/rfc822\n\n${FROM}\ninvoice`), "-invoice"],
  ["UTF-8 as Latin-1", plain("iso-8859-1", "café"), "-café"],
  ["UTF-8 as windows-1252", plain("windows-1252", "Ihre Prüfung für Größen"), "-prüfung"],
  [
    "UTF-8 as Latin-2 in a part",
    parts(`\nother`, `Content-Type: text/plain; charset=iso-8859-2\n\nŁódź`),
    "-łódź",
  ],
  [
    "UTF-8 as Latin-1 in quoted-printable",
    plain("iso-8859-1", "caf=C3=A9", "\nContent-Transfer-Encoding: quoted-printable"),
    "-café",
  ],
  [
    "a subject in UTF-8 as Latin-1",
    mail("Subject: =?iso-8859-1?Q?caf=C3=A9?=", ""),
    "-subject:order",
  ],
  [
    "an unknown encoding of one part",
    parts("\nother", "Content-Type: text/plain; charset=klingon\n\na"),
    "-invoice",
  ],
  [
    "text in a rarer form of multipart",
    parts("Content-Type: text/plain; charset=cp1252\n\nGrü").replace("boundary=b", "boundary*=b"),
    "-grü",
  ],
];

describe("a mail is read right:", () => {
  test.each(RIGHT)("%s", async (_, file, search, verdict) => {
    expect(await verdictOn(file, search)).toBe(verdict);
  });
});

describe("no filter is sure of what is not certain:", () => {
  test.each(OPEN)("%s", async (_, file, search) => {
    expect(await verdictOn(file, search)).toBe("unknown");
  });
});

describe("a mail is read with", () => {
  test.each([
    ["an encoded sender", "From: =?utf-8?Q?J=C3=B6rg?= <j@x.com>\n\n", { from: "Jörg <j@x.com>" }],
    ["a subject's signs", "Subject: =?utf-8?Q?Re:_(1),_=22a=22?=\n\n", { subject: 'Re: (1), "a"' }],
    ["two Delivered-To", "Delivered-To: a@x\nDelivered-To: b@x\n\n", { delivered_to: "a@x, b@x" }],
    [
      "its date",
      "Date: Mon, 5 Jan 2026 10:00:00 +0100 (CET)\n\n",
      { date: "2026-01-05T09:00:00.000Z" },
    ],
    ["no date that is none", "Date: soon\n\n", { date: undefined }],
    [
      "a list",
      "List-Id: Dev <dev.x.org>\nList-Post: <mailto:dev@x.org>\n\n",
      { list: "Dev <dev.x.org>, <mailto:dev@x.org>" },
    ],
    [
      "the line of a mailbox before it",
      "From mboxrd@z Thu Jan  1 00:00:00 1970\nSubject: a\n\nFrom here\nb",
      { subject: "a", text: "From here\nb\n\n", bytes: 26 },
    ],
    ["a space before a colon", "From  : a@x.com\n\n", { from: "a@x.com" }],
  ])("%s", async (_, text, expected) => {
    expect((await parse(text)).message).toMatchObject(expected);
  });

  test.each([
    ["an attachment", 'Content-Disposition: attachment; filename="a.pdf"', { name: "a.pdf" }],
    ["an attachment without a name", "Content-Disposition: attachment", { name: "" }],
    [
      "a file's name in RFC 2231",
      "Content-Disposition: attachment; filename*=utf-8''%C3%A9.pdf",
      { name: "é.pdf" },
    ],
    [
      "a file's name in an encoded word",
      'Content-Disposition: attachment; filename="=?utf-8?Q?=C3=A9?="',
      { name: "é" },
    ],
    ["an inline image's name", 'Content-Disposition: inline; filename="a.png"', { name: "a.png" }],
  ])("%s", async (_, field, attachment) => {
    const { message, flaw } = await parse(
      parts("\ntext", `Content-Type: image/png\n${field}\n\nQUJD`),
    );
    expect(message.attachments).toEqual([attachment]);
    expect(flaw).toBe(undefined);
  });
});

test.each(["<!--", "<style>", "<a ", '<a "', "<", "&", "<b", "<b>", "<a>b", "<style", "&#"])(
  "HTML of a megabyte of %j without an end is read at once",
  (start) =>
    expectNoSquare(1_000_000, (size) => extractVisibleText(start.repeat(size / start.length))),
);

test.each(["\n--b", "<meta", "; charset=", "; boundary=b", "=?a?Q?", "!", "\n"])(
  "a message of 300 kB of %j is read at once",
  (piece) =>
    expectNoSquare(300_000, async (size) => {
      await parse(html(piece.repeat(size / piece.length)));
    }),
);
