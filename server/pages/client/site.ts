/* The script of every page. The pages also work without it. */
import { startCopyButtons } from "../copy.ts";
import { landingUrl } from "../signup/landing.ts";
import { markShownPart } from "./contents.ts";
import { copyOnClick, saveOnClick, searchOnInput, shareOnClick } from "./feedback.ts";
import { registerTools } from "./webmcp.ts";

startCopyButtons();
copyOnClick();
saveOnClick();
shareOnClick();
searchOnInput();
markShownPart();
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-live]")) loadTool(form);
// Every page reads where the visitor comes from, because it may be the first one of the visit.
if (document.documentElement.dataset.signup !== undefined) landingUrl();
const signup = document.getElementById("signup");
if (signup) loadSignup(signup);
void registerTools();

/** Loads the tool when the page has loaded. Until then, and if that fails, the form is submitted. */
function loadTool(form: HTMLFormElement): void {
  const load = async () => {
    const module = await import("./tool/tool.ts").catch(() => undefined);
    if (module) await module.startTool(form);
    else form.dataset.failed = "";
  };
  if (document.readyState === "complete") void load();
  else addEventListener("load", () => void load(), { once: true });
}

/** Loads the signup at the first sign of a user. Until then its button is disabled. */
function loadSignup(place: HTMLElement): void {
  const signs = ["pointermove", "pointerdown", "keydown", "focusin"];
  const load = async () => {
    for (const sign of signs) removeEventListener(sign, load);
    const module = await import("../signup/signup-client.tsx").catch(() => undefined);
    if (module) module.startSignup(place, JSON.parse(place.dataset.settings ?? ""));
    else listen();
  };
  const listen = () => {
    for (const sign of signs) addEventListener(sign, load);
  };
  listen();
}
