import { type Body, type Book, shown } from "./book.ts";
import { publicLists, submit } from "./public-form.ts";
import { data, failure } from "./replies.ts";
import { search } from "./search.ts";
import { create, manageLists, patch } from "./subscribers.ts";

interface Setting {
  readonly book: Book;
  /** Such as 6.2. */
  readonly version: number;
}

interface Ask {
  readonly setting: Setting;
  readonly id: number;
  readonly url: URL;
  readonly body: Body;
}

type Route = (ask: Ask) => Response | Promise<Response>;

const noSubscriber = (id: number): Response => failure(400, `Subscriber (${id}: ) not found`);

/** By method and path, a number in the path as {id}. */
export const routes: Readonly<Record<string, Route>> = {
  "GET /health": () => data(true),
  "GET /api/lists/{id}": ({ setting, id }) => {
    const list = setting.book.lists.get(id);
    return list ? data(list) : failure(400, "List not found");
  },
  "POST /api/lists": ({ setting, body }) => data(setting.book.addList(body)),
  "DELETE /api/lists/{id}": ({ setting, id }) => data(setting.book.lists.delete(id)),
  "POST /api/subscribers": ({ setting, body }) => create(setting.book, body),
  "GET /api/subscribers": ({ setting, url }) =>
    search(setting.book, url.searchParams, setting.version),
  "GET /api/subscribers/{id}": ({ setting, id }) => {
    const row = setting.book.rows.get(id);
    return row ? data(shown(setting.book, row)) : noSubscriber(id);
  },
  "PUT /api/subscribers/lists": ({ setting, body }) => manageLists(setting.book, body),
  "PUT /api/subscribers/lists/{id}": ({ setting, body }) => manageLists(setting.book, body),
  "PUT /api/subscribers/{id}/blocklist": ({ setting, id }) => {
    const row = setting.book.rows.get(id);
    if (!row) return noSubscriber(id);
    row.status = "blocklisted";
    return data(true);
  },
  "PATCH /api/subscribers/{id}": ({ setting, id, body }) => {
    const row = setting.book.rows.get(id);
    if (setting.version < 6.1) return failure(404, "404 unknown endpoint");
    return row ? patch(setting.book, row, body) : noSubscriber(id);
  },
  "POST /api/subscribers/{id}/optin": ({ setting, id }) => {
    const row = setting.book.rows.get(id);
    if (!row) return noSubscriber(id);
    setting.book.mail(row);
    return data(true);
  },
  "DELETE /api/subscribers/{id}": ({ setting, id }) => {
    setting.book.rows.delete(id);
    return data(true);
  },
  "GET /api/public/lists": ({ setting }) => publicLists(setting.book),
  "POST /api/public/subscription": ({ setting, body }) => submit(setting.book, body),
};
