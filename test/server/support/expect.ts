import { expect } from "bun:test";
import { ERROR_STATUS, type ErrorCode } from "../../../schemas/index.ts";

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Expects the one body of every error, the status of its code, and the documented text. */
export function expectFailure({ status, body }: Answer, code: ErrorCode, message?: string) {
  const parsed = JSON.parse(body);
  const said: unknown = parsed.error?.message;
  expect({ status, body: parsed }).toEqual({
    status: ERROR_STATUS[code],
    body: { error: { code, message: expect.stringMatching(/^Request rejected(: .+)?$/) } },
  });
  if (message !== undefined) expect(said).toBe(`Request rejected: ${message}`);
}

/** Waits until this is so, and fails when it takes more than ten seconds. */
export async function expectSoon(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 500 && !(await isSo()); waited++) await Bun.sleep(20);
  expect(await isSo()).toBe(true);
}

/** A log that keeps only errors. */
export function faultLog() {
  const faults: unknown[] = [];
  const log = {
    request: () => {},
    warning: () => {},
    error: (_: string, error: unknown) => faults.push(error),
  };
  return { faults, log };
}

export interface PageElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Of all that is in it, with its entities decoded. */
  readonly text: string;
}

/** The elements of a page, in the order in which they begin. */
export async function elementsOf(page: string): Promise<readonly PageElement[]> {
  const elements: { tag: string; attributes: Record<string, string>; text: string }[] = [];
  const open: typeof elements = [];
  const rewriter = new HTMLRewriter().on("*", {
    element(found) {
      const element = {
        tag: found.tagName,
        attributes: Object.fromEntries(
          [...found.attributes].map(([name, value]) => [name, decodeEntities(value)]),
        ),
        text: "",
      };
      elements.push(element);
      if (!found.canHaveContent) return;
      open.push(element);
      found.onEndTag(() => {
        open.pop();
      });
    },
    text(chunk) {
      for (const element of open) element.text += chunk.text;
    },
  });
  await rewriter.transform(new Response(page)).text();
  return elements.map((element) => ({ ...element, text: decodeEntities(element.text).trim() }));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
  "&#xFEFF;": "\uFEFF",
};

/** Decodes what our templates encode. */
export const decodeEntities = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|#39|amp|#xFEFF);/g, (entity) => ENTITIES[entity] ?? entity);
