/* The script of every page. The pages also work without it. */
import { markShownPart } from "./contents.ts";
import { copyOnClick, saveOnClick } from "./feedback.ts";
import { signupForms } from "./signup/signup.ts";
import { enhanceContent } from "./tabs.ts";
import { registerTools } from "./webmcp.ts";

copyOnClick();
saveOnClick();
enhanceContent();
markSystem();
markShownPart();
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-live]")) loadTool(form);
signupForms();
void registerTools();

/** Loads the tool when the page is there. Until then, and if that fails, the form is sent. */
function loadTool(form: HTMLFormElement): void {
  const load = async () => {
    const module = await import("./tool.ts").catch(() => undefined);
    await module?.startTool(form);
  };
  if (document.readyState === "complete") void load();
  else addEventListener("load", () => void load(), { once: true });
}

/** Tells the style which system's paths come first. */
function markSystem(): void {
  const platform = navigator.userAgent;
  const system = /Windows/.test(platform) ? "windows" : /Mac/.test(platform) ? "macos" : "linux";
  document.documentElement.dataset.system = system;
}
