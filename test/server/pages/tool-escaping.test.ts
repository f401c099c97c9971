import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { tools } from "../../../schemas/index.ts";
import { toolPagePath } from "../../../server/links.ts";
import { faultLog } from "../fault-log.ts";
import { elementsOf } from "../page-elements.ts";
import { BASE_URL, runningServer } from "../running-server.ts";
import { asQuery } from "../tool-calls.ts";
import { readForm } from "./read-form.ts";

const { faults, log } = faultLog();
const server = runningServer({ log });

const RUNS = 100;

/** Each tries to get out of where it stands: a text, an attribute, a comment, a script, a field. */
const BREAKOUTS = [
  ...[
    "<x-evil>",
    "</p><x-evil>",
    "<x-evil",
    '"><x-evil>',
    "'><x-evil>",
    '" x-evil="',
    "' x-evil='",
  ],
  ...[" x-evil=1 ", "--><x-evil>", "]]><x-evil>", "</script><x-evil>", "</textarea><x-evil>"],
  ...[
    "</title><x-evil>",
    "</select><x-evil>",
    "<!--",
    "<script>",
    "&lt;x-evil&gt;",
    "&#60;x-evil>",
  ],
  ...["&quot; x-evil=1", "&", "&amp", "<", ">", '"', "'", "`", "\\u003cx-evil>", "${x}", "{{x}}"],
  ...["javascript:x", "\n", "\r\n", " ", "a", "@x.example", "é", "😀", "\u2028"],
];

const text = fc
  .array(fc.oneof(fc.constantFrom(...BREAKOUTS), fc.string({ unit: "grapheme", maxLength: 3 })), {
    minLength: 1,
    maxLength: 5,
  })
  .map((parts) => parts.join(""));

/** Inputs with hostile texts in every place; many are taken, the others are refused in words. */
const INPUTS = {
  mail_filter_generator: fc.record({
    filters: fc.array(
      fc.record(
        {
          name: text,
          from: fc.array(text, { maxLength: 2 }),
          subject: fc.array(text, { maxLength: 2 }),
          has_words: fc.array(text, { maxLength: 1 }),
          does_not_have: fc.array(text, { maxLength: 2 }),
          larger_than_mb: fc.oneof(text, fc.constant(5)),
          label: text,
          importance: fc.oneof(text, fc.constant("always")),
          star: fc.constant(true),
        },
        { requiredKeys: ["star"] },
      ),
      { minLength: 1, maxLength: 2 },
    ),
  }),
  automation_cost_calculator: fc.record({
    zaps: fc.array(
      fc.record({
        name: text,
        action_steps: fc.oneof(
          { weight: 9, arbitrary: fc.constant(2) },
          { weight: 1, arbitrary: text },
        ),
        runs_per_month: fc.constant(99),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  mcp_config_generator: fc.oneof(
    fc.record({
      name: fc.oneof({ weight: 9, arbitrary: fc.constant("a") }, { weight: 1, arbitrary: text }),
      command: text,
      args: fc.array(text, { maxLength: 2 }),
      env: fc.dictionary(fc.oneof(fc.constantFrom("A", "B_KEY"), text), text, { maxKeys: 2 }),
    }),
    fc.record({
      name: fc.constant("a"),
      url: text.map((path) => `https://x.example/${encodeURI(path.toWellFormed())}`),
      headers: fc.dictionary(fc.constantFrom("A", "Authorization"), text, { maxKeys: 2 }),
    }),
    fc.record({ name: fc.constant("a"), url: text }),
  ),
};

/** The addresses that a page of ours may lead to. */
const PROTOCOLS = ["http:", "https:", "cursor:", "vscode:"];

/** Expects a page of our own elements and attributes, and addresses that run nothing. */
async function expectOwnMarkup(page: string): Promise<void> {
  const elements = await elementsOf(page);
  const names = elements.flatMap(({ tag, attributes }) => [tag, ...Object.keys(attributes)]);
  expect(names.filter((name) => !/^[a-z][a-z0-9-]*$/i.test(name) || name.includes("evil"))).toEqual(
    [],
  );
  expect(elements.filter(({ tag }) => tag === "script")).toHaveLength(2);
  const hrefs = elements.flatMap(({ attributes: { href, action, src } }) => [href, action, src]);
  const protocols = hrefs.map((href = "") => new URL(href, BASE_URL).protocol);
  expect(protocols.filter((protocol) => !PROTOCOLS.includes(protocol))).toEqual([]);
}

describe.each(tools.map((contract) => [toolPagePath(contract), contract.name] as const))(
  "%s",
  (path, name) => {
    test("shows whatever it is given as text, in JSON and as fields", async () => {
      const inputs: fc.Arbitrary<object> = INPUTS[name];
      const outcomes = new Set<string>();
      const property = fc.asyncProperty(inputs, async (input) => {
        const ofJson = await server.text(path + asQuery(JSON.stringify(input)));
        const form = readForm(ofJson);
        const ofFields = await server.text(`${path}?${form}`);
        for (const page of [ofJson, ofFields]) {
          await expectOwnMarkup(page);
          outcomes.add(/data-outcome="(\w+)"/.exec(page)?.[1] ?? "none");
        }
        expect(String(readForm(ofFields))).toBe(String(form));
        expect(faults).toEqual([]);
      });
      await fc.assert(property, { numRuns: RUNS });
      expect([...outcomes].sort()).toEqual(["done", "refused"]);
    }, 60_000);
  },
);
