/** A listmonk to try things on, real or not. */
export interface Server {
  readonly url: string;
  readonly user: string;
  readonly token: string;
  /** A list with single opt-in. */
  readonly listId: number;
  /** How many opt-in mails an address got, where one can know. */
  readonly mailsTo?: (email: string) => number;
}

type ListName = "single" | "double" | "other";

/** A subscriber, with the subscription's status by list. */
export interface Person {
  readonly name: string;
  readonly status: string;
  readonly attribs: Readonly<Record<string, unknown>>;
  readonly on: Readonly<Partial<Record<ListName, string>>>;
}

interface Shown extends Omit<Person, "on"> {
  readonly id: number;
  readonly lists: readonly { readonly id: number; readonly subscription_status: string }[];
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Makes the lists that the cases need, and lets them seed and see subscribers, all by the API. */
export async function openWorld(server: Server) {
  const made: number[] = [];
  const api = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: {
        Authorization: `token ${server.user}:${server.token}`,
        "Content-Type": "application/json",
      },
      body: body ? JSON.stringify(body) : null,
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    const { data }: { data: Data } = JSON.parse(await response.text());
    return data;
  };
  const addList = async (name: string, optin: string): Promise<number> => {
    const list = { name, optin, type: "public", tags: [] };
    return (await api<{ id: number }>("POST", "/lists", list)).id;
  };
  const lists: Readonly<Record<ListName, number>> = {
    single: server.listId,
    double: await addList("Handtools test, double", "double"),
    other: await addList("Handtools test, other", "single"),
  };
  const nameOf = (id: number) =>
    Object.entries(lists).find(([, listId]) => listId === id)?.[0] ?? `list ${id}`;

  return {
    server,
    lists,
    /** Makes a subscriber as described; its number. */
    async seed(email: string, { on, ...fields }: Person): Promise<number> {
      const targets = Object.entries(on).map(([name, status]) => ({
        target_list_ids: [lists[name as ListName]],
        status,
      }));
      const { id } = await api<Shown>("POST", "/subscribers", { email, ...fields, lists: [] });
      made.push(id);
      for (const target of targets) {
        await api("PUT", "/subscribers/lists", { ids: [id], action: "add", ...target });
      }
      return id;
    },
    async see(id: number): Promise<Person> {
      const { name, status, attribs, ...shown } = await api<Shown>("GET", `/subscribers/${id}`);
      const on = shown.lists.map((list) => [nameOf(list.id), list.subscription_status]);
      return { name, status, attribs, on: Object.fromEntries(on) };
    },
    async remove(id: number): Promise<void> {
      await api("DELETE", `/subscribers/${id}`);
    },
    /** Remembers a subscriber whom somebody else made, to be removed at the end. */
    note: (id: number) => made.push(id),
    async close(): Promise<void> {
      for (const id of made) await api("DELETE", `/subscribers/${id}`);
      await api("DELETE", `/lists/${lists.double}`);
      await api("DELETE", `/lists/${lists.other}`);
    },
  };
}
