/** @jsxImportSource preact */
import { render } from "preact";
import { loadChallenge, sendSignup } from "./send-signup.ts";
import { SignupForm, type SignupSettings } from "./signup-form.tsx";

/** Takes over the form that the server has rendered, with what was typed into it. */
export function startSignup(place: HTMLElement, settings: SignupSettings): void {
  render(<SignupForm {...settings} send={sendSignup} />, place);
  const slot = place.querySelector<HTMLElement>(".challenge");
  const load = () => {
    // A failure is reported on submit.
    if (slot) loadChallenge(slot, settings.siteKey).catch(() => undefined);
  };
  if (place.contains(document.activeElement)) load();
  else place.addEventListener("focusin", load, { once: true });
}
