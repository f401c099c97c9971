import { join } from "node:path";
import { SearchableMail } from "../../../src/mail-filter/match/mail.ts";
import { filterMatchers } from "../../../src/mail-filter/match/match.ts";
import { splitMailbox } from "../../../src/mail-try/mailbox.ts";
import { readMail } from "../../../src/mail-try/read-mail.ts";
import { outputOf } from "../programs.ts";
import { type Check, runChecks } from "../runner.ts";

/*
 * Python's own library reads two thousand mails, many of them broken, beside ours: no verdict that
 * is sure may differ. `npm run test:live mail`; a number after `--` makes other mails.
 */

const [seed = "42"] = process.argv.slice(2);
const MAILS = 2000;

/** A mail, and the words that Python finds in it. */
interface SecondOpinion {
  readonly mail: string;
  readonly words: readonly string[];
  readonly subject: readonly string[];
  readonly from: readonly string[];
  /** Null where it gives up a body. */
  readonly text: readonly string[] | null;
}

async function compare(): Promise<void> {
  const script = join(import.meta.dir, "mails.py");
  const lines = await outputOf(["python3", script, seed, String(MAILS)], { cwd: "/" });
  const counts = { yes: 0, no: 0, unknown: 0 };
  const wrong: string[] = [];
  for (const line of lines.trim().split("\n")) {
    const opinion: SecondOpinion = JSON.parse(line);
    const { subject, from, text } = opinion;
    const searches = opinion.words.flatMap((word) => [
      { search: `subject:"${word}"`, isFound: subject.includes(word) },
      { search: `from:"${word}"`, isFound: from.includes(word) },
      ...(text === null
        ? []
        : [{ search: `"${word}"`, isFound: [...subject, ...from, ...text].includes(word) }]),
    ]);
    const matchers = filterMatchers(
      searches.map(({ search }) => ({ has_words: [search], star: true })),
      {},
    );
    for await (const raw of splitMailbox([Buffer.from(opinion.mail, "base64")])) {
      const reading = new SearchableMail((await readMail(raw)).message);
      searches.forEach(({ search, isFound }, index) => {
        const { matched = "unknown" } = matchers[index]?.match(reading) ?? {};
        counts[matched] += 1;
        if (matched === (isFound ? "no" : "yes")) {
          wrong.push(`${search}: ${matched}\n${Buffer.from(opinion.mail, "base64")}`);
        }
      });
    }
  }
  const all = counts.yes + counts.no + counts.unknown;
  const sure = (100 * (counts.yes + counts.no)) / all;
  if (wrong.length > 0) throw new Error(`${wrong.length} of ${all} differ: ${wrong[0]}`);
  if (counts.yes < 5000 || sure < 40)
    throw new Error(`too few are sure: ${JSON.stringify(counts)}`);
}

const checks: readonly Check[] = [
  { title: `of ${MAILS} mails Python finds the words that we are sure of`, run: compare },
];

await runChecks(checks);
