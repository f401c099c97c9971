import { expect, test } from "bun:test";
import { filterMatchers } from "../../../src/mail-filter/match/match-mail-filters.ts";
import { MailTrial } from "../../../src/mail-try/mail-trial.ts";
import { splitMailbox } from "../../../src/mail-try/split-mailbox.ts";
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
    expect(raw.bytes).toBe(facts?.bytes ?? 0);
    const tried = await trial.take(raw, () => "");
    if (tried.skipped) throw new Error(`Mail ${index} is left out`);
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
