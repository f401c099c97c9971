import { pathOf } from "../http/path.ts";
import { html } from "../pages/html.ts";
import { pageHeaders, renderPage } from "../pages/layout.ts";
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
    if (!isData && request.headers.get("accept")?.includes("text/html")) return page(service);
    throw new Refusal("not_found", "nothing has this path; GET /api/tools lists the tools");
  });
}

const page = (service: Service): Response =>
  new Response(
    renderPage(service, {
      title: "Not found",
      description: "Nothing has this address.",
      main: html`<h1>Not found</h1>
<p>Nothing has this address. <a href="/docs">The documentation</a> says what there is.</p>`,
    }),
    { status: 404, headers: { ...pageHeaders(service), "Cache-Control": "no-store" } },
  );
