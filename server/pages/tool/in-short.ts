import { plural } from "../../../src/text.ts";
import type { View } from "../view.ts";
import type { Sheet } from "./sheet.ts";

/** What came of a form, in a few words. */
export function inShort({ outcome }: Sheet, view: View): string {
  switch (outcome.kind) {
    case "blank":
      return "Fill in the form, and the result appears here.";
    case "refused":
      return `${plural(outcome.issues.length, "thing")} to put right first`;
    case "done":
      return view.summary(outcome.result);
  }
}
