import { tools } from "../../schemas/index.ts";
import type { Handler } from "../coded.ts";
import { fixedText } from "../coded.ts";
import { DOCS_PATH, HOME_PATH, TOOLS_PATH } from "../links.ts";
import { assets } from "../pages/assets/assets.ts";
import { docsPage } from "../pages/docs.ts";
import { homePage } from "../pages/home.ts";
import { pageHeaders } from "../pages/layout.ts";
import { toolsPage } from "../pages/tools.ts";
import { dataHeaders } from "../respond.ts";
import type { Route } from "../route.ts";
import type { Service } from "../service.ts";
import { toolPageRoutes } from "./tool-pages.ts";

/** The pages for people, and what they load. */
export const pageRoutes = (service: Service): Route[] => [
  route(HOME_PATH, fixedPage(service, homePage)),
  route(TOOLS_PATH, fixedPage(service, toolsPage)),
  route(DOCS_PATH, fixedPage(service, docsPage)),
  ...tools.flatMap((contract) => toolPageRoutes(contract, service)),
  ...assets.map(({ path, type, text }) =>
    route(
      path,
      fixedText(
        () => text,
        () => dataHeaders(FOR_GOOD, type),
      ),
    ),
  ),
];

/** The name of an asset tells its version. */
const FOR_GOOD = { "Cache-Control": "public, max-age=31536000, immutable" };

const fixedPage = (service: Service, render: (service: Service) => string): Handler =>
  fixedText(
    () => render(service),
    () => new Headers({ ...pageHeaders(service), "Cache-Control": "public, no-cache" }),
  );

const route = (path: string, GET: Handler): Route => ({
  path,
  methods: { GET },
  headers: {},
  logged: false,
});
