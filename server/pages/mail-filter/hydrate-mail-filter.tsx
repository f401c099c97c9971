/** @jsxImportSource preact */
import { validate } from "../../../src/issues.ts";
import { createResult, mailFilterTool } from "../../../src/mail-filter/mail-filter.ts";
import { withExtendedLimits } from "../../../src/tool.ts";
import { OPENED_FILE } from "../form/form-state.ts";
import { hydrateToolPage } from "../form/hydrate.ts";
import { mailFilterPage } from "./mail-filter-page.tsx";

const { contract } = withExtendedLimits(mailFilterTool);

/** The part of the reader that the tool runs, as soon as it is loaded. */
let compare: typeof import("./opened-export.ts").compareWithOpened | undefined;

hydrateToolPage({
  ...mailFilterPage,
  preferences: { slash: "true" },
  // Compares the filters parsed for the result, so they are parsed only once.
  run(input, _, context) {
    const { filtersWithEntries, result } = createResult(validate(contract.input, input));
    const extra = context.form.has(OPENED_FILE)
      ? compare?.(context, filtersWithEntries, input)
      : undefined;
    return { result, extra };
  },
  async loadReader() {
    const { readText, compareWithOpened } = await import("./opened-export.ts");
    compare = compareWithOpened;
    return { readText };
  },
  needsReader: (form) => form.has(OPENED_FILE),
});
