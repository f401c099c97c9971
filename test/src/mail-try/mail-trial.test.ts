import { describe, expect, test } from "bun:test";
import PostalMime, { decodeWords } from "postal-mime";
import { htmlTextOf } from "../../../src/mail-try/html-text.ts";
import { readBody, readHeader } from "../../../src/mail-try/read-mail.ts";
import { splitMailbox } from "../../../src/mail-try/split-mailbox.ts";
import { filterMatchers } from "../../../src/mail-filter/match/match-mail-filters.ts";
import { MailTrial } from "../../../src/mail-try/mail-trial.ts";
import { expectNoSquare } from "../../support/growth.ts";
import { KNOWN_FILTERS, madeMails } from "../../support/mailbox.ts";
import { runs } from "../../support/runs.ts";

const mime = { decodeWords, parse: (mail: Uint8Array) => PostalMime.parse(mail) };

const encoder = new TextEncoder();

function* chunksOf(
  mails: Iterable<{ readonly text: string }>,
  size: number,
): Generator<Uint8Array> {
  let text = "";
  for (const mail of mails) {
    text += mail.text;
    while (text.length > size) {
      yield encoder.encode(text.slice(0, size));
      text = text.slice(size);
    }
  }
  yield encoder.encode(text);
}

test("sixty filters take the mails that they should of a thousand", async () => {
  const mails = [...madeMails(Math.min(runs(1_000), 20_000))];
  const filters = filterMatchers(
    KNOWN_FILTERS.map(({ filter }) => filter),
    {},
  );
  const trial = new MailTrial(filters, mime);
  const wrong: string[] = [];
  let index = 0;
  for await (const raw of splitMailbox(chunksOf(mails, 10_007))) {
    const { facts } = mails[index] ?? {};
    expect(raw.bytes).toBe(facts?.bytes ?? 0);
    const tried = await trial.take(raw, () => "");
    if ("skipped" in tried) throw new Error(`Mail ${index} is left out`);
    for (const [at, known] of KNOWN_FILTERS.entries()) {
      const answer = facts && known.answer(facts);
      const match = tried.matches[at];
      if (answer !== match?.matched && wrong.length < 5) {
        wrong.push(`${index} ${JSON.stringify(known.filter)}: ${answer}, ${JSON.stringify(match)}`);
      }
    }
    index += 1;
  }
  expect(wrong).toEqual([]);
  expect(index).toBe(mails.length);
  expect(KNOWN_FILTERS.length).toBe(60);
  expect(trial.report().broken).toEqual([]);
});

async function readMail(text: string) {
  for await (const raw of splitMailbox([encoder.encode(text)])) {
    return readBody(readHeader(raw, mime), raw, mime);
  }
  throw new Error("There is no mail");
}

describe("a mail is read with", () => {
  const html = (text: string) => `Content-Type: text/html; charset=utf-8\n\n${text}\n`;

  test.each([
    [
      "a sender in encoded words",
      "From: =?utf-8?Q?J=C3=B6rg?= <j@x.com>\n\n",
      { from: "Jörg <j@x.com>" },
    ],
    ["an encoded word that is cut", "Subject: =?utf-8?Q?J=C3\n\n", { subject: "=?utf-8?Q?J=C3" }],
    ["a folded subject", "Subject: one\n  two\n\n", { subject: "one  two" }],
    [
      "several Delivered-To",
      "Delivered-To: a@x\nDelivered-To: b@x\n\n",
      { delivered_to: "a@x, b@x" },
    ],
    [
      "labels, one of them with a comma",
      'X-Gmail-Labels: Inbox,"A, B"\n\n',
      { labels: ["Inbox", "A, B"] },
    ],
    [
      "its date in UTC",
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
      "HTML without its marks",
      html("<style>p{}</style><p>One<b>s</b><br>two &eacute;&#233;&amp;"),
      { text: expect.stringContaining("Ones two éé&"), text_is_cut: false },
    ],
    [
      "HTML without a comment, an attribute and a script that look like its end",
      html(`a<!-- <p> -- >b --><a title='>c' href=">d">e</a>f<SCRIPT x="y">g</p></Script >h<1> i`),
      { text: expect.stringContaining("aef h<1> i") },
    ],
    [
      "HTML in UTF-16, whose letters may have the bytes of tags",
      `Content-Type: text/html; charset=utf-16le\nContent-Transfer-Encoding: base64\n\n${Buffer.from("<p>one 㰼>two</p>", "utf16le").toString("base64")}\n`,
      { text: expect.stringMatching(/^\s*one 㰼>two\s*$/) },
    ],
    [
      "HTML in Japanese, whose letters may have the bytes of tags",
      "Content-Type: text/html; charset=iso-2022-jp\n\n\x1b$B<p%>\x1b(B <b>one</b>\n",
      { text: expect.stringContaining("腫ゾ one") },
    ],
    ["an entity that is not known", html("&Zfr; a"), { text_is_cut: true }],
    [
      "a text in Latin-1",
      "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n=E9t=E9\n",
      { text: expect.stringContaining("été") },
    ],
  ])("%s", async (_, text, expected) => {
    expect(await readMail(text)).toMatchObject(expected);
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
      "an inline image with a name",
      'Content-Disposition: inline; filename="a.png"',
      { name: "a.png" },
    ],
    ["an inline image without a name", "Content-Disposition: inline", {}],
  ])("%s", async (_, field, attachment) => {
    const parts = `--b\n\ntext\n--b\nContent-Type: image/png\n${field}\n\nQUJD\n--b--\n`;
    const { attachments } = await readMail(`Content-Type: multipart/mixed; boundary=b\n\n${parts}`);
    expect(attachments).toEqual([attachment]);
  });
});

test.each(["<!--", "<style>", "<a ", '<a "', "<", "&", "<b", "<style", "&#"])(
  "HTML of a megabyte of %j without an end is read at once",
  (start) => expectNoSquare(1_000_000, (size) => htmlTextOf(start.repeat(size / start.length))),
);
