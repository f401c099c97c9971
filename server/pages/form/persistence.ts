import { toolPagePath } from "../../paths.ts";
import { type FormState, getShareableInput, OPENED_FILE, type ToolPage } from "./form-state.ts";
import { asText, type FormValues, parseForm, toFormEntries } from "./form-values.ts";

/* What outlives a page: a draft in the tab's storage, and a link with the input. Both are the form once more. */

const draftKey = (): string => `draft ${location.pathname}${location.search}`;

/** Keeps the form while the user is on another page or reloads this one. */
export function saveDraftOnLeave(
  form: HTMLFormElement,
  { withoutSecrets = (form) => form }: Pick<ToolPage, "withoutSecrets">,
  isChanged: () => boolean,
): void {
  const save = () => {
    if (!isChanged()) return;
    const data = toFormEntries(withoutSecrets(parseForm(new FormData(form))));
    for (const kept of [data, data.filter(([name]) => name !== OPENED_FILE)]) {
      try {
        // If the draft does not fit, drop the old draft.
        sessionStorage.removeItem(draftKey());
        sessionStorage.setItem(draftKey(), JSON.stringify(kept));
        return;
      } catch {
        // The storage has no room for every opened file, or is forbidden.
      }
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

/** Whether the user typed before the page was hydrated. */
export const isEdited = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll<HTMLInputElement>("input:not([type=file]), textarea")].some(
    ({ type, checked, defaultChecked, value, defaultValue }) =>
      /^(?:checkbox|radio)$/.test(type) ? checked !== defaultChecked : value !== defaultValue,
  );

/** The beginning of a hash with an input: the version of its format, then JSON in base64url. */
const SHARE_HASH = "#v1.";

const CHUNK_BYTES = 8_192;

/** A link to a page with an input. Browsers send nothing of a hash; the page's script reads it. */
export function createShareLink(
  { contract, linkedControls = [] }: Pick<ToolPage, "contract" | "linkedControls">,
  input: object,
  form: FormValues,
): string {
  const bytes = new TextEncoder().encode(JSON.stringify(input));
  // One string for each byte would be slow, and all bytes are too many arguments.
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES)));
  const base64 = btoa(parts.join(""));
  const base64url = base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const choices = linkedControls
    .map((name) => [name, asText(form.get(name))])
    .filter(([, value]) => value);
  const query = choices.length > 0 ? `&${new URLSearchParams(choices)}` : "";
  return `${toolPagePath(contract)}${SHARE_HASH}${base64url}${query}`;
}

/** The JSON input in the page's URL. A truncated link is returned too, and then reported. */
export function readInputFromLink(): string | undefined {
  if (!location.hash.startsWith(SHARE_HASH)) return undefined;
  const [base64url = ""] = location.hash.slice(SHARE_HASH.length).split("&");
  const base64 = base64url.replaceAll("-", "+").replaceAll("_", "/");
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return base64;
  }
}

/** Whether this tab wrote the input into its URL, for example before a reload. */
export const isFromThisTab = (): boolean => Object(history.state).isOwn === true;

/** Browsers limit how often a page may change its address. */
const ADDRESS_PAUSE_MS = 500;

/**
 * Writes the input of a form into the page's URL, so that it can be reloaded or shared. A form that may
 * hold secrets is only taken out of it.
 */
export function scheduleUrlUpdate<Result>(state: FormState<Result>): void {
  const { page, form, result, isBlank } = state;
  clearTimeout(timer);
  if (!result && !isBlank) return;
  const { href } = location;
  timer = setTimeout(() => {
    // Another link was opened in the meantime.
    if (location.href !== href) return;
    const input = isBlank ? undefined : getShareableInput(state);
    const link = input && createShareLink(page, input, form);
    const [own] = location.hash.split("&");
    const isKept =
      link !== undefined && (!page.contract.sensitive || link.split("&")[0]?.endsWith(own || "#"));
    history.replaceState({ isOwn: true }, "", isKept ? link : location.pathname);
  }, ADDRESS_PAUSE_MS);
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Choices from a link, or remembered ones. They are not part of the input. */
export function loadPreferences(
  defaults: Readonly<Record<string, string>>,
): Record<string, string> {
  // After the input in the hash.
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

export function savePreference(choices: Record<string, string>, name: string, value: string): void {
  choices[name] = value;
  try {
    localStorage.setItem(`choice ${name}`, value);
  } catch {
    // The storage is full or forbidden.
  }
}
