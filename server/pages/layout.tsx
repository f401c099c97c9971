import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { tools } from "../../schemas/index.ts";
import {
  DOCS_PATH,
  discoveryLinks,
  HOME_PATH,
  LLMS_PATH,
  toLinkHeader,
  toolPagePath,
} from "../links.ts";
import type { Service } from "../service.ts";
import { assetHref } from "./assets/assets.ts";

export const SITE_NAME = "Handtools";

interface Page {
  readonly service: Service;
  readonly title: string;
  readonly description: string;
  /** The path of its canonical address. Error pages have none. */
  readonly path?: string;
  /** The class of the main element, which gives it another layout. */
  readonly layout?: string;
  /** The page's schema.org description. */
  readonly structuredData?: object;
  /** The page's own scripts, besides the one that all pages have. */
  readonly scripts?: readonly string[];
  readonly children: ComponentChildren;
}

/** The text of a page, which is a `Layout`. */
export const renderPage = (page: VNode): string => `<!doctype html>\n${renderToString(page)}\n`;

/** The head, header and footer of every page, around its main part. */
export const Layout = (page: Page) => (
  <html lang="en" data-signup={page.service.signup && ""}>
    <Head {...page} />
    <body>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <SiteHeader path={page.path} />
      <main id="main" class={page.layout}>
        {page.children}
      </main>
      <SiteFooter service={page.service} />
      <p id="announcer" class="visually-hidden" role="status" />
    </body>
  </html>
);

/** The metadata of a page and the files that it loads. */
const Head = ({ service, title, description, path, structuredData, scripts = [] }: Page) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>{`${title} – ${SITE_NAME}`}</title>
    <meta name="description" content={description} />
    {Object.entries(PAPER).map(([scheme, colour]) => (
      <meta name="theme-color" media={`(prefers-color-scheme: ${scheme})`} content={colour} />
    ))}
    {path !== undefined && (
      <Preview baseUrl={service.baseUrl()} {...{ path, title, description }} />
    )}
    <link rel="icon" href={assetHref("favicon.ico")} sizes="32x32" />
    <link rel="icon" href={assetHref("icon.svg")} type="image/svg+xml" />
    <link rel="stylesheet" href={assetHref("site.css")} />
    {["site.js", ...scripts].map((name) => (
      <script type="module" src={assetHref(name)} />
    ))}
    {discoveryLinks(service.baseUrl()).map((link) => (
      <link {...link} />
    ))}
    {structuredData && (
      <Markup of="script" type="application/ld+json" markup={jsonText(structuredData)} />
    )}
  </head>
);

/** The page's background in both colour schemes (styles/tokens.css). */
const PAPER = { light: "#fbfaf7", dark: "#141715" };

/** JSON that cannot end its element. */
const jsonText = (value: object): string => JSON.stringify(value).replaceAll("<", "\\u003c");

interface PreviewProps {
  readonly baseUrl: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
}

/** The elements of the head for search engines and link previews (Open Graph). */
const Preview = ({ baseUrl, path, title, description }: PreviewProps) => (
  <>
    <link rel="canonical" href={`${baseUrl}${path}`} />
    {Object.entries({
      "og:type": "website",
      "og:site_name": SITE_NAME,
      "og:title": title,
      "og:description": description,
      "og:url": `${baseUrl}${path}`,
      "og:image": `${baseUrl}${assetHref("share.png")}`,
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": `${SITE_NAME}: ${tools.map((tool) => tool.title).join(", ")}`,
    }).map(([property, content]) => (
      <meta property={property} content={content} />
    ))}
    <meta name="twitter:card" content="summary_large_image" />
  </>
);

const SiteHeader = ({ path }: { readonly path: string | undefined }) => (
  <header class="site">
    <a class="brand" href={HOME_PATH}>
      <img src={assetHref("icon.svg")} alt="" width="26" height="26" />
      handtools
    </a>
    <nav aria-label="Site">
      <ul>
        {/* A narrow window has one link to all tools instead of one to each. */}
        {tools.map((tool) => (
          <li class="wide">
            <SiteLink href={toolPagePath(tool)} path={path} text={tool.title} />
          </li>
        ))}
        <li class="narrow">
          <SiteLink href={HOME_PATH} path={path} text="Tools" />
        </li>
        <li>
          <SiteLink href={DOCS_PATH} path={path} text="API" />
        </li>
      </ul>
    </nav>
  </header>
);

interface LinkProps {
  readonly href: string;
  /** Of the page that has the link. */
  readonly path: string | undefined;
  readonly text: string;
}

const SiteLink = ({ href, path, text }: LinkProps) => (
  <a href={href} aria-current={href === path ? "page" : undefined}>
    {text}
  </a>
);

const SiteFooter = ({ service: { npmPackage, sourceUrl, signup } }: Pick<Page, "service">) => {
  const links = [
    ["All tools", HOME_PATH],
    ["API", DOCS_PATH],
    ["For AI agents", LLMS_PATH],
    ["npm package", npmPackage && `https://www.npmjs.com/package/${npmPackage}`],
    ["Source", sourceUrl],
    ["Privacy", signup?.privacyUrl],
  ] as const;
  return (
    <footer class="site">
      <nav aria-label="More">
        <ul>
          {links.map(
            ([text, href]) =>
              href !== undefined && (
                <li>
                  <a href={href} rel={href.startsWith("/") ? undefined : "noopener"}>
                    {text}
                  </a>
                </li>
              ),
          )}
        </ul>
      </nav>
      <p>
        No account, no cookies. {SITE_NAME} is not affiliated with the companies whose products its
        tools work with.
      </p>
    </footer>
  );
};

interface MarkupProps {
  /** The element. */
  readonly of: "script" | "div";
  readonly type?: string;
  readonly class?: string;
  readonly markup: string;
}

/** An element with markup that is safe already. */
const Markup = ({ of: Element, markup, ...rest }: MarkupProps) => (
  <Element {...rest} dangerouslySetInnerHTML={{ __html: markup }} />
);

export const pageHeaders = (service: Service): Record<string, string> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": contentSecurityPolicy(service.signup?.challenge.siteKey !== undefined),
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  link: toLinkHeader(discoveryLinks(service.baseUrl())),
});

/**
 * A page may load the site's own files and nothing inline. Only Turnstile's widget, a frame, comes
 * from a third party.
 */
const contentSecurityPolicy = (hasTurnstile: boolean): string =>
  [
    "default-src 'none'",
    `script-src 'self'${hasTurnstile ? ` ${TURNSTILE}` : ""}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    ...(hasTurnstile ? [`frame-src ${TURNSTILE}`] : []),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

const TURNSTILE = "https://challenges.cloudflare.com";
