import type { ToolPage } from "./form-state.ts";
import { type FormValues, parseForm, toFormEntries } from "./form-values.ts";

/* The draft of a form in the tab's storage, and the choices that the browser remembers. */

const draftKey = (): string => `draft ${location.pathname}${location.search}`;

/** Keeps the form while the user is on another page or reloads this one. */
export function saveDraftOnLeave(
  element: HTMLFormElement,
  { withoutSecrets }: Pick<ToolPage, "withoutSecrets">,
  isChanged: () => boolean,
): void {
  const save = () => {
    if (!isChanged()) return;
    const form = parseForm(new FormData(element));
    try {
      // If the draft does not fit, drop the old draft.
      sessionStorage.removeItem(draftKey());
      const draft = toFormEntries(withoutSecrets?.(form) ?? form);
      sessionStorage.setItem(draftKey(), JSON.stringify(draft));
    } catch {
      // The storage is forbidden, or too small for the opened file.
    }
  };
  addEventListener("pagehide", save);
  // A phone may end a page in the background without an event.
  addEventListener("visibilitychange", save);
}

export function loadDraft(): FormValues | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(draftKey()) ?? "null");
    return Array.isArray(kept) ? parseForm(kept) : undefined;
  } catch {
    return undefined;
  }
}

/** Choices from a link, or remembered ones. They are not part of the input. */
export function loadPreferences(
  defaults: Readonly<Record<string, string>>,
): Record<string, string> {
  // They follow the input in the hash.
  const linked = new URLSearchParams(location.hash.replace(/^[^&]*/, ""));
  const kept = Object.entries(defaults).map(([name, value]) => {
    try {
      return [name, linked.get(name) ?? localStorage.getItem(`choice ${name}`) ?? value];
    } catch {
      // The storage is forbidden.
      return [name, value];
    }
  });
  return Object.fromEntries(kept);
}

export function savePreference(name: string, value: string): void {
  try {
    localStorage.setItem(`choice ${name}`, value);
  } catch {
    // The storage is full or forbidden.
  }
}
