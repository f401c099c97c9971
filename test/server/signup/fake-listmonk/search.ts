import { type Book, type Row, shown } from "./book.ts";
import { data, failure } from "./replies.ts";

/** GET /api/subscribers: since 5.0 with a search, and a query only for roles that may write SQL. */
export function search(book: Book, parameters: URLSearchParams, version: number): Response {
  const rows = [...book.rows.values()];
  const query = parameters.get("query");
  const pattern = version >= 5 ? parameters.get("search") : null;
  if (query !== null && version >= 5) return failure(403, "permission denied");
  if (query !== null) return bySql(book, rows, query, parameters);
  if (pattern === null) return page(book, rows, parameters);
  const regex = new RegExp(pattern, "i");
  const found = rows.filter(({ name, email }) => regex.test(name) || regex.test(email));
  return page(book, found, parameters);
}

/** The one statement that is understood here; anything else is a syntax error. */
function bySql(book: Book, rows: Row[], query: string, parameters: URLSearchParams): Response {
  const literal = /^LOWER\(subscribers\.email\)='((?:[^']|'')*)'$/.exec(query)?.[1];
  if (literal === undefined) return failure(400, "Error fetching subscribers: syntax error");
  const email = literal.replaceAll("''", "'");
  return page(
    book,
    rows.filter((row) => row.email.toLowerCase() === email),
    parameters,
  );
}

function page(book: Book, rows: Row[], parameters: URLSearchParams): Response {
  const per_page = Number(parameters.get("per_page") ?? 20);
  const results = rows.slice(0, per_page).map((row) => shown(book, row));
  return data({ results, total: rows.length, per_page, page: 1 });
}
