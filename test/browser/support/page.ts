import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { tools } from "../../../schemas/index.ts";
import { DOCS_PATH, HOME_PATH, SERVICE_DOCS_PATH, toolPagePath } from "../../../server/paths.ts";

/* The parts of a tool's page. Its controls are named by their path in the input, `zaps[0].name`. */

export const control = (page: Page, name: string): Locator => page.locator(`[id="${name}"]`);

/** The texts of a list, with the one in its text control. */
export const textsOf = async (page: Page, list: string): Promise<readonly string[]> => {
  const texts = page.locator(`[name="${list}"]`);
  const values = await texts.evaluateAll((controls) =>
    controls.map((control) => String(Reflect.get(control, "value"))),
  );
  return values.filter(Boolean);
};

/** The messages beside a control. */
export const notes = (page: Page, name: string): Locator => page.locator(`[id="${name}:notes"]`);

/** The sentence above the result. */
export const status = (page: Page): Locator => page.locator("#status");

/** Why a file or a paste was not read. */
export const readingError = (page: Page): Locator => page.locator("#reading.bad");

export const result = (page: Page): Locator => page.locator("#result");

/** A button that changes rows, by what it does: `add zaps`, `remove zaps[1]`. */
export const rowButton = (page: Page, intent: string): Locator =>
  page.locator(`button[name="do"][value="${intent}"]`);

/** Shows the fields that few people use. */
export async function unfold(page: Page): Promise<void> {
  const folded = page.locator(".more:not([open]) > summary:visible");
  while ((await folded.count()) > 0) await folded.first().click();
}

/** The input that the result on the page is for, without what may be secret; undefined without one. */
export async function shownInput(page: Page): Promise<unknown> {
  const link = page.locator("#share");
  if ((await link.count()) === 0) return undefined;
  const href = (await link.getAttribute("href")) ?? "";
  const [, input = ""] = /#v1\.([^&]*)/.exec(href) ?? [];
  return JSON.parse(Buffer.from(input, "base64url").toString());
}

/** True when the result is marked as older than the form. */
export const isStale = (page: Page): Promise<boolean> =>
  result(page).evaluate((element) => element.hasAttribute("data-stale"));

/** The paths of the tools' pages. */
export const MAIL = "/tools/mail-filter-generator";
/** The page of the Gmail filters with the example, as its form would be sent. */
export const MAIL_EXAMPLE = `${MAIL}?${new URLSearchParams([
  ["filters[0].name", "Bills and receipts"],
  ["filters[0].from", "billing@acme.example"],
  ["filters[0].from", "@shop.example"],
  ["filters[0].subject", "invoice"],
  ["filters[0].subject", "your receipt"],
  ["filters[0].does_not_have", "refund"],
  ["filters[0].label", "Money/Bills"],
  ["filters[0].skip_inbox", "true"],
])}`;
export const COST = "/tools/automation-cost-calculator";
/** The page of the Zapier costs with two Zaps. */
export const COST_EXAMPLE = `${COST}?${new URLSearchParams([
  ["zaps[0].name", "New lead to CRM and chat"],
  ["zaps[0].action_steps", "2"],
  ["zaps[0].runs_per_month", "400"],
  ["zaps[1].name", "Invoice to accounting"],
  ["zaps[1].action_steps", "3"],
  ["zaps[1].runs_per_month", "60"],
])}`;
export const MCP = "/tools/mcp-config-generator";
/** The page of the MCP configs with a local server. */
export const MCP_EXAMPLE = `${MCP}?${new URLSearchParams([
  ["name", "files"],
  ["command", "npx"],
  ["args", "-y"],
  ["args", "@modelcontextprotocol/server-filesystem"],
  ["args", "/home/me/notes"],
])}`;

/** Each page, and of the documentation the first and the last. */
export const PAGES = [HOME_PATH, ...tools.map(toolPagePath), DOCS_PATH, SERVICE_DOCS_PATH];

/** The path of no page. */
export const NO_PAGE = "/tools/nothing";
/** The message of a browser's console about it. */
export const NOT_FOUND = /status of 404/;

/** The hash of a link that opens a tool's page with this input. */
export const shareHash = (input: unknown): string =>
  `#v1.${Buffer.from(JSON.stringify(input)).toString("base64url")}`;

const WITHIN_MS = 25_000;
const BETWEEN_MS = 25;

/** Asks until the answer is the wanted one. */
export async function eventually<Answer>(
  ask: () => Promise<Answer>,
  wanted: Answer,
): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  let answer = await ask();
  while (!Bun.deepEquals(answer, wanted) && Date.now() < deadline) {
    await Bun.sleep(BETWEEN_MS);
    answer = await ask();
  }
  expect<unknown>(answer).toEqual(wanted);
}
