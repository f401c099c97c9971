/* The script of every page. The pages also work without it. */
import { startCopyButtons } from "../copy-buttons.ts";
import { onFirstInteraction } from "../first-interaction.ts";
import { handOverCards } from "../hand-over.ts";
import { rememberLandingUrl } from "../signup/attribution.ts";
import { registerWebMcpTools } from "./webmcp.ts";

/** Prefixed with the site's name, because all sites on one `localhost` share storage. */
const LANGUAGE_KEY = "handtools.language";

startCopyButtons();
handOverCards();
// Every page reads the visitor's origin, because it may be the first page of the visit.
if (document.documentElement.dataset.signup !== undefined) rememberLandingUrl();
const signup = document.getElementById("signup");
if (signup) loadSignup(signup);
keepLanguage();
void registerWebMcpTools();

/** Keeps the chosen language of the examples from page to page. */
function keepLanguage(): void {
  const languages = document.querySelector(".languages");
  try {
    const kept = sessionStorage.getItem(LANGUAGE_KEY);
    languages?.querySelector<HTMLElement>(`[value="${kept}"]`)?.click();
    languages?.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement) sessionStorage.setItem(LANGUAGE_KEY, target.value);
    });
  } catch {
    // Storage is off: each page begins with the first language.
  }
}

/** Loads the signup at the user's first interaction, or the next. It gets a press that came before. */
function loadSignup(place: HTMLElement): void {
  const loaded = new AbortController();
  let pressed: EventTarget | null = null;
  place.addEventListener(
    "submit",
    (event) => {
      event.preventDefault();
      pressed = event.target;
    },
    { signal: loaded.signal },
  );
  const load = async () => {
    const module = await import("../signup/hydrate-signup.tsx").catch(() => undefined);
    if (!module) {
      onFirstInteraction(load);
      return;
    }
    module.hydrateSignup(place, JSON.parse(place.dataset.settings ?? ""));
    loaded.abort();
    if (pressed instanceof HTMLFormElement) pressed.requestSubmit();
  };
  onFirstInteraction(load);
}
