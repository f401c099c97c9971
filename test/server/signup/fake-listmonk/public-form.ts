import type { Body, Book } from "./book.ts";
import { data, failure } from "./replies.ts";
import { mixedCase } from "./subscribers.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** POST /api/public/subscription, which subscribes whoever has unsubscribed, and mails again. */
export function submit(book: Book, { email = "", name, list_uuids = [] }: Body): Response {
  if (list_uuids.length === 0) return failure(400, "No valid lists selected to subscribe.");
  if (!/^\S+@\S+$/.test(email)) return failure(400, "Invalid email.");
  if (!list_uuids.every((uuid) => UUID.test(uuid))) return failure(500, "Error: invalid uuid");
  const lists = [...book.lists.values()].filter(({ uuid }) => list_uuids.includes(uuid));
  if (lists.some(({ type }) => type === "private")) return failure(400, "Invalid UUID(s)");

  const taken = book.byEmail(email);
  if (taken && taken.email !== taken.email.toLowerCase()) return mixedCase(400, email);
  const ids = lists.map(({ id }) => id);
  if (!taken) {
    const fields = { email, name: name || (email.split("@")[0] ?? ""), status: "enabled" };
    book.add({ ...fields, attribs: {}, lists: ids, preconfirm: false });
  } else if (taken.status === "blocklisted") {
    for (const id of ids) taken.subscriptions.set(id, "unsubscribed");
    return data({ has_optin: false });
  } else {
    for (const id of ids) {
      if (taken.subscriptions.get(id) !== "confirmed") taken.subscriptions.set(id, "unconfirmed");
    }
    book.mail(taken);
  }
  return data({ has_optin: lists.some(({ optin }) => optin === "double") });
}

/** GET /api/public/lists, the one answer without an envelope. */
export const publicLists = (book: Book): Response =>
  Response.json(
    [...book.lists.values()]
      .filter(({ type, status }) => type === "public" && status === "active")
      .map(({ uuid, name }) => ({ uuid, name })),
  );
