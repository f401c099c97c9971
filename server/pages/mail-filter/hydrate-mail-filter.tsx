/** @jsxImportSource preact */
import type { MailFilterResult } from "../../../schemas/mail-filter.ts";
import { validate } from "../../../src/issues.ts";
import { generate, mailFilterTool } from "../../../src/mail-filter/mail-filter.ts";
import { withExtendedLimits } from "../../../src/tool.ts";
import { SOURCE } from "../form/form-state.ts";
import { textOf } from "../form/form-values.ts";
import { hydrateToolPage } from "../form/hydrate.ts";
import { runLocally } from "../form/run-tool.ts";
import { mailFilterPage } from "./mail-filter-page.tsx";
import type { MailFilterRead } from "./opened-export.ts";

const { contract } = withExtendedLimits(mailFilterTool);

hydrateToolPage<MailFilterResult, MailFilterRead | undefined, typeof import("./opened-export.ts")>({
  ...mailFilterPage,
  ...runLocally(mailFilterTool),
  // The comparison with an opened export reads the filters no second time.
  run(input, _, { form, before, reader }) {
    const { written, result } = generate(validate(contract.input, input));
    const source = textOf(form.get(SOURCE));
    const isSame = source === before?.opened.source;
    const opened = isSame
      ? before.opened
      : source === ""
        ? undefined
        : reader?.openedExport(source);
    const read = opened && {
      opened,
      changes: opened.findChanges(Object(input), written),
      offer: opened.findOffer(Object(input)),
    };
    return { result, read };
  },
  load: () => import("./opened-export.ts"),
  needsReader: (form) => form.has(SOURCE),
  read: async (text, field, load) => (field === "" ? (await load())?.openFilters(text) : undefined),
});
