import { besideInput } from "../../tool/tool-view.ts";
import type { BesideInput } from "../../view.ts";
import { setPart } from "../page-parts.ts";

/** Shows what a text gave beside its input, until another text is read. */
export function besideForm(choose: (offer: NonNullable<BesideInput["offer"]>) => void) {
  let shown: BesideInput = {};
  document.addEventListener("click", ({ target }) => {
    const isOffer = target instanceof Element && target.closest("[data-offer]");
    if (!isOffer || !shown.offer) return;
    choose(shown.offer);
    document.querySelector<HTMLElement>("#beside summary")?.focus();
  });
  const show = (beside: BesideInput = {}) => {
    shown = beside;
    setPart("beside", besideInput(beside));
  };
  /** The way back to what is shown now. */
  const save = () => {
    const saved = shown;
    return () => show(saved);
  };
  return { show, save, now: () => shown };
}
