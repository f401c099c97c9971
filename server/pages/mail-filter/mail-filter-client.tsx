import { mailFilterTool } from "../../../src/mail-filter/mail-filter.ts";
import { browserHost } from "../form/browser-host.ts";
import { textOf } from "../form/form.ts";
import { live } from "../form/live.ts";
import { addFilters } from "./fields.ts";
import { MailFilterPage, mailFilterPage } from "./mail-filter.tsx";

/** Reads exports. It is loaded at the first sign of a user, for a page that goes offline later. */
let reader: typeof import("./open-export.ts") | undefined;

const form = document.querySelector<HTMLFormElement>("#tool-form");
if (form) start(form);

function start(form: HTMLFormElement): void {
  const { show } = live(form, mailFilterPage, browserHost(mailFilterTool, form), {
    view(state, shown) {
      // The opened export is a part of the form, so that undo, a reload and a draft keep it.
      const source = textOf(state.tree.get("source"));
      if (source !== "" && !reader) void load().then(() => show());
      const changes =
        state.result && source !== "" ? reader?.findChanges(source, state.input) : undefined;
      return <MailFilterPage state={state} live={{ ...shown, changes }} />;
    },
    async read(text) {
      const opened = (await load()).openFilters(text);
      if ("reason" in opened) return opened;
      return {
        notice: opened.summary,
        change(tree) {
          if (opened.isExport) tree.set("source", text);
          return addFilters(tree, opened.filters);
        },
      };
    },
  });
  for (const sign of ["pointermove", "focusin", "keydown"])
    addEventListener(sign, load, { once: true });
}

async function load() {
  reader ??= await import("./open-export.ts");
  return reader;
}
