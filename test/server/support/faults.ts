/* What a server answers instead of its work. */

export type Fault<Asked = Request> = (asked: Asked) => Response | Promise<Response>;

const JSON_TYPE = { "Content-Type": "application/json" };

const started = (chunk: string): Response => {
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) =>
    controller.enqueue(new TextEncoder().encode(chunk));
  return new Response(new ReadableStream({ start }), { headers: JSON_TYPE });
};

/** Never answers. */
export const hang: Fault<unknown> = () => new Promise(() => {});
/** Sends its headers and the first bytes, then nothing. */
export const stall: Fault<unknown> = () => started('{"data":');
/** The words of a failure, which at listmonk hold the address. */
export const fails =
  (status: number, message = "Error: Key (lower(email))=(someone@site.test)"): Fault =>
  () =>
    Response.json({ message }, { status });
export const text = (body: string, init?: ResponseInit) => (): Response => new Response(body, init);
export const page = (status: number) =>
  text("<h1>Welcome</h1>", { status, headers: { "Content-Type": "text/html" } });
export const truncated: Fault = () => new Response('{"data":{"id":1', { headers: JSON_TYPE });
export const json =
  (body: unknown, status = 200) =>
  (): Response =>
    Response.json(body, { status });
/** A body that would be right, were it not for the megabyte within it. */
export const huge: Fault = () =>
  Response.json({ data: { id: 1, lists: [{ id: 1 }], padding: "x".repeat(1_000_000) } });
/** To a place that would say yes. */
export const redirects: Fault = ({ url }) =>
  Response.redirect(new URL("/elsewhere", url).href, 307);
