/** @jsxImportSource preact */
import { validate } from "../../../src/issues.ts";
import { createResult, mailFilterTool } from "../../../src/mail-filter/mail-filter.ts";
import { withExtendedLimits } from "../../../src/tool.ts";
import { OPENED_FILE } from "../form/form-state.ts";
import { getFormValue } from "../form/form-values.ts";
import { hydrateToolPage } from "../form/hydrate.ts";
import { applyIntent } from "../form/intents.ts";
import { applyFilterIntent, CONDITION_NAMES, readFilter } from "./filter-form.ts";
import { mailFilterPage } from "./mail-filter-page.tsx";

const { contract } = withExtendedLimits(mailFilterTool);

// Not on a touch screen, where the keyboard would cover the page.
const hasMouse = matchMedia("(pointer: fine)").matches;
if (hasMouse && location.hash === "")
  document
    .querySelector<HTMLElement>(".tokens > .text:first-child > *")
    ?.focus({ preventScroll: true });

/** The part of the reader that the tool runs, as soon as it is loaded. */
let compareWithOpened: typeof import("./opened-export.ts").compareWithOpened | undefined;

hydrateToolPage({
  ...mailFilterPage,
  applyIntent(form, intent) {
    const [, name] = /^open (.+)/.exec(intent) ?? [];
    if (name === undefined || !hasMouse) return applyFilterIntent(form, intent);
    applyIntent(form, intent, mailFilterPage);
    const filter = readFilter(getFormValue(form, name) ?? "");
    const first = CONDITION_NAMES.find((condition) => condition in filter);
    return first === undefined ? name : `${name}.${first}`;
  },
  preferences: { slash: "true" },
  // Compares the filters parsed for the result, so they are parsed only once.
  run(input, _, context) {
    const { filtersWithEntries, result } = createResult(validate(contract.input, input));
    const extra = context.form.has(OPENED_FILE)
      ? compareWithOpened?.(context, filtersWithEntries, input)
      : undefined;
    return { result, extra };
  },
  async loadReader() {
    const { readText, ...module } = await import("./opened-export.ts");
    compareWithOpened = module.compareWithOpened;
    return { readText };
  },
  needsReader: (form) => form.has(OPENED_FILE),
});
