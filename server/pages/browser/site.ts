/* The script of every page. The pages also work without it. */
import { startCopyButtons } from "../copy.ts";
import { atFirstSign } from "../first-sign.ts";
import { landingUrl } from "../signup/landing.ts";
import { registerTools } from "./webmcp.ts";

startCopyButtons();
// Every page reads where the visitor comes from, because it may be the first one of the visit.
if (document.documentElement.dataset.signup !== undefined) landingUrl();
const signup = document.getElementById("signup");
if (signup) loadSignup(signup);
void registerTools();

/** Loads the signup at the first sign of a user, or the next. Until then its button is disabled. */
function loadSignup(place: HTMLElement): void {
  atFirstSign(async () => {
    const module = await import("../signup/signup-client.tsx").catch(() => undefined);
    if (module) module.startSignup(place, JSON.parse(place.dataset.settings ?? ""));
    else loadSignup(place);
  });
}
