import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { callTool, type MailFilterResult } from "../../src/index.ts";
import { mailFilterTool } from "../../src/mail-filter/mail-filter.ts";
import { runTool } from "../../src/tool.ts";
import { expectMailFilterPromises } from "../fuzz/mail-filter-promises.ts";
import { hostileInput } from "./hostile-filters.ts";

const ACCEPTED = 5000;

/** Results of hostile inputs that were accepted; the refused ones must say where and why. */
function* acceptedResults(): Generator<{ result: MailFilterResult; input: unknown }> {
  let accepted = 0;
  for (let seed = 1; accepted < ACCEPTED && seed <= 60; seed += 1) {
    for (const input of fc.sample(hostileInput, { seed, numRuns: 500 })) {
      const outcome = callTool("mail_filter_generator", input);
      if (outcome.ok) {
        accepted += 1;
        yield { result: runTool(mailFilterTool, input), input };
      } else {
        expect(outcome.error.code).toBe("invalid_request");
        expect(outcome.error.issues[0]?.path).toMatch(/^filters/);
      }
    }
  }
  expect(accepted).toBeGreaterThanOrEqual(ACCEPTED);
}

describe("every accepted hostile input", () => {
  test("keeps the promises of the result", () => {
    for (const { result, input } of acceptedResults()) {
      expectMailFilterPromises(result);
      expect(runTool(mailFilterTool, input)).toEqual(result);
    }
  }, 120_000);
});
