import { BASE_URL } from "../running-server.ts";
import { readForm } from "./read-form.ts";

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

/** Sends a tool's form as a browser does: in the address, or in a body where its page says so. */
export async function sendForm(
  fetch: Fetch,
  path: string,
  page: string,
  pressed?: string,
): Promise<string> {
  const data = readForm(page, pressed);
  const isPosted = /<form id="tool-form"[^>]* method="post"/.test(page);
  const response = isPosted ? await fetch(path, formPost(data)) : await fetch(`${path}?${data}`);
  if (response.status !== 200) throw new Error(`The form gives ${response.status}`);
  return response.text();
}

/** What a form of one of our pages posts. */
export const formPost = (data: URLSearchParams | string): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: BASE_URL },
  body: String(data),
});
