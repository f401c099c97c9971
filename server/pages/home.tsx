/** @jsxImportSource preact */
import { type Contract, type ToolContract, tools } from "../../schemas/index.ts";
import { DOCS_PATH, HOME_PATH, LLMS_PATH, MCP_PATH, toolPagePath } from "../links.ts";
import type { Service } from "../service.ts";
import { curlGet } from "./curl.ts";
import type { ToolPage } from "./form/run-form.ts";
import { Layout, renderPage, SITE_NAME } from "./layout.tsx";
import { CopyBlock } from "./parts.tsx";
import { SignupPlace } from "./signup/signup-place.tsx";
import { teasers } from "./teasers.tsx";
import { toolPagesByName } from "./tool-page.tsx";

/** The home page: the tools with examples, the signup, and the other ways to use the tools. */
export function homePage(service: Service): string {
  const description = `${headline()}. Free, without an account, and in your browser.`;
  return renderPage(
    <Layout
      service={service}
      title={headline()}
      description={description}
      path={HOME_PATH}
      layout="home"
      style="home-page.css"
      structuredData={{
        "@context": "https://schema.org",
        "@type": "WebSite",
        name: SITE_NAME,
        url: `${service.baseUrl()}${HOME_PATH}`,
        description,
      }}
    >
      <header class="hero">
        <h1>{headline()}</h1>
        <p class="lead">
          Free, without an account.
          <span class="needs-script">
            {" "}
            The tools run in your browser: what you type stays there.
          </span>
        </p>
      </header>
      <ul class="cards" aria-label="Tools">
        {tools.map((tool) => (
          <ToolCard tool={tool} service={service} />
        ))}
      </ul>
      <div class="beyond">
        <SignupPlace service={service} ctaSource="hero" />
        <WaysToUse service={service} />
      </div>
    </Layout>,
  );
}

export const headline = (): string =>
  `${tools.map((tool) => pageOf(tool).product).join(", ")}: done in a minute`;

function pageOf({ name }: Contract): ToolPage {
  const page = toolPagesByName.get(name);
  if (!page) throw new Error(`No page is made for ${name}`);
  return page;
}

interface ToolCardProps {
  readonly tool: ToolContract;
  readonly service: Service;
}

/** A tool, an excerpt of its example's result, and the way in. */
function ToolCard({ tool, service }: ToolCardProps) {
  const { lead, action } = pageOf(tool);
  return (
    <li class="tool-card">
      <h2>
        <a href={toolPagePath(tool)}>{tool.title}</a>
      </h2>
      <p>{lead}</p>
      <div class="teaser">{teasers[tool.name](service)}</div>
      <p class="way-in">
        <a class="button primary" href={toolPagePath(tool)}>
          {action}
        </a>
      </p>
    </li>
  );
}

/** The ways to use the tools besides the pages, each with a line to copy. */
function WaysToUse({ service }: { readonly service: Service }) {
  const { MCP: hasMcp, NPM_PACKAGE: npmPackage } = service.config;
  const [{ command, function: name }] = tools;
  return (
    <section class="ways" aria-labelledby="ways">
      <h2 id="ways">More ways to use them</h2>
      <h3>From an AI agent</h3>
      {hasMcp ? (
        <>
          <p>Add this address to Claude, Cursor, VS Code or Codex as a remote MCP server.</p>
          <CopyBlock label="Address" text={`${service.baseUrl()}${MCP_PATH}`} />
        </>
      ) : (
        <p>
          Agents find out how to call the tools at <a href={LLMS_PATH}>{LLMS_PATH}</a>.
        </p>
      )}
      <h3>Over HTTP</h3>
      <p>
        JSON in, JSON out, no key: see <a href={DOCS_PATH}>the API</a>.
      </p>
      <CopyBlock label="Shell" text={curlGet(`${service.baseUrl()}/api/tools`)} />
      {npmPackage !== undefined && (
        <>
          <h3>In a terminal, scripts and CI</h3>
          <CopyBlock
            label="Shell"
            text={`npx ${npmPackage} example ${command} | npx ${npmPackage} ${command} -`}
          />
          <h3>In your own code</h3>
          <CopyBlock label="TypeScript" text={`import { ${name} } from "${npmPackage}";`} />
        </>
      )}
    </section>
  );
}
