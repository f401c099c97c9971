import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { splitMailbox } from "../../../src/mail-try/split-mailbox.ts";
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
  for await (const { mail, bytes: octets, cut } of splitMailbox(pieces(bytes, size))) {
    mails.push({ text: decoder.decode(mail), bytes: octets, cut });
  }
  return mails;
}

const DATE = "Mon Jan 05 10:00:00 2026";
const mail = (subject: string, body = "text") => `Subject: ${subject}\n\n${body}\n`;

describe("splitMailbox() finds the mails", () => {
  test.each([
    ["after From lines", `From a@x ${DATE}\n${mail("one")}\nFrom b@x ${DATE}\n${mail("two")}`],
    [
      "with CRLF",
      `From a@x ${DATE}\n${mail("one")}\nFrom b@x ${DATE}\n${mail("two")}`.replaceAll("\n", "\r\n"),
    ],
    [
      "of Takeout",
      `From 1@xxx Mon Jan 05 10:00:00 +0000 2026\n${mail("one")}\nFrom 2@xxx Mon Jan 05 10:00:00 +0000 2026\n${mail("two")}`,
    ],
    [
      "without a blank line between them",
      `From a@x ${DATE}\n${mail("one")}From b@x ${DATE}\n${mail("two")}`,
    ],
    ["after From lines without a date", `From a@x\n${mail("one")}\nFrom b@x\n${mail("two")}`],
    ["after an empty From line", `From \n${mail("one")}\nFrom \n${mail("two")}`],
    [
      "not at From in a text",
      `From a@x ${DATE}\n${mail("one", "From here on:\nthere is\n\nFrom now on\nmore")}\nFrom b@x ${DATE}\n${mail("two")}`,
    ],
    [
      "not at From with a date in a text",
      `From a@x ${DATE}\n${mail("one", `hello\nFrom me, ${DATE}\nyou`)}\nFrom b@x ${DATE}\n${mail("two")}`,
    ],
    [
      "with empty lines at the end",
      `From a@x ${DATE}\n${mail("one")}\n\n\nFrom b@x ${DATE}\n${mail("two")}\n\n`,
    ],
    [
      "with NUL in them",
      `From a@x ${DATE}\n${mail("one", "\0\0")}\nFrom b@x ${DATE}\n${mail("two", "\0")}`,
    ],
    ["cut at the end", `From a@x ${DATE}\n${mail("one")}\nFrom b@x ${DATE}\nSubject: two`],
  ])("%s", async (_, text) => {
    for (const size of [1_000_000, 7, 1]) {
      const mails = await mailsOf(text, size);
      expect(mails.map((found) => /^Subject: (\w+)/.exec(found.text)?.[1])).toEqual(["one", "two"]);
    }
  });

  test.each([
    [
      "a file without From lines is one mail",
      `${mail("one")}\nFrom b@x ${DATE}\nSubject: two\n`,
      1,
    ],
    ["an empty file has none", "", 0],
    ["a mail without a header is one", `From a@x ${DATE}\n\nFrom b@x ${DATE}\n${mail("two")}`, 2],
    ["a file of another kind is one", "\u0089PNG\r\n\u001a\n\0\0\0", 1],
  ])("%s", async (_, text, count) => {
    expect((await mailsOf(text)).length).toBe(count);
  });
});

const multipart = (...parts: readonly string[]) =>
  `From a@x ${DATE}\nSubject: one\nContent-Type: multipart/mixed; boundary="cut"\n\npreamble\n${parts.map((part) => `--cut\n${part}\n`).join("")}--cut--\nepilogue\n`;

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
      `From a@x ${DATE}\n${mail("one", "word word\n".repeat(500_000))}\nFrom b@x ${DATE}\n${mail("two")}`,
      262_144,
    );
    expect(found?.cut).toBe("too-long");
    expect(found?.text.length).toBeWithin(900_000, 1_100_000);
    expect(found?.bytes).toBe(500_000 * 11 + "Subject: one\r\n\r\n\r\n".length);
    expect(next?.text).toBe(mail("two"));
  });

  test.each([
    ["10,000 nested parts", nested(10_000), "too-long"],
    ["10,000 parts", multipart(...Array.from({ length: 10_000 }, () => "\na")), undefined],
    ["a header of 10 MB", `Subject: one\n${"X-Long: a b\n".repeat(900_000)}\ntext\n`, "too-long"],
    ["a line of 10 MB", `Subject: one\n\n${"a".repeat(10_000_000)}\n`, "too-long"],
    [
      "a boundary that never comes",
      `Content-Type: multipart/mixed; boundary=x\n\n--x\n\ntext`,
      "ends-early",
    ],
    [
      "a charset that nobody knows",
      "Content-Type: text/plain; charset=klingon\n\ntext\n",
      "encoding",
    ],
    [
      "a part without a blank line",
      multipart("Content-Type: text/plain").replace("preamble", ""),
      undefined,
    ],
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
  expect(whole.map(({ bytes }) => bytes)).toEqual(made.map(({ facts }) => facts.bytes));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5000 }), async (size) => {
      expect(await mailsOf(text, size)).toEqual(whole);
    }),
    tries(20),
  );
});

test("random bytes are read to their end", async () => {
  const pieces = fc.constantFrom(
    "From a 10:00 2026",
    "\n",
    "\r\n",
    "--x",
    "Content-Type: multipart/a; boundary=x",
    ":",
    ">",
    "\0",
    "é",
    "=?",
    " ",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(pieces, { maxLength: 60 }),
      fc.integer({ min: 1, max: 40 }),
      async (list, size) => {
        const text = list.join("");
        expect(await mailsOf(text, size)).toEqual(await mailsOf(text));
      },
    ),
    tries(500),
  );
});
