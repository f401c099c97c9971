/** @jsxImportSource preact */
import type { MailFilterResult, mailFilterContract } from "../../../schemas/mail-filter.ts";
import {
  generate,
  mailFilterTool,
  type WrittenFilter,
} from "../../../src/mail-filter/mail-filter.ts";
import type { Tool } from "../../../src/tool.ts";
import { textOf } from "../form/form.ts";
import { live } from "../form/live.ts";
import { SOURCE } from "../form/run-form.ts";
import { listFilters } from "./fields.ts";
import { MailFilterPage, mailFilterPage } from "./mail-filter.tsx";
import type { Offer, OpenedExport } from "./open-export.ts";

/** Reads exports. It is loaded at the first sign of a user, for a page that goes offline later. */
let reader: typeof import("./open-export.ts") | undefined;

async function load() {
  reader ??= await import("./open-export.ts");
  return reader;
}

/** What the tool has read for a result: the comparison with an export reads it no second time. */
const writtenFor = new WeakMap<MailFilterResult, readonly WrittenFilter[]>();
const tool: Tool<typeof mailFilterContract> = {
  ...mailFilterTool,
  run(valid) {
    const { written, result } = generate(valid);
    writtenFor.set(result, written);
    return result;
  },
};
let opened: { readonly source: string; readonly file: OpenedExport } | undefined;
/** The opened export, which is a part of the form, so that undo, a reload and a draft keep it. */
const openedBy = (source: string): OpenedExport | undefined => {
  if (source === "") return undefined;
  if (!reader) void load().then(() => page.show());
  else if (opened?.source !== source) opened = { source, file: reader.openedExport(source) };
  return reader && opened?.file;
};
const offerFor = offers(() => page.show());

const page = live(mailFilterPage, tool, {
  view(state, shown) {
    const { result } = state;
    const file = openedBy(textOf(state.tree.get(SOURCE)));
    // The last result stays while there is none now.
    const of = result ? state : shown.lastGood;
    const written = of?.result && writtenFor.get(of.result);
    const changes = of && written && file?.findChanges(of.input, written);
    const offer = result && file && offerFor(file, state.input);
    return <MailFilterPage state={state} live={{ ...shown, changes, offer }} />;
  },
  preload: load,
  read: async (text, field) => (field === "" ? (await load()).openFilters(text) : undefined),
});

/** Finds offers to merge in the pauses of the typing: that takes as long as the tool itself. */
function offers(show: () => void) {
  let last:
    | { readonly json: string; readonly filters: number; readonly offer: Offer | undefined }
    | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  return (file: OpenedExport, input: object): Offer | undefined => {
    const json = JSON.stringify(input);
    const filters = listFilters(input).length;
    clearTimeout(pause);
    if (last?.json !== json)
      pause = setTimeout(() => {
        last = { json, filters, offer: file.findOffer(input) };
        show();
      }, OFFER_PAUSE_MS);
    // One that is a keystroke old stays, so that nothing moves.
    return last?.filters === filters ? last.offer : undefined;
  };
}

const OFFER_PAUSE_MS = 300;
