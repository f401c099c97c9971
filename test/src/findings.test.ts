import { expect, test } from "bun:test";
import { costFindings } from "../../src/automation-cost/cost-findings.ts";
import { filterFindings } from "../../src/mail-filter/filter-findings.ts";
import { mcpFindings } from "../../src/mcp-config/config-findings.ts";

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

test("a sentence for pages has no placeholder that its message does not have", () => {
  const templates = [costFindings, filterFindings, mcpFindings].flatMap((table) =>
    Object.entries<{ readonly message: unknown; readonly onPage?: unknown }>(table),
  );
  const pairs = templates.flatMap(([code, { message, onPage }]) =>
    typeof message === "string" && typeof onPage === "string" ? [{ code, message, onPage }] : [],
  );
  expect(pairs).not.toBeEmpty();
  for (const { code, message, onPage } of pairs)
    expect([code, ...namesIn(message)]).toEqual(expect.arrayContaining([code, ...namesIn(onPage)]));
});
