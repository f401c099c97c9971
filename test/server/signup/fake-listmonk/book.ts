/** What the stand-in keeps, with the effects that a real listmonk 6.2 was seen to have. */

type Optin = "single" | "double";

export interface List {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly type: string;
  readonly optin: Optin;
  readonly status: string;
}

export interface Row {
  readonly id: number;
  readonly email: string;
  name: string;
  status: string;
  attribs: Record<string, unknown>;
  /** The status by list. */
  readonly subscriptions: Map<number, string>;
}

export type NewRow = Pick<Row, "email" | "name" | "status" | "attribs"> & {
  readonly lists: readonly number[];
  readonly preconfirm: boolean;
};

export class Book {
  readonly lists = new Map<number, List>();
  readonly rows = new Map<number, Row>();
  /** The addresses of the opt-in mails that went out. */
  readonly mails: string[] = [];
  /** No number means two things. */
  #lastId = 0;

  addList({ name = "", type = "private", optin = "single" }: Body): List {
    this.#lastId += 1;
    const id = this.#lastId;
    const list = { id, uuid: crypto.randomUUID(), name, type, optin, status: "active" };
    this.lists.set(id, list);
    return list;
  }

  byEmail(email: string): Row | undefined {
    return [...this.rows.values()].find((row) => row.email.toLowerCase() === email.toLowerCase());
  }

  /** Lists that there are not are left out without a word. */
  add({ lists, preconfirm, ...fields }: NewRow): Row {
    this.#lastId += 1;
    const row: Row = { id: this.#lastId, ...fields, subscriptions: new Map() };
    this.rows.set(row.id, row);
    for (const id of lists) {
      const list = this.lists.get(id);
      if (!list) continue;
      const isConfirmed = preconfirm && list.optin === "double";
      const status = isConfirmed ? "confirmed" : "unconfirmed";
      row.subscriptions.set(id, row.status === "blocklisted" ? "unsubscribed" : status);
    }
    if (!preconfirm) this.mail(row);
    return row;
  }

  /** One mail to whoever has yet to confirm a list with double opt-in. */
  mail(row: Row): void {
    const isPending = [...row.subscriptions].some(
      ([id, status]) => status === "unconfirmed" && this.lists.get(id)?.optin === "double",
    );
    if (isPending) this.mails.push(row.email);
  }
}

/** What any request may hold. */
export interface Body {
  readonly email?: string;
  readonly name?: string;
  readonly status?: string;
  readonly attribs?: Record<string, unknown> | null;
  readonly lists?: readonly number[];
  readonly preconfirm_subscriptions?: boolean;
  readonly ids?: readonly number[];
  readonly action?: string;
  readonly target_list_ids?: readonly number[];
  readonly list_uuids?: readonly string[];
  readonly type?: string;
  readonly optin?: Optin;
}

/** As the API shows a subscriber. */
export const shown = (book: Book, { subscriptions, ...row }: Row): object => ({
  ...row,
  lists: [...subscriptions].map(([id, subscription_status]) => ({
    ...book.lists.get(id),
    subscription_status,
  })),
});
