import { DOCS_PATH } from "../links.ts";
import { once } from "../once.ts";
import { docsPage } from "../pages/docs.ts";
import { pageHeaders } from "../pages/layout.ts";
import { STYLES, STYLES_PATH } from "../pages/styles.ts";
import { dataHeaders, tagged } from "../respond.ts";
import type { Route } from "../route.ts";
import type { Service } from "../service.ts";

/** A page names the version of the style that it wants, so a copy never grows old. */
const FOR_GOOD = dataHeaders(
  { "Cache-Control": "public, max-age=31536000, immutable" },
  "text/css; charset=utf-8",
);

/** The pages for people, and what they load. */
export const pageRoutes = (service: Service): Route[] => [
  page(DOCS_PATH, service, () => docsPage(service)),
  {
    path: STYLES_PATH,
    methods: {
      GET: (request) => tagged(request, STYLES, FOR_GOOD),
    },
    headers: {},
    logged: false,
  },
];

/** A page that stays the same as long as the server runs. */
function page(path: string, service: Service, render: () => string): Route {
  const body = once(render);
  const headers = once(() =>
    dataHeaders({ ...pageHeaders(service), "Cache-Control": "public, no-cache" }),
  );
  return {
    path,
    methods: { GET: (request) => tagged(request, body(), headers()) },
    headers: {},
    logged: false,
  };
}
