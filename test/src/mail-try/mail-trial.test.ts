import { describe, expect, test } from "bun:test";
import { filterMatchers } from "../../../src/mail-filter/match/match.ts";
import { MailTrial } from "../../../src/mail-try/mail-trial.ts";
import { splitMailbox } from "../../../src/mail-try/mailbox.ts";
import { KNOWN_FILTERS, madeMails } from "../../support/mailbox.ts";
import { runs } from "../../support/runs.ts";

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
  const trial = new MailTrial(filters);
  const wrong: string[] = [];
  let index = 0;
  for await (const raw of splitMailbox(chunksOf(mails, 10_007))) {
    const { facts } = mails[index] ?? {};
    expect(raw.bytes - (facts?.bytes ?? 0)).toBeWithin(0, 10);
    const tried = await trial.take(raw);
    if (tried.skipped) throw new Error(`Mail ${index} is left out`);
    for (const [at, known] of KNOWN_FILTERS.entries()) {
      const answer = facts && known.answer({ ...facts, bytes: raw.bytes });
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

describe("a mail is left out by the labels that Takeout gives it:", () => {
  test.each([
    ["Sent,Opened", "sent"],
    ["Enviado", "sent"],
    ["Sendt,Åbnet", "sent"],
    ["Posta inviata", "sent"],
    ["Verzonden", "sent"],
    ["=?UTF-8?Q?Archiv=C3=A9s,Envoy=C3=A9?=", "sent"],
    ["=?UTF-8?B?5bey5Y+R6YCB?=", "sent"],
    ["=?UTF-8?Q?Envoye=CC=81?=", "sent"],
    ["ENVIADOS", "sent"],
    ["Chat", "chats"],
    ["Cestino", "trash"],
    ["=?UTF-8?B?6L+35oOR44Oh44O844Or?=", "spam"],
    ["Sent,Inbox", undefined],
    ["Posta inviata,Posta in arrivo", undefined],
    ["Sendt,Indbakke", undefined],
    ["Sent to me", undefined],
    ["", undefined],
  ])("%s", async (labels, reason) => {
    const mail = `From 1@xxx Mon Jan 05 10:00:00 +0000 2026\nFrom: a@x.com\nX-Gmail-Labels: ${labels}\n\ntext\n`;
    for await (const raw of splitMailbox([encoder.encode(mail)])) {
      const { skipped } = await new MailTrial([]).take(raw);
      expect<string | undefined>(skipped).toBe(reason);
    }
  });
});
