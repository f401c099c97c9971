import { codedText } from "../coded.ts";
import { pathOf } from "../http/path.ts";
import { pageHeaders } from "../pages/layout.ts";
import { notFoundPage } from "../pages/not-found.ts";
import { Refusal } from "../refusal.ts";
import { type HeaderMap, OPEN } from "../respond.ts";
import { answer } from "../route.ts";
import type { Service } from "../service.ts";

/** The answer to a path that there is not: a page for a browser, JSON for anyone else. */
export function notFound(request: Request, service: Service): Promise<Response> {
  const path = pathOf(request.url);
  const isData = /^\/(?:api|\.well-known)(?:\/|$)/.test(path);
  const headers: HeaderMap = path.startsWith("/api/tools/") ? OPEN : {};
  return answer(request, { path: null, headers, logged: isData }, service, () => {
    if (!isData && request.headers.get("accept")?.includes("text/html"))
      return page(request, service);
    throw new Refusal("not_found", "nothing has this path; GET /api/tools lists the tools");
  });
}

const page = (request: Request, service: Service): Response =>
  codedText(
    request,
    notFoundPage(service),
    new Headers({ ...pageHeaders(service), "Cache-Control": "no-store" }),
    404,
  );
