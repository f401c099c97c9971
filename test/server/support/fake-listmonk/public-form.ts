import { type Body, data, failure, mixedCase, type Subscribers } from "./subscribers.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** POST /api/public/subscription, which re-subscribes people who have unsubscribed, and mails again. */
export function submit(
  subscribers: Subscribers,
  { email = "", name, list_uuids = [] }: Body,
): Response {
  if (list_uuids.length === 0) return failure(400, "No valid lists selected to subscribe.");
  if (!/^\S+@\S+$/.test(email)) return failure(400, "Invalid email.");
  if (!list_uuids.every((uuid) => UUID.test(uuid))) return failure(500, "Error: invalid uuid");
  const lists = [...subscribers.lists.values()].filter(({ uuid }) => list_uuids.includes(uuid));
  if (lists.some(({ type }) => type === "private")) return failure(400, "Invalid UUID(s)");

  const taken = subscribers.byEmail(email);
  if (taken && taken.email !== taken.email.toLowerCase()) return mixedCase(400, email);
  const ids = lists.map(({ id }) => id);
  if (!taken) {
    const fields = { email, name: name || (email.split("@")[0] ?? ""), status: "enabled" };
    subscribers.add({ ...fields, attribs: {}, lists: ids, preconfirm: false });
  } else if (taken.status === "blocklisted") {
    for (const id of ids) taken.subscriptions.set(id, "unsubscribed");
    return data({ has_optin: false });
  } else {
    for (const id of ids) {
      if (taken.subscriptions.get(id) !== "confirmed") taken.subscriptions.set(id, "unconfirmed");
    }
    subscribers.mail(taken);
  }
  return data({ has_optin: lists.some(({ optin }) => optin === "double") });
}

/** GET /api/public/lists, the one answer without an envelope. */
export const publicLists = (subscribers: Subscribers): Response =>
  Response.json(
    [...subscribers.lists.values()]
      .filter(({ type, status }) => type === "public" && status === "active")
      .map(({ uuid, name }) => ({ uuid, name })),
  );

/** A failure of a server instead of its work. */
export type Fault = (request: Request) => Response | Promise<Response>;

const JSON_TYPE = { "Content-Type": "application/json" };

const started = (chunk: string): Response => {
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) =>
    controller.enqueue(new TextEncoder().encode(chunk));
  return new Response(new ReadableStream({ start }), { headers: JSON_TYPE });
};

/** Never answers. */
export const hang: Fault = () => new Promise(() => {});
/** Sends its headers and the first bytes, then nothing. */
export const stall: Fault = () => started('{"data":');
/** The words of a failure, which at listmonk hold the address. */
export const fails =
  (status: number, message = "Error: Key (lower(email))=(someone@site.test)"): Fault =>
  () =>
    Response.json({ message }, { status });
export const html: Fault = () =>
  new Response("<h1>Welcome</h1>", { headers: { "Content-Type": "text/html" } });
/** A right answer, but with the type of a page. */
export const mistyped: Fault = () =>
  new Response('{"data":{"id":1,"lists":[{"id":1}]}}', {
    headers: { "Content-Type": "text/html" },
  });
export const truncated: Fault = () => new Response('{"data":{"id":1', { headers: JSON_TYPE });
export const empty: Fault = () => new Response("", { headers: JSON_TYPE });
export const answers =
  (body: unknown, status = 200): Fault =>
  () =>
    Response.json(body, { status });
/** A body that would be right, were it not for the megabyte within it. */
export const huge: Fault = () =>
  Response.json({ data: { id: 1, lists: [{ id: 1 }], padding: "x".repeat(1_000_000) } });
/** To a place that would say yes. */
export const redirects: Fault = ({ url }) =>
  Response.redirect(new URL("/elsewhere", url).href, 307);
