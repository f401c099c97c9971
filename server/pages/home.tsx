/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import {
  ALL_CLIENTS,
  automationCostContract,
  mailFilterContract,
  mcpConfigContract,
  tools,
} from "../../schemas/index.ts";
import { calculateAutomationCost } from "../../src/automation-cost/automation-cost.ts";
import { formatDollars } from "../../src/automation-cost/render-cost.ts";
import { formatNumber } from "../../src/text.ts";
import { DOCS_PATH, HOME_PATH, LLMS_PATH, MCP_PATH, toolPagePath } from "../paths.ts";
import type { Service } from "../service.ts";
import { createPriceCalculator, type Prices, priceLine } from "./automation-cost/price-chart.tsx";
import { TOTAL_TASKS } from "./automation-cost/zap-form.ts";
import { CopyBlock, SampleMail } from "./components.tsx";
import { curlGet } from "./curl.ts";
import { type CodeLanguage, highlight } from "./highlight.tsx";
import { Layout, renderPage, SITE_NAME } from "./layout.tsx";
import { SignupForm } from "./signup/signup-form.tsx";
import { toolPagesByName } from "./tool-page.tsx";

/** The home page: the first step of each tool, the signup, and the other ways to use the tools. */
export function renderHomePage(service: Service): string {
  const description = `${headline()}. Free, without an account, and in your browser.`;
  return renderPage(
    <Layout
      service={service}
      title={headline()}
      description={description}
      path={HOME_PATH}
      structuredData={{
        "@context": "https://schema.org",
        "@type": "WebSite",
        name: SITE_NAME,
        url: `${service.baseUrl()}${HOME_PATH}`,
        description,
      }}
    >
      <header class="hero">
        {/* Each product stays in one line. */}
        <h1>{headline().replace(/ (?=\w+[,:])/g, "\u00a0")}</h1>
        <p class="quiet">
          Free, without an account.
          <span class="promise"> What you type stays in your browser.</span>
        </p>
      </header>
      <ToolCards priceBook={service.priceBook} />
      <div class="two">
        <Signup service={service} />
        <OtherWays service={service} />
      </div>
    </Layout>,
  );
}

export const headline = (): string =>
  `${[...toolPagesByName.values()].map(({ product }) => product).join(", ")}: done in a minute`;

interface ToolCardProps {
  readonly contract: Parameters<typeof toolPagePath>[0] & { readonly title: string };
  readonly lead: string;
  readonly action: string;
  /** What the button does to the form where scripts do not run, if it does not finish it. */
  readonly command?: string;
  /** The first field of the tool's page. */
  readonly field: Readonly<Record<"name" | "aria-label" | "placeholder", string>> & {
    readonly inputMode?: "email" | "numeric";
  };
  /** What the tool makes, drawn. */
  readonly children: ComponentChildren;
}

/** A tool and its first step. The site's script carries the typed text over to the tool's page (hand-over.ts). */
const ToolCard = ({ contract, lead, action, command, field, children }: ToolCardProps) => (
  <li>
    <h2>
      <a href={toolPagePath(contract)}>{contract.title}</a>
    </h2>
    <p class="quiet">{lead}</p>
    {children}
    <form
      class="ask"
      method="post"
      action={toolPagePath(contract)}
      autocomplete="off"
      aria-label={contract.title}
    >
      <input {...field} autocapitalize="off" spellcheck={false} />
      <button type="submit" name={command && "do"} value={command} class="primary">
        {action}
      </button>
    </form>
  </li>
);

const SAMPLE_MESSAGES = [
  ["The Weekly", "Five things", "Newsletters"],
  ["Longreads", "The keepers", "Newsletters"],
  ["Shop", "Your receipt", "Money"],
] as const;

const SAMPLE_CONFIG = `"files": {
  "command": "npx",
  "args": ["-y", "server-filesystem"]
}`;

const NAMED_CLIENTS = ["Claude", "Cursor", "VS Code"];

function ToolCards({ priceBook }: Pick<Service, "priceBook">) {
  const result = calculateAutomationCost(automationCostContract.example_input, { priceBook });
  return (
    <ul class="cards" aria-label="Tools">
      <ToolCard
        contract={mailFilterContract}
        lead="Type senders, and get a file for Gmail."
        action="Filter it"
        command="add filters[0].from"
        field={{
          name: "filters[0].from",
          "aria-label": "Sender",
          placeholder: "e.g. @shop.example",
          inputMode: "email",
        }}
      >
        <SampleMail messages={SAMPLE_MESSAGES} />
      </ToolCard>
      <ToolCard
        contract={automationCostContract}
        lead="Type your tasks, and see the cheapest plan."
        action="Find the plan"
        field={{
          name: TOTAL_TASKS,
          "aria-label": "Tasks a month",
          placeholder: "e.g. 980 tasks",
          inputMode: "numeric",
        }}
      >
        <div class="sample">
          <p class="price">
            <strong>{formatDollars(result.cheapest?.monthly_price ?? 0)}</strong>
            <span class="quiet">a month</span>
          </p>
          <PriceSketch
            prices={createPriceCalculator(result, priceBook)}
            tasks={result.monthly_tasks}
          />
        </div>
      </ToolCard>
      <ToolCard
        contract={mcpConfigContract}
        lead={`Paste a server, and get ${ALL_CLIENTS.length} configs.`}
        action="Convert it"
        field={{
          name: "paste",
          "aria-label": "Command or URL",
          placeholder: "e.g. npx -y notes",
        }}
      >
        <div class="sample" aria-hidden="true">
          <pre>
            <code>{highlight(SAMPLE_CONFIG, "json")}</code>
          </pre>
          <p class="tags">
            {[...NAMED_CLIENTS, `${ALL_CLIENTS.length - NAMED_CLIENTS.length} more`].map((name) => (
              <span class="tag">{name}</span>
            ))}
          </p>
        </div>
      </ToolCard>
    </ul>
  );
}

/** The ruler below the sketch, a tick in percent of the width. */
const RULER = Array.from({ length: 41 }, (_, at) => `M${at * 2.5} 66v${at % 10 ? 4 : 8}`).join("");

/** The price a month against the tasks a month. The line above it says the same. */
function PriceSketch({ prices, tasks }: { readonly prices: Prices; readonly tasks: number }) {
  const { x, y, share, path } = priceLine({ prices, tasks }, 6, 58);
  const price = y(prices.quotes(tasks)[0]?.monthly_price ?? 0);
  return (
    <svg class="chart" width="100%" height="74" aria-hidden="true">
      <svg viewBox="0 0 100 74" preserveAspectRatio="none" aria-hidden="true">
        <path class="area" d={`${path}V66H0Z`} />
        <path d={path} />
        <path class="ruler" d={`M0 66h100${RULER}M${share(tasks)} ${price}V66`} />
      </svg>
      <circle cx={x(tasks)} cy={price} r="6" />
      <text x={x(tasks)} dx="12" y="60">
        {formatNumber(tasks)} tasks
      </text>
    </svg>
  );
}

/** The newsletter signup, if the site has one. The page's script finds it by its id. */
function Signup({ service: { signup, baseUrl } }: { readonly service: Service }) {
  if (!signup) return null;
  const { challenge, newsletter, privacyUrl } = signup;
  const settings = {
    siteKey: challenge.siteKey,
    asksToConfirm: newsletter ? newsletter.asksToConfirm() : false,
    privacyUrl,
    site: baseUrl(),
  };
  return (
    <section
      class="signup stack"
      id="signup"
      aria-labelledby="signup-title"
      data-settings={JSON.stringify(settings)}
    >
      <SignupForm {...settings} ctaSource="hero" />
    </section>
  );
}

/** The ways to use the tools besides the pages, each with a line to copy. */
function OtherWays({ service }: { readonly service: Service }) {
  const { MCP: hasMcp, NPM_PACKAGE: npmPackage } = service.config;
  const [{ command, function: name }] = tools;
  const run = `npx ${npmPackage}`;
  const lines: readonly (readonly [string, string | false | undefined, CodeLanguage?])[] = [
    ["URL of the MCP server", hasMcp && service.baseUrl() + MCP_PATH],
    ["Request", curlGet(`${service.baseUrl()}/api/tools`), "shell"],
    ["Command", npmPackage && `${run} example ${command} | ${run} ${command} -`, "shell"],
    ["Library", npmPackage && `import { ${name} } from "${npmPackage}";`, "json"],
  ];
  return (
    <section class="ways stack" aria-labelledby="ways">
      <h2 id="ways">For AI assistants and scripts</h2>
      <p class="quiet">
        {hasMcp ? (
          "Your assistant can use the tools itself: add the first line as a connector or MCP server."
        ) : (
          <>
            AI assistants start at <a href={LLMS_PATH}>{LLMS_PATH}</a>.
          </>
        )}{" "}
        Scripts send JSON, without a key: see <a href={DOCS_PATH}>the API</a>.
      </p>
      {lines.map(
        ([label, text, language]) =>
          text && <CopyBlock isCompact key={label} {...{ label, text, language }} />,
      )}
    </section>
  );
}
