import { describe, expect, test } from "bun:test";
import type { FilterInput } from "../../../../schemas/mail-filter.ts";
import type { MailTest } from "../../../../schemas/mail-tests.ts";
import {
  type MailMessage,
  matchMailFilters,
  type Verdict,
} from "../../../../src/mail-filter/index.ts";
import { runMailTest } from "../../../../src/mail-filter/match/mail-test.ts";
import { filterMatchers } from "../../../../src/mail-filter/match/match-mail-filters.ts";

/*
 * The tests that gmailctl has of its own matcher (internal/engine/cfgtest: eval_test.go, exec_test.go
 * and testdata/), converted by hand. Where the answer is another one, the test's name says why.
 */

const EMPTY: MailMessage = {
  ...{ from: "", to: "", cc: "", bcc: "", delivered_to: "", subject: "", list: "" },
  ...{ text: "", attachments: [] },
};

describe("gmailctl's eval_test.go", () => {
  const filters: FilterInput[] = [
    {
      has_words: [
        '(list:(list1.gm.com OR list2@gm.com) to:me@gmail.com) OR subject:Subject OR from:(@google.com OR b) OR "Important message" OR foo@bar.com',
      ],
      star: true,
    },
  ];

  const rows: readonly (readonly [string, MailMessage, Verdict])[] = [
    ["subject: yes, as there", { subject: "contains subject yes" }, "yes"],
    [
      "list with @: yes, as there, where a list's @ is a dot",
      { list: "list1@gm.com", to: "me@gmail.com" },
      "yes",
    ],
    ["from google: yes, as there", { from: "someone@google.com" }, "yes"],
    ["has from: yes, as there", { from: "foo@bar.com" }, "yes"],
    ["has body: yes, as there", { text: "important message" }, "yes"],
    ["list but not to me: no, as there", { list: "list1@gm.com", to: "notme@gmail.com" }, "no"],
  ];

  test.each(rows)("%s", (_, message, verdict) => {
    const [match] = matchMailFilters(filters, { ...EMPTY, ...message });
    expect(match?.matched).toBe(verdict);
  });
});

describe("gmailctl's testdata/pass.jsonnet", () => {
  const LISTS = "list:(list1 OR list2 OR list3)";
  const lists = { skip_inbox: true } as const;
  const filters = filterMatchers(
    [
      ...["maillist", "onemorelabel"].map((label) => ({
        has_words: [LISTS],
        does_not_have: ["to:pippo@gmail.com", "to:pippo@hotmail.com"],
        label,
        ...lists,
      })),
      { to: ["myalias@gmail.com"], has_words: [LISTS], importance: "always" },
      {
        has_words: [
          'from:spammer1 OR from:spammer2 OR subject:"spam mail" OR to:pippo+spammy@gmail.com OR "buy this thing" OR "very important!!!"',
        ],
        delete: true,
      },
    ],
    {},
  );
  const labelled: MailTest["expect"] = { label: ["maillist", "onemorelabel"], ...lists };

  const rows: readonly (readonly [string, MailMessage, MailTest["expect"]])[] = [
    ["spam by its sender is deleted, as there", { from: "spammer1" }, { delete: true }],
    ["spam by its subject is deleted, as there", { subject: "spam mail" }, { delete: true }],
    [
      "spam by its recipient is deleted, as there, with the bracket after the other address",
      { to: "pippo+spammy@gmail.com, someone@else.com]" },
      { delete: true },
    ],
    [
      "an undirected list with a recipient has both labels, as there",
      { list: "list1", to: "someone@else.com" },
      labelled,
    ],
    ["an undirected list without one has both labels, as there", { list: "list2" }, labelled],
    [
      "an important list has the labels and is important, as there",
      { list: "list3", to: "myalias@gmail.com" },
      { ...labelled, importance: "always" },
    ],
    [
      "a directed list is left alone, as there: its address has no plus part",
      { list: "list3", to: "pippo@gmail.com" },
      {},
    ],
  ];

  test.each(rows)("%s", (_, message, expected) => {
    expect(runMailTest(filters, { expect: expected }, { ...EMPTY, ...message })).toEqual([]);
  });
});

describe("gmailctl's testdata/fail.jsonnet and invalid.jsonnet", () => {
  const LISTS = "list:(list1 OR list2 OR list3)";
  const filters = filterMatchers(
    [
      { to: ["myalias@gmail.com"], has_words: [LISTS], importance: "always" },
      { has_words: [LISTS], importance: "never" },
    ],
    {},
  );
  const both = { list: "list2", to: "myalias@gmail.com" };
  const problems = (expected: MailTest["expect"], message: MailMessage) =>
    runMailTest(filters, { expect: expected }, { ...EMPTY, ...message });

  test("wrong test: fails, as there", () => {
    expect(problems({ skip_inbox: true }, both)).toHaveLength(3);
  });

  test("another wrong test: fails for both mails, as there", () => {
    for (const list of ["list1", "list2"]) {
      expect(problems({ importance: "always" }, { list })).toHaveLength(2);
    }
  });

  test("both filters: fails, there for the conflict, here for two actions that are not expected", () => {
    expect(problems({}, both)).toHaveLength(2);
  });
});
