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
  try {
    // Posted, whatever the form's method: an address may be too long for a server in between.
    const response = await fetch(form.getAttribute("action") ?? "", {
      method: "POST",
      body: parameters,
      headers: { Accept: "text/html" },
      signal,
    });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // Anything in between may answer too, with a page of its own.
    if (response.ok && page.getElementById(form.getAttribute("id") ?? "")) return page;
    const reason =
      response.status === 413 ? "is too much for the server" : "was refused by the server";
    return `This ${reason} (${response.status}). ${STILL_HERE}`;
  } catch (error) {
    // An older question that nobody waits for any more.
    if (signal.aborted) return "";
    return `The server cannot be reached (${error instanceof Error ? error.message : error}). ${STILL_HERE}`;
  }
}
