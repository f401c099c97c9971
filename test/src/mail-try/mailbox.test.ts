import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { NotMailError, splitMailbox } from "../../../src/mail-try/mailbox.ts";
import { madeMails } from "../../support/mailbox.ts";
import { tries } from "../../support/runs.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Each piece is overwritten by the next one. */
function* pieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  const buffer = new Uint8Array(Math.min(size, bytes.length));
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    buffer.set(piece);
    yield buffer.subarray(0, piece.length);
  }
}

/** The mails read of a mailbox that arrives in pieces of a size. */
async function mailsOf(text: string | Uint8Array, size = 1_000_000) {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  const mails = [];
  for await (const { sections, bytes: octets, cut } of splitMailbox(pieces(bytes, size))) {
    const text = sections.map((section) => decoder.decode(section.bytes)).join("");
    mails.push({ text, bytes: octets, cut });
  }
  return mails;
}

const from = (id: number) => `From ${id}@xxx Mon Jan 05 10:00:00 +0000 2026\n`;
const mail = (subject: string, body = "text") => `Subject: ${subject}\n\n${body}\n`;

describe("splitMailbox() finds the mails of Takeout", () => {
  test.each([
    ["after their lines", `${from(1)}${mail("one")}\n${from(2)}${mail("two")}`],
    ["with CRLF", `${from(1)}${mail("one")}\n${from(2)}${mail("two")}`.replaceAll("\n", "\r\n")],
    ["after a byte order mark", `\uFEFF${from(1)}${mail("one")}\n${from(2)}${mail("two")}`],
    ["after blank lines", `\r\n \n${from(1)}${mail("one")}\n${from(2)}${mail("two")}`],
    ["without a blank line between them", `${from(1)}${mail("one")}${from(2)}${mail("two")}`],
    [
      "not at From in a text",
      `${from(1)}${mail("one", "From here on:\nthere is\n\nFrom now on\nmore")}\n${from(2)}${mail("two")}`,
    ],
    [
      "not at the line of another program",
      `${from(1)}${mail("one", "hello\n\nFrom - Mon Jan 05 10:00:00 2026\nTo: you")}\n${from(2)}${mail("two")}`,
    ],
    [
      "not at their escaped line in a text",
      `${from(1)}${mail("one", `hello\n\n>${from(3)}To: you`)}\n${from(2)}${mail("two")}`,
    ],
    ["with empty lines at the end", `${from(1)}${mail("one")}\n\n\n${from(2)}${mail("two")}\n\n`],
    ["with NUL in them", `${from(1)}${mail("one", "\0\0")}\n${from(2)}${mail("two", "\0")}`],
    ["cut at the end", `${from(1)}${mail("one")}\n${from(2)}Subject: two`],
  ])("%s", async (_, text) => {
    for (const size of [1_000_000, 7, 1]) {
      const mails = await mailsOf(text, size);
      expect(mails.map((found) => /^Subject: (\w+)/.exec(found.text)?.[1])).toEqual(["one", "two"]);
    }
  });

  test.each([
    ["a mail is one", mail("one"), 1],
    ["so is one with From in its text", mail("one", "\nFrom here on\n\nFrom me: Mon Jan 05"), 1],
    [
      "so is one with a mailbox attached",
      `Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n${from(1)}${mail("two")}\n--b--\n`,
      1,
    ],
    ["an empty file has none", "", 0],
    ["nor has one of blank lines", "\n\n", 0],
    ["a mail without a header is one", `${from(1)}\n${from(2)}${mail("two")}`, 2],
  ])("%s", async (_, text, count) => {
    for (const size of [1_000_000, 3]) expect((await mailsOf(text, size)).length).toBe(count);
  });
});

describe("splitMailbox() rejects", () => {
  const tar = new Uint8Array(1024);
  tar.set(encoder.encode("mail:x.mbox"));
  tar.set(encoder.encode("ustar"), 257);
  const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");
  test.each([
    ["one with bare From lines", `From a@x\n${mail("one")}`, "another program"],
    ["one with dates", `From a@x Mon Jan 05 10:00:00 2026\n${mail("one")}`, "another program"],
    ["one of Thunderbird", `From - Mon Jan 05 10:00:00 2026\n${mail("one")}`, "another program"],
    ["one that escapes a field", `>From: a@x\n${mail("one")}`, "another program"],
    ["one of Takeout's ids without a date", `From 1@xxx\n${mail("one")}`, "another program"],
    ["lines that end in CR", `${from(1)}${mail("one")}`.replaceAll("\n", "\r"), "in CR alone"],
    ["a mail of Apple Mail", `1234      \n${mail("one")}`, ".emlx"],
    ["a mail of Outlook", latin1("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), ".msg"],
    ["a mailbox of Outlook", "!BDN\0\0", ".pst"],
    ["UTF-16", Buffer.from(`\uFEFF${mail("one")}`, "utf16le"), "UTF-16"],
    ["UTF-16 without a mark", Buffer.from(mail("one"), "utf16le"), "UTF-16"],
    ["HTML", "\n<!doctype html><p>Subject: one", "HTML or XML"],
    ["filters", JSON.stringify({ filters: [] }), "neither a mailbox nor a mail"],
    ["a picture", latin1("\x89PNG\r\n"), "neither a mailbox nor a mail"],
    ["a ZIP archive", "PK\u0003\u0004From: a@x", "an archive, to be unpacked first"],
    ["a tar", tar, "an archive, to be unpacked first"],
  ])("%s", async (_, file, kind) => {
    for (const size of [1_000_000, 2]) {
      const read = mailsOf(file, size);
      await expect(read).rejects.toBeInstanceOf(NotMailError);
      await expect(read).rejects.toThrow(`${kind}`);
      await expect(read).rejects.toThrow("takeout.google.com");
    }
  });
});

const multipart = (...parts: readonly string[]) =>
  `${from(1)}Subject: one\nContent-Type: multipart/mixed; boundary="cut"\n\npreamble\n${parts.map((part) => `--cut\n${part}\n`).join("")}--cut--\nepilogue\n`;

describe("splitMailbox() leaves out", () => {
  const base64 = "QUJD".repeat(15);

  test.each([
    ["a preamble and an epilogue", multipart("\ntext"), "amble|epi"],
    ["an attached file", multipart("\ntext", `Content-Type: application/pdf\n\n${base64}`), base64],
    [
      "an attached text",
      multipart("\ntext", "Content-Disposition: attachment; filename=a.txt\n\nsecret"),
      "secret",
    ],
    [
      "a mail in a mail",
      multipart("\ntext", `Content-Type: message/rfc822\n\n${mail("inner", "secret")}`),
      "secret",
    ],
  ])("%s", async (_, text, absent) => {
    const [found] = await mailsOf(text, 11);
    expect(found?.text).not.toMatch(new RegExp(absent));
    expect(found?.text).toContain("text");
    expect(found?.cut).toBeUndefined();
  });

  test("what comes after 1 MB of text", async () => {
    const [found, next] = await mailsOf(
      `${from(1)}${mail("one", "word word\n".repeat(500_000))}\n${from(2)}${mail("two")}`,
      262_144,
    );
    expect(found?.cut).toBe("too-long");
    expect(found?.text.length).toBeWithin(900_000, 1_100_000);
    expect(found?.bytes).toBeWithin(500_000 * 11, 500_000 * 11 + 30);
    expect(next?.text).toBe(mail("two"));
  });

  test.each([
    ["10,000 nested parts", nested(10_000), "ends-early"],
    ["10,000 parts", multipart(...Array.from({ length: 10_000 }, () => "\na")), "too-long"],
    ["a header of 10 MB", `Subject: one\n${"To: a b\n".repeat(900_000)}\ntext\n`, "too-long"],
    ["a line of 10 MB", `Subject: one\n\n${"a".repeat(10_000_000)}\n`, "too-long"],
    [
      "a boundary left open",
      `Content-Type: multipart/mixed; boundary=x\n\n--x\n\ntext`,
      "ends-early",
    ],
    ["an empty part", multipart("Content-Type: text/plain").replace("preamble", ""), undefined],
  ] as const)("reads %s", async (_, text, cut) => {
    const [found] = await mailsOf(text, 262_144);
    expect(found?.cut).toBe(cut);
    expect(found?.text.length).toBeLessThan(2_000_000);
  });
});

function nested(depth: number): string {
  const starts = Array.from(
    { length: depth },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n`,
  );
  return `${starts.join("")}\ntext\n`;
}

test("a mailbox is the same in whatever pieces it comes", async () => {
  const made = [...madeMails(40, 300)];
  const text = made.map((one) => one.text).join("");
  const whole = await mailsOf(text);
  const extra = whole.map(({ bytes }, index) => bytes - (made[index]?.facts.bytes ?? 0));
  expect(extra.filter((octets) => octets < 0 || octets > 9)).toEqual([]);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5000 }), async (size) => {
      expect(await mailsOf(text, size)).toEqual(whole);
    }),
    tries(20),
  );
});

test("random bytes are read to their end", async () => {
  const pieces = fc.constantFrom(
    ...["From 1@xxx 10:00 2026", "\n", "\r\n", "--x", "Content-Type: multipart/a; boundary=x", ":"],
    ...[">", "\0", "é", "=?", " "],
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(pieces, { maxLength: 60 }),
      fc.integer({ min: 1, max: 40 }),
      async (list, size) => {
        const read = (size?: number) =>
          mailsOf(list.join(""), size).catch((error) => {
            if (error instanceof NotMailError) return error.message;
            throw error;
          });
        expect(await read(size)).toEqual(await read());
      },
    ),
    tries(500),
  );
});
