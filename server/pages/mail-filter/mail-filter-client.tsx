/** @jsxImportSource preact */
import type { MailFilterResult } from "../../../schemas/mail-filter.ts";
import { validate } from "../../../src/issues.ts";
import { generateWritten, mailFilterTool } from "../../../src/mail-filter/mail-filter.ts";
import { withLocalLimits } from "../../../src/tool.ts";
import { textOf } from "../form/form.ts";
import { hydrateToolPage } from "../form/hydrate.ts";
import { SOURCE, type State } from "../form/run-form.ts";
import { runLocally } from "../form/run-tool.ts";
import { MailFilterPage, mailFilterPage } from "./mail-filter.tsx";
import { isMail, mailTrials } from "./mail-trial.ts";
import type { MailFilterRead } from "./open-export.ts";

const { contract } = withLocalLimits(mailFilterTool);
const worker = document.querySelector<HTMLElement>(".tool-page")?.dataset.worker ?? "";
const trials = mailTrials(worker, () => page.update());
let shown: State<MailFilterResult> | undefined;

const page = hydrateToolPage<
  MailFilterResult,
  MailFilterRead | undefined,
  typeof import("./open-export.ts")
>({
  ...mailFilterPage,
  ...runLocally(mailFilterTool),
  // The comparison with an opened export reads the filters no second time.
  run(input, _, { form, before, reader }) {
    const { written, result } = generateWritten(validate(contract.input, input));
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
  load: () => import("./open-export.ts"),
  needsReader: (form) => form.has(SOURCE),
  read: async (text, field, load) => (field === "" ? (await load())?.openFilters(text) : undefined),
  view(props) {
    shown = props.state;
    return <MailFilterPage {...props} trials={trials} />;
  },
  async openFiles(files, open) {
    const isMails = await Promise.all(files.map(isMail));
    const mails = files.filter((_, index) => isMails[index]);
    // Filters that come with mail are opened first.
    if (mails.length < files.length) await open(files.filter((_, index) => !isMails[index]));
    if (mails.length === 0) return;
    if (shown?.result) trials.start(shown.input, mails);
    else page.reject("These filters cannot be tried yet: finish them, then drop the mail again.");
  },
});
