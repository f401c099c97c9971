import { listmonkApi } from "../../../../server/signup/newsletter/listmonk-api.ts";
import { ATTRIBUTES, type Case, NAME } from "./cases.ts";
import type { World } from "./world.ts";

const MISSING = 999_999;

/** Plays a case, and gives what came of it beside what should have. */
export async function play(world: World, wanted: Case) {
  const { server, lists } = world;
  const email = `${wanted.local ?? "ada"}-${crypto.randomUUID().slice(0, 8)}@site.test`;
  const { before, list = "single" } = wanted;
  if (wanted.namesake) {
    const attribs = {};
    await world.seed(`x-${email}`, { name: email, status: "enabled", attribs, on: {} });
  }
  const seeded = before && (await world.seed(email, before));

  const calls: string[] = [];
  const newsletter = listmonkApi({
    url: server.url,
    user: server.user,
    token: wanted.wrongToken ? "wrong" : server.token,
    listId: list === "missing" ? MISSING : lists[list],
    preconfirm: wanted.preconfirm ?? false,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      calls.push(`${titleOf(url, init)} ${response.status}`);
      return response;
    },
  });
  // As at the start of the service; there it learns of the list's opt-in.
  await newsletter.check?.();
  calls.length = 0;
  const mailsBefore = server.mailsTo?.(email) ?? 0;

  const listmonkId = await knownId(world, wanted, email, seeded);
  const subscriber = { email, name: NAME, attributes: ATTRIBUTES };
  const result = await newsletter.sync(subscriber, { synced: false, listmonkId });

  const id = seeded ?? result.listmonkId;
  if (seeded === undefined && id !== undefined) world.note(id);
  return {
    actual: {
      ok: result.ok,
      calls,
      after: id === undefined ? undefined : await world.see(id),
      mails: server.mailsTo && server.mailsTo(email) - mailsBefore,
    },
    expected: {
      ok: wanted.ok,
      calls: wanted.calls,
      after: wanted.after,
      mails: server.mailsTo && (wanted.mails ?? 0),
    },
  };
}

/** The method, and whether a look-up was by number. */
const titleOf = (url: string, { method }: RequestInit): string =>
  method === "GET" && /\/\d+$/.test(url) ? "GET id" : `${method}`;

async function knownId(
  world: World,
  { known }: Case,
  email: string,
  seeded: number | undefined,
): Promise<number | undefined> {
  if (known === undefined || known === "right") return known && seeded;
  const other = { name: "Other", status: "enabled", attribs: {}, on: {} };
  const id = await world.seed(`y-${email}`, other);
  if (known === "gone") await world.remove(id);
  return id;
}
