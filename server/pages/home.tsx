/** @jsxImportSource preact */
import type { VNode } from "preact";
import {
  automationCostContract,
  mailFilterContract,
  mcpConfigContract,
  type ToolContract,
  tools,
} from "../../schemas/index.ts";
import { automationCost } from "../../src/automation-cost/automation-cost.ts";
import { automationCostBreakpoints } from "../../src/automation-cost/breakpoints.ts";
import { money } from "../../src/automation-cost/render.ts";
import { mailFilter } from "../../src/mail-filter/mail-filter.ts";
import { mcpConfig } from "../../src/mcp-config/mcp-config.ts";
import { thousands } from "../../src/text.ts";
import { DOCS_PATH, HOME_PATH, LLMS_PATH, MCP_PATH, toolPagePath } from "../links.ts";
import type { Service } from "../service.ts";
import { curlGet } from "./curl.ts";
import type { ToolPage } from "./form/run-form.ts";
import { Layout, renderPage, SITE_NAME, SignupPlace } from "./layout.tsx";
import { CopyBlock } from "./parts.tsx";
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
        {pages.map((page) => (
          <ToolCard {...page} service={service} />
        ))}
      </ul>
      <div class="beyond">
        <SignupPlace service={service} ctaSource="hero" />
        <WaysToUse service={service} />
      </div>
    </Layout>,
  );
}

const pages = [...toolPagesByName.values()];

export const headline = (): string =>
  `${pages.map(({ product }) => product).join(", ")}: done in a minute`;

interface ToolCardProps extends ToolPage {
  readonly service: Service;
}

/** A tool, an excerpt of its example's result, and the way in. */
const ToolCard = ({ contract, lead, action, service }: ToolCardProps) => (
  <li class="tool-card">
    <h2>
      <a href={toolPagePath(contract)}>{contract.title}</a>
    </h2>
    <p>{lead}</p>
    <div class="teaser">{teasers[contract.name]?.(service)}</div>
    <p class="way-in">
      <a class="button primary" href={toolPagePath(contract)}>
        {action}
      </a>
    </p>
  </li>
);

type Teaser = (service: Service) => VNode;

/** What each tool makes of its example, for its card on the home page. */
const teasers: Readonly<Partial<Record<string, Teaser>>> = {
  /** Mail of the first filter, and what happens to it. */
  mail_filter_generator() {
    const input = mailFilterContract.example_input;
    const [{ from = [], subject = [] } = {}] = input.filters;
    const [filter] = mailFilter(input).filters;
    const { label, shouldArchive } = filter?.entries[0]?.properties ?? {};
    return (
      <>
        <ul class="picture">
          {from.map((sender, at) => (
            <li class="mail">
              <bdi>{sender}</bdi> {subject[at]}
            </li>
          ))}
        </ul>
        <Becomes things={[label, shouldArchive && "Archive (skip the inbox)"]} />
      </>
    );
  },
  /** The cheapest plan, and the prices around it. */
  automation_cost_calculator({ priceBook }) {
    const input = automationCostContract.example_input;
    const { cheapest, monthly_tasks } = automationCost(input, { priceBook });
    return (
      <>
        {cheapest && (
          <p>
            <strong>{cheapest.title}</strong>, {money(cheapest.monthly_price)} a month
          </p>
        )}
        <SmallChart
          breakpoints={automationCostBreakpoints(input, { priceBook })}
          tasks={monthly_tasks}
          price={cheapest?.monthly_price ?? 0}
        />
      </>
    );
  },
  /** The server, and the clients that get it. */
  mcp_config_generator() {
    const input = mcpConfigContract.example_input;
    const { clients } = mcpConfig(input);
    return (
      <>
        <p class="picture">
          <code>{[input.command, ...input.args].join(" ")}</code>
        </p>
        <Becomes things={clients.map(({ title }) => title)} />
      </>
    );
  },
  // A missing one does not compile.
} satisfies { readonly [C in ToolContract as C["name"]]: Teaser };

const Becomes = ({ things }: { readonly things: readonly (string | undefined | false)[] }) => (
  <ul class="picture then" aria-label="becomes">
    {things.map((thing) => thing && <li class="tag">{thing}</li>)}
  </ul>
);

interface SmallChartProps {
  readonly breakpoints: ReturnType<typeof automationCostBreakpoints>;
  readonly tasks: number;
  readonly price: number;
}

const [WIDTH, HEIGHT] = [320, 76];

/** The price a month against the tasks a month, up to the plan after the user's. The line above it says the same. */
function SmallChart({ breakpoints, tasks, price }: SmallChartProps) {
  const shown = breakpoints.slice(0, breakpoints.findLastIndex((at) => at.tasks <= tasks) + 3);
  const last = shown.at(-1)?.included_tasks ?? tasks;
  const most = Math.max(price, ...shown.map((point) => point.monthly_price ?? 0));
  const x = (count: number) => Math.round((WIDTH * count) / last);
  const y = (dollars: number) => Math.round(HEIGHT - 6 - ((HEIGHT - 12) * dollars) / most);
  // Flat up to the included tasks, then straight to the next plan.
  const corners = shown.flatMap(({ tasks: from, included_tasks, monthly_price }) => {
    const level = y(monthly_price ?? most);
    return [`${x(from)} ${level}`, `${x(Math.max(included_tasks ?? from, from))} ${level}`];
  });
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <line x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      <path class="line" d={`M${corners.join("L")}`} />
      <g class="reader">
        <line x1={x(tasks)} x2={x(tasks)} y1={y(price)} y2={HEIGHT} />
        <circle cx={x(tasks)} cy={y(price)} r="6" />
      </g>
      <text x={x(tasks) + 8} y={HEIGHT - 6}>
        {thousands(tasks)} tasks
      </text>
    </svg>
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
