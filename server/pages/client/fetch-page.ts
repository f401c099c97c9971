const STILL_HERE = "What you typed is still here.";

/**
 * Sends a form and reads the page that comes back.
 *
 * @returns the page, or why there is none, in words for who is typing.
 */
export async function fetchPage(
  form: HTMLFormElement,
  parameters: URLSearchParams,
  signal: AbortSignal,
): Promise<Document | string> {
  const request = form.method === "post" ? post(form, parameters) : get(form, parameters);
  try {
    const response = await fetch(request, { signal });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // Anything in between may answer too, with a page of its own.
    if (page.getElementById(form.id)) return page;
    return `The server refused this (${response.status}). ${STILL_HERE}`;
  } catch (error) {
    // An older question that nobody waits for any more.
    if (signal.aborted) return "";
    return `The server cannot be reached (${error instanceof Error ? error.message : error}). ${STILL_HERE}`;
  }
}

const headers = { Accept: "text/html" };

const get = ({ action }: HTMLFormElement, parameters: URLSearchParams): Request =>
  new Request(`${action}?${parameters}`, { headers });

const post = ({ action }: HTMLFormElement, body: URLSearchParams): Request =>
  new Request(action, { method: "POST", headers, body });
