/** @jsxImportSource preact */
import { validate } from "../../../src/issues.ts";
import { createResult, mailFilterTool } from "../../../src/mail-filter/mail-filter.ts";
import { withExtendedLimits } from "../../../src/tool.ts";
import { OPENED_FILE } from "../form/form-state.ts";
import { hydrateToolPage } from "../form/hydrate.ts";
import { mailFilterPage } from "./mail-filter-page.tsx";

const { contract } = withExtendedLimits(mailFilterTool);

hydrateToolPage({
  ...mailFilterPage,
  preferences: { slash: "true" },
  // Compares the filters parsed for the result, so they are parsed only once.
  run(input, _, context, reader) {
    const { filtersWithEntries, result } = createResult(validate(contract.input, input));
    const extra = context.form.has(OPENED_FILE)
      ? reader?.compareWithOpened(context, filtersWithEntries, input)
      : undefined;
    return { result, extra };
  },
  loadReader: () => import("./opened-export.ts"),
  needsReader: (form) => form.has(OPENED_FILE),
});
