import { formatProblem, InvalidInputError, replaceFieldNames } from "../../../src/issues.ts";
import { parseJson } from "../../../src/parse-json.ts";
import { formatSomeClauses } from "../../../src/text.ts";
import { toolPagePath } from "../../paths.ts";
import {
  type FormState,
  FROM_LINK,
  getInput,
  getWarnings,
  isBlankInput,
  LINK_PROBLEM,
  markTouched,
  OPENED_FILE,
  type Runner,
  type ToolPage,
} from "./form-state.ts";
import { asText, type FormValues, toFormValues } from "./form-values.ts";

/* Links with an input. Browsers do not send the hash of a URL; the page's script reads it. */

/** The beginning of a hash with an input: the version of its format, then JSON in base64url. */
const SHARE_HASH = "#v1.";

export function createShareLink(
  page: Pick<ToolPage, "contract" | "linkedControls" | "linkInput">,
  input: object,
  form: FormValues,
): string {
  const { contract, linkedControls = [] } = page;
  const choices = linkedControls
    .map((name) => [name, asText(form.get(name))])
    .filter(([, value]) => value);
  const query = choices.length > 0 ? `&${new URLSearchParams(choices)}` : "";
  return `${toolPagePath(contract)}${SHARE_HASH}${toBase64Url(JSON.stringify(page.linkInput?.(form) ?? input))}${query}`;
}

const CHUNK_BYTES = 8_192;

function toBase64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  // A string for each byte would be slow, and all bytes are too many arguments.
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES)));
  const base64 = btoa(parts.join(""));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The JSON input in the page's URL. A truncated link is returned too, and then reported. */
export function readInputFromUrl(): string | undefined {
  if (!location.hash.startsWith(SHARE_HASH)) return undefined;
  const [base64url = ""] = location.hash.slice(SHARE_HASH.length).split("&");
  const base64 = base64url.replaceAll("-", "+").replaceAll("_", "/");
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return base64;
  }
}

/**
 * The form for an input in JSON. A problem that the form itself cannot have, such as a value of a wrong
 * type, is kept in a control until the form changes.
 */
export function formFromLink(
  page: Pick<ToolPage, "fields" | "toInput" | "linkInput">,
  runner: Pick<Runner, "run">,
  text: string,
): FormValues {
  let form: FormValues = new Map();
  try {
    const input = parseJson(text);
    form = toFormValues(input, page.fields);
    const own = page.linkInput?.(form) ?? getInput(page, form).input;
    if (isBlankInput(own, page.fields) || JSON.stringify(own) !== JSON.stringify(input))
      runner.run(input);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const problems = error.problems.map((problem) => replaceFieldNames(formatProblem(problem)));
    const isDamaged = error.problems.some(({ path }) => path.length === 0);
    const what = isDamaged ? "this link is damaged" : "this input cannot be opened";
    form.set(LINK_PROBLEM, `${what}: ${formatSomeClauses(problems)}`);
  }
  form.set(FROM_LINK, "true");
  markTouched(form);
  return form;
}

/**
 * The input for a share link; undefined if the link would reveal a secret, drop an option, or have all of an
 * opened export as new.
 */
export function getShareableInput<Result, Extra>({
  page,
  form,
  input,
  result,
}: FormState<Result, Extra>): object | undefined {
  // A misplaced secret would be in the link too.
  const isStray = result && getWarnings(result).some(({ code }) => code.startsWith("secret-in-"));
  if (isStray || form.has(OPENED_FILE) || page.whyNotShareable?.(form) !== undefined)
    return undefined;
  return page.withoutSecrets ? getInput(page, page.withoutSecrets(form)).input : input;
}

/** Whether this tab wrote the input into its URL, for example before a reload. */
export const isUrlFromThisTab = (): boolean => Object(history.state).isOwn === true;

/** Browsers limit how often a page may change its URL. */
const URL_PAUSE_MS = 500;

/** Longer ones take Chromium a tenth of a second to set. A reload has the draft. */
const MAX_URL_LENGTH = 100_000;

/** Writes the input into the page's URL, for a reload or to share it. Secrets are only removed from it. */
export function scheduleUrlUpdate<Result, Extra>(state: FormState<Result, Extra>): void {
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
      link !== undefined &&
      link.length <= MAX_URL_LENGTH &&
      (!page.contract.sensitive || link.split("&")[0]?.endsWith(own || "#"));
    history.replaceState({ isOwn: true }, "", isKept ? link : location.pathname);
  }, URL_PAUSE_MS);
}

let timer: ReturnType<typeof setTimeout> | undefined;
