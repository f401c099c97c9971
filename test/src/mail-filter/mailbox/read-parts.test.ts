import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import PostalMime, { decodeWords } from "postal-mime";
import { htmlTextOf } from "../../../../src/mail-filter/mailbox/html-text.ts";
import type { RawMail } from "../../../../src/mail-filter/mailbox/mail-builder.ts";
import { type BodyContent, readParts } from "../../../../src/mail-filter/mailbox/read-parts.ts";
import { splitMailbox } from "../../../../src/mail-filter/mailbox/split-mailbox.ts";
import { madeMails } from "../../../support/mailbox.ts";
import { tries } from "../../../support/runs.ts";

/** What both readers make of a mail: its words, and its attachments. */
const wordsOf = ({ text, html, attachments }: BodyContent) => ({
  text: text.replace(/\s+/g, " ").trim(),
  html: html.text.replace(/\s+/g, " ").trim(),
  attachments: attachments.map(({ filename, disposition }) => ({ filename, disposition })),
});

const mime = { decodeWords, parse: (mail: Uint8Array) => PostalMime.parse(mail) };

/** What is read without a parser, and what the parser reads of the bytes as they came. */
async function readBoth(mail: Uint8Array) {
  let found: RawMail | undefined;
  for await (const raw of splitMailbox([mail])) found ??= raw;
  const ours = found && readParts(found, mime);
  const { text = "", html = "", attachments } = await PostalMime.parse(mail);
  return {
    ours: ours && wordsOf(ours),
    theirs: wordsOf({ text, html: htmlTextOf(html), attachments }),
  };
}

const encoder = new TextEncoder();

describe("a mail is read without a parser as by postal-mime", () => {
  const lines = fc.constantFrom(
    ...["Content-Type: text/plain; charset=utf-8", "Content-Type: text/html", "content-type:"],
    ...["Content-Type: text/plain; charset=ISO-8859-1; format=flowed", "Content-Type: text/csv"],
    ...['Content-Type: multipart/mixed; boundary="b1"', "Content-Type: image/png; name=a.png"],
    ...["Content-Type: multipart/alternative;\n boundary=b2", "CONTENT-TYPE : text/html ;"],
    ...["Content-Type: multipart/related; boundary=b1; boundary=b2", "Content-Type"],
    ...["Content-Type: multipart/digest; boundary=b2", "Content-Type: message/rfc822"],
    ...['Content-Type: text/plain; name="a;b (1).txt"', "Content-Type: text/plain (it is)"],
    ...["Content-Type: text/html; charset=x-klingon", "Content-Type: text/calendar"],
    ...["Content-Transfer-Encoding: quoted-printable", "Content-Transfer-Encoding: base64"],
    ...["Content-Transfer-Encoding: (a) base64", "Content-Transfer-Encoding: 8bit"],
    ...["Content-Disposition: inline", "Content-Disposition: attachment; filename=é.pdf"],
    ...["Content-Disposition: attachment; filename*=utf-8''%C3%A9", "Subject: a", " folded", ""],
    ...["Content-Disposition: attachment; filename*0=a; filename*1=b", "\uFEFFSubject: a"],
    ...['Content-Disposition: attachment; filename="=?utf-8?Q?=C3=A9?="', "Subject: a\rb"],
    ...["--b1", "--b2", "--b1--", "--b2--", "--b1 ", "--b11", "--", "text", "é =E9=\n=e9 =C3=A9="],
    ...["= ", "=\r", "=4", "==41", "QUJD", "w6k=", "w6kg w6k", "Q", "<p>a</p>", "\r", "\0", "-"],
  );
  const eol = fc.constantFrom("\n", "\r\n");

  test("whatever its lines are", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(lines, { maxLength: 8 }),
        fc.array(fc.oneof(lines, fc.constantFrom("", "--b1", "--b2")), { maxLength: 30 }),
        eol,
        async (header, body, end) => {
          const text = [...header.filter(Boolean), "", ...body].join("\n").replaceAll("\n", end);
          const { ours, theirs } = await readBoth(encoder.encode(text));
          if (!ours) return;
          count += 1;
          expect(ours).toEqual(theirs);
        },
      ),
      tries(1000),
    );
    expect(count).toBeGreaterThan(300);
  });

  test("whatever its bytes are", async () => {
    const header = fc.record({
      type: fc.constantFrom("text/plain", "text/html"),
      charset: fc.constantFrom("utf-8", "us-ascii", "iso-8859-15", "windows-1251", "shift_jis"),
      encoding: fc.constantFrom("7bit", "quoted-printable", "base64"),
    });
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .constantFrom("=\r\r\n", "=3D", "=3", "==", "a", "QUI=\n", "\r", "\n")
        .map((text) => encoder.encode(text)),
    );
    await fc.assert(
      fc.asyncProperty(header, fc.array(bytes), async ({ type, charset, encoding }, body) => {
        const fields = `Content-Type: ${type}; charset=${charset}\nContent-Transfer-Encoding: ${encoding}\n\n`;
        const { ours, theirs } = await readBoth(Buffer.concat([encoder.encode(fields), ...body]));
        expect(ours).toEqual(theirs);
      }),
      tries(1000),
    );
  });

  test("and so are all made mails", async () => {
    for (const { text } of madeMails(200)) {
      const { ours, theirs } = await readBoth(encoder.encode(text.slice(text.indexOf("\n") + 1)));
      expect(ours).toEqual(theirs);
    }
  });
});
