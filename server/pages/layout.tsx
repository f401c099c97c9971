/** @jsxImportSource preact */
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
} from "../paths.ts";
import type { Service } from "../service.ts";
import { assetHref } from "./assets/assets.ts";

export const SITE_NAME = "Handtools";

/** A link to an input focuses it. The signup's script records which link was followed. */
const SIGNUP_FROM_FOOTER = `${HOME_PATH}?cta=footer#signup-email`;

interface Page {
  readonly service: Service;
  readonly title: string;
  readonly description: string;
  /** The path of the page's canonical URL. Error pages have none. */
  readonly path?: string | undefined;
  /** The class of the main element, for a different layout. */
  readonly layout?: string;
  /** The page's schema.org description. */
  readonly structuredData?: object;
  /** The page's scripts, besides the script of all pages. */
  readonly scripts?: readonly string[];
  readonly children: ComponentChildren;
}

/** The text of a page, which is a `Layout`. */
export const renderPage = (page: VNode): string => `<!doctype html>\n${renderToString(page)}\n`;

/** The head, header and footer of every page, around its main part. */
export const Layout = (page: Page) => (
  <html
    lang="en"
    data-signup={page.service.signup && ""}
    data-price-book={page.service.priceBook && JSON.stringify(page.service.priceBook)}
  >
    <Head {...page} />
    <body>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <SiteHeader path={page.path} />
      <main id="main" class={page.layout}>
        {page.children}
      </main>
      <SiteFooter {...page} />
      <p id="announcer" class="visually-hidden" role="status" />
    </body>
  </html>
);

/** The metadata of a page and the files that it loads. */
function Head(page: Page) {
  const { service, title, description, path, structuredData, scripts = [] } = page;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{`${title} – ${SITE_NAME}`}</title>
      <meta name="description" content={description} />
      {Object.entries(THEME_COLORS).map(([scheme, color]) => (
        <meta name="theme-color" media={`(prefers-color-scheme: ${scheme})`} content={color} />
      ))}
      {path !== undefined && <SocialTags url={service.baseUrl() + path} {...page} />}
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
        <script
          type="application/ld+json"
          // Escaped, so that the JSON cannot end its element.
          dangerouslySetInnerHTML={{
            __html: JSON.stringify(structuredData).replaceAll("<", "\\u003c"),
          }}
        />
      )}
    </head>
  );
}

/** The page's background in both colour schemes (styles/tokens.css). */
const THEME_COLORS = { light: "#f9f8f5", dark: "#131614" };

/** The elements of the head for search engines and link previews (Open Graph). */
const SocialTags = ({ url, service, title, description }: Page & { readonly url: string }) => (
  <>
    <link rel="canonical" href={url} />
    {Object.entries({
      "og:type": "website",
      "og:site_name": SITE_NAME,
      "og:title": title,
      "og:description": description,
      "og:url": url,
      "og:image": service.baseUrl() + assetHref("share.png"),
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": `${SITE_NAME}: ${tools.map((tool) => tool.title).join(", ")}`,
    }).map(([property, content]) => (
      <meta property={property} content={content} />
    ))}
    <meta name="twitter:card" content="summary_large_image" />
  </>
);

const SiteHeader = ({ path }: Pick<Page, "path">) => (
  <header class="site">
    <a class="brand" href={HOME_PATH} aria-label={`${SITE_NAME}, home`}>
      <img src={assetHref("icon.svg")} alt="" width="26" height="26" />
      <span class="wide">handtools</span>
    </a>
    <nav aria-label="Site">
      <ul class="links">
        {tools.map((tool) => {
          const [first, ...others] = shortenTitle(tool).split(" ");
          return (
            <SiteLink href={toolPagePath(tool)} path={path}>
              {/* The space between them must not be lost in a row of flexible boxes. */}
              <span>
                {first}
                <span class="wide"> {others.join(" ")}</span>
              </span>
            </SiteLink>
          );
        })}
        <SiteLink href={DOCS_PATH} path={path}>
          API
        </SiteLink>
      </ul>
    </nav>
  </header>
);

/** The title without its last word: "Gmail filter" for "Gmail filter generator". */
export const shortenTitle = ({ title }: { readonly title: string }): string =>
  title.slice(0, title.lastIndexOf(" "));

interface LinkProps extends Pick<Page, "path" | "children"> {
  readonly href: string;
}

const SiteLink = ({ href, path, children }: LinkProps) => (
  <li>
    <a
      href={href}
      aria-current={path?.startsWith(href) ? "page" : undefined}
      rel={/^https?:/.test(href) ? "noopener" : undefined}
    >
      {children}
    </a>
  </li>
);

function SiteFooter({ service: { config, signup }, path }: Page) {
  const { NPM_PACKAGE: npmPackage, SOURCE_URL: sourceUrl } = config;
  const signupHref = path === HOME_PATH ? "#signup-email" : SIGNUP_FROM_FOOTER;
  const links = [
    ["New tools by mail", signup && signupHref],
    ["All tools", HOME_PATH],
    ["API", DOCS_PATH],
    ["For AI agents", LLMS_PATH],
    ["npm package", npmPackage && `https://www.npmjs.com/package/${npmPackage}`],
    ["Source", sourceUrl],
    ["Privacy", signup?.privacyUrl],
  ] as const;
  return (
    <footer class="site">
      <p>
        No account, no cookies. Not affiliated with Google, Zapier or the makers of the AI clients.
      </p>
      <nav aria-label="More">
        <ul class="links">
          {links.map(([text, href]) => href && <SiteLink href={href}>{text}</SiteLink>)}
        </ul>
      </nav>
    </footer>
  );
}

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
    `script-src 'self'${hasTurnstile ? ` ${TURNSTILE_ORIGIN}` : ""}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    ...(hasTurnstile ? [`frame-src ${TURNSTILE_ORIGIN}`] : []),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

const TURNSTILE_ORIGIN = "https://challenges.cloudflare.com";
