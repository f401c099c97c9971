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

const subjectOf = (text: string): string => mail(`Subject: ${text}`, "");

const KLINGON = "Content-Type: text/plain; charset=klingon";
const PNG = "Content-Type: image/png\nContent-Disposition: attachment; ";
const attached = "Content-Type: image/png; name=a.png\n\n";

type Row = readonly [
  name: string,
  mail: string | Uint8Array,
  search: string,
  verdict: "yes" | "no" | "unknown",
];

const RIGHT: readonly Row[] = [
  ["flowed text", plain("utf-8", "Rech \nnung", "; format=flowed; delsp=yes"), "rechnung", "yes"],
  ["a text after a field of a server", mail("X-Spam: no\n more", "invoice"), "invoice", "yes"],
  ["a field after a server's", mail("Received: by x;\n y\nSubject: a", ""), "subject:a", "yes"],
  ["a word that a format goes through", html("in<b>voice</b>"), "invoice", "yes"],
  ["a word of entities", html("inv&#111;ice &rarr; caf&eacute;"), "invoice café", "yes"],
  ["words that cells part", html("<td>Order</td><td>Invoice</td>"), "invoice", "yes"],
  ["no word of two cells", html("<td>in</td><td>voice</td>"), "invoice", "no"],
  ["a text behind a broken attribute", html('<img alt="x"">Your invoice'), "invoice", "yes"],
  ["no text of a script", html("<script>invoice</script> a"), "invoice", "no"],
  ["no text of a comment", html("<!-- <p> invoice --> a"), "invoice", "no"],
  ["Shift JIS as cp932", base64("cp932", 0x90, 0xbf, 0x8b, 0x81), "請求", "yes"],
  ["Latin-1 as it is", latin1(plain("iso-8859-1", "caf\xE9 \xC4rger")), "café ärger", "yes"],
  ["two words", subjectOf("=?utf-8?Q?in?=\n =?utf-8?B?dm9pY2U=?="), "subject:invoice", "yes"],
  [
    "an encoded name that looks like an address",
    mail("From: x", "")
      .replace(`From: a@x.com\n`, "")
      .replace("From: x", "From: =?utf-8?Q?=3Cboss=40x.com=3E?= <c@z.com>"),
    "from:@x.com",
    "unknown",
  ],
  ["a text beside an attachment", parts("\ninvoice", `${attached}QUJD`), "invoice", "yes"],
  ["no text of an attachment", parts("\ntext", `${attached}invoice`), "invoice", "no"],
];

const OPEN: readonly (readonly [name: string, mail: string | Uint8Array, search: string])[] = [
  ["links without a space between", html("<a>Order</a><a>Invoice</a>"), "-orderinvoice"],
  ["a link in a word", html("<a href=x>invoice</a>s"), "-invoices"],
  ["HTML that ends in a tag", html('a <a href="x>invoice'), "-invoice"],
  ["a raw subject in GBK", latin1(mail("Subject: \xB7\xA2\xC6\xB1", "")), "-subject:发票"],
  ["a raw sender in Latin-1", latin1(mail("", "").replace("a@x", "J\xF6rg <a@x")), "-from:jörg"],
  ["UTF-8 as us-ascii", plain("us-ascii", "café"), "-café"],
  ["Latin-1 as UTF-8", latin1(plain("utf-8", "caf\xE9")), "-café"],
  ["an encoding that nobody knows", plain("klingon", "a"), "-invoice"],
  ["an encoding of HTML alone", latin1(html('<meta charset="iso-8859-1">caf\xE9', "")), "-café"],
  ["a character in two words", subjectOf("=?utf-8?Q?J=C3?=\n =?utf-8?Q?=B6rg?="), "-subject:a"],
  ["an encoded word that has no end", mail("Subject: =?utf-8?Q?J=C3", ""), "-subject:jörg"],
  ["an endless header, its text", "From: a@x.com\nSubject: s\nDear Bob,\nYour invoice", "-invoice"],
  [
    "base64 that lacks a letter",
    base64("windows-1252", ...Buffer.from("order invoice")).replace(/b3J/, "3J"),
    "-invoice",
  ],
  ["a mail without a sender", "Subject: s\n\ntext\n", "-from:a@x.com"],
  ["a mail that is cut in its parts", parts("\na").replace("--b--", ""), "-invoice"],
  ["attachments of a mail that is cut", parts("\na").replace("--b--", ""), "has:attachment"],
  ["a mail in a mail", parts(`Content-Type: message/rfc822\n\n${FROM}\ninvoice`), "-invoice"],
  ["UTF-8 as Latin-1", plain("iso-8859-1", "café"), "-café"],
  ["a subject in UTF-8 as Latin-1", subjectOf("=?iso-8859-1?Q?caf=C3=A9?="), "-subject:order"],
  ["an unknown encoding of a part", parts("\na", `${KLINGON}\n\na`), "-invoice"],
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
    ["its date", "Date: Mon, 5 Jan 2026 10:00:00 +0100\n\n", { date: "2026-01-05T09:00:00.000Z" }],
    ["no date that is none", "Date: soon\n\n", { date: undefined }],
    ["a list", "List-Id: D <d.x>\nList-Post: <mailto:d@x>\n\n", { list: "D <d.x>, <mailto:d@x>" }],
    [
      "the line of a mailbox before it",
      "From mboxrd@z Thu Jan  1 00:00:00 1970\nSubject: a\n\nFrom here\nb",
      { subject: "a", text: "From here\nb\n\n", bytes: 26 },
    ],
  ])("%s", async (_, text, expected) => {
    expect((await parse(text)).message).toMatchObject(expected);
  });

  test.each([
    ["an attachment", 'filename="a.pdf"', { name: "a.pdf" }],
    ["a file's name in RFC 2231", "filename*=utf-8''%C3%A9.pdf", { name: "é.pdf" }],
    ["a file's name in an encoded word", 'filename="=?utf-8?Q?=C3=A9?="', { name: "é" }],
  ])("%s", async (_, field, attachment) => {
    const { message, flaw } = await parse(parts("\ntext", `${PNG}${field}\n\nQUJD`));
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
