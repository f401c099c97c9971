/* The script of every page. The pages also work without it. */
import { startCopyButtons } from "../copy-buttons.ts";
import { onFirstInteraction } from "../first-interaction.ts";
import { handOverCards } from "../hand-over.ts";
import { rememberLandingUrl } from "../signup/attribution.ts";
import { registerWebMcpTools } from "./webmcp.ts";

startCopyButtons();
handOverCards();
// Every page reads the visitor's origin, because it may be the first page of the visit.
if (document.documentElement.dataset.signup !== undefined) rememberLandingUrl();
const signup = document.getElementById("signup");
if (signup) loadSignup(signup);
void registerWebMcpTools();

/** Loads the signup at the user's first interaction, or the next. Until then its button is disabled. */
function loadSignup(place: HTMLElement): void {
  onFirstInteraction(async () => {
    const module = await import("../signup/hydrate-signup.tsx").catch(() => undefined);
    if (module) module.hydrateSignup(place, JSON.parse(place.dataset.settings ?? ""));
    else loadSignup(place);
  });
}
