/* The script of every page. The pages also work without it. */
import { copyOnClick } from "./feedback.ts";
import { liveForm } from "./live-form.ts";
import { signupForms } from "./signup/signup.ts";
import { enhanceTabs } from "./tabs.ts";
import { registerTools } from "./webmcp.ts";

copyOnClick();
enhanceTabs();
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-live]")) liveForm(form);
signupForms();
void registerTools();
