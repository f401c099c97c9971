/** @jsxImportSource preact */
import type { Contract } from "../../schemas/index.ts";
import { InvalidInputError } from "../../src/issues.ts";
import type { Tool } from "../../src/tool.ts";
import { toolPagePath } from "../paths.ts";
import type { Service } from "../service.ts";
import { About } from "./about.tsx";
import { automationCostPage } from "./automation-cost/automation-cost-page.tsx";
import {
  evaluateForm,
  findSizeProblem,
  LINK_PROBLEM,
  markTouched,
  OPENED_FILE,
  type Runner,
  SECOND_FILE,
  TOO_LARGE,
  TOUCHED_FIELDS,
  type ToolPage,
} from "./form/form-state.ts";
import {
  asText,
  collapseItems,
  endAllTyping,
  type FormValues,
  parseForm,
  toFormEntries,
} from "./form/form-values.ts";
import { applyIntent } from "./form/intents.ts";
import { formFromLink } from "./form/links.ts";
import { Layout, renderPage } from "./layout.tsx";
import { mailFilterPage } from "./mail-filter/mail-filter-page.tsx";
import { mcpConfigPage } from "./mcp-config/mcp-config-page.tsx";
import { parsePasted } from "./mcp-config/parse-pasted.ts";
import { fillServers, listServers } from "./mcp-config/server-form.ts";
import { writeServers } from "./mcp-config/write-servers.ts";

/** The pages of the tools, by the tools' names. */
export const toolPagesByName: ReadonlyMap<string, ToolPage> = new Map(
  [mailFilterPage, automationCostPage, mcpConfigPage].map((page) => [page.contract.name, page]),
);

export const serverRunner = (tool: Tool, service: Service): Runner => ({
  // Known only once the port is.
  get baseUrl() {
    return service.baseUrl();
  },
  priceBook: service.priceBook,
  run(input, options) {
    const problem = findSizeProblem(JSON.stringify(input));
    if (problem) throw new InvalidInputError([problem]);
    return { result: service.run(tool, input, options) };
  },
});

/** A tool's page: its form, the outcome and the background. */
export function renderToolPage(
  service: Service,
  page: ToolPage,
  runner: Runner,
  form: FormValues,
): string {
  const { contract } = page;
  return renderPage(
    <Layout
      service={service}
      title={contract.title}
      description={page.lead}
      path={toolPagePath(contract)}
      layout="tool"
      structuredData={structuredData(contract, service.baseUrl())}
      scripts={[`hydrate-${contract.command}.js`]}
    >
      <header class="intro">
        <h1>{contract.title}</h1>
        <p class="quiet">{page.lead}</p>
        <noscript>
          <p class="quiet">Opening files, undo and copying need JavaScript.</p>
        </noscript>
      </header>
      <div class="tool-page" data-base-url={runner.baseUrl}>
        {page.view({ state: evaluateForm(page, runnerOf(page, runner, form), form) })}
      </div>
      <About toolName={contract.name} />
    </Layout>,
  );
}

/** Without scripts too, several MCP servers are one file. */
const runnerOf = (page: ToolPage, runner: Runner, form: FormValues): Runner =>
  page === mcpConfigPage && listServers(form).shownIndex === -1
    ? { ...runner, run: (_, options) => writeServers(form, { ...options }) }
    : runner;

/** The tool for search engines, as schema.org's WebApplication. */
const structuredData = (contract: Contract, baseUrl: string): object => ({
  "@context": "https://schema.org",
  "@type": "WebApplication",
  name: contract.title,
  description: contract.description,
  url: `${baseUrl}${toolPagePath(contract)}`,
  applicationCategory: "UtilitiesApplication",
  operatingSystem: "Any",
  isAccessibleForFree: true,
  offers: { "@type": "Offer", price: "0", priceCurrency: "USD" },
});

/**
 * Creates the form of a request: from an input in JSON, or from the controls, changed by the pressed
 * button. Undefined if the request has none of the tool's fields, only campaign parameters for example.
 */
export function formFromRequest(
  page: ToolPage,
  runner: Runner,
  sent: URLSearchParams,
): FormValues | undefined {
  // No control can be longer than the whole input.
  if ([...sent.values()].some((text) => findSizeProblem(text))) return tooLargeForm();
  const input = sent.get("input");
  const form = input === null ? formFromControls(page, sent) : formFromLink(page, runner, input);
  // A posted form may have more open items than ours.
  for (const [name, field] of Object.entries(page.fields)) {
    const items = form?.get(name);
    if (field.kind === "items" && items instanceof Map) collapseItems(items, field.fields);
  }
  return form;
}

function formFromControls(page: ToolPage, sent: URLSearchParams): FormValues | undefined {
  const form = parseForm(sent);
  // Only the page's script sets these: a URL must not.
  for (const name of [LINK_PROBLEM, OPENED_FILE, SECOND_FILE]) form.delete(name);
  const intent = sent.get("do") ?? "";
  if (intent === "clear") return new Map();
  if (page === mcpConfigPage && /\S/.test(asText(form.get("paste")))) return fillPasted(form);
  const isSent = Object.keys(page.fields).some((name) => form.has(name));
  if (!isSent && !intent.startsWith("preset ")) return undefined;
  if (intent === "") markTouched(form);
  else applyIntent(form, intent, page);
  if (!intent.startsWith("edit ")) endAllTyping(form, page.fields);
  return toFormEntries(form).length > MAX_CONTROLS ? tooLargeForm() : form;
}

/** Above any of our forms. Reading or rendering more takes too long; a typed text can become thousands. */
export const MAX_CONTROLS = 4_000;

/**
 * Reads the paste box without scripts. A text with several servers stays in the box, and is read with
 * each update.
 */
function fillPasted(form: FormValues): FormValues {
  const text = asText(form.get("paste"));
  const pasted = parsePasted(text);
  markTouched(form);
  if ("reason" in pasted) return form.set(LINK_PROBLEM, pasted.reason);
  const byName = Map.groupBy(pasted.servers, ({ input }) => input.name);
  const servers = [...byName.values()].flatMap(([first]) => first ?? []).slice(0, MAX_SERVERS);
  const others = pasted.servers.filter((server) => !servers.includes(server));
  const tooMany = others.map(({ input: { name } }) => ({ name, reason: TOO_MANY }));
  fillServers(form, { servers, left_out: [...pasted.left_out, ...tooMany] }, true);
  return servers.length > 1 ? form.set("paste", text) : form;
}

/** Rendering each for all clients takes time. */
const MAX_SERVERS = 20;

const TOO_MANY = `without JavaScript, this page writes ${MAX_SERVERS} servers, each in one way`;

/** The form that replaces an oversized form. */
export const tooLargeForm = (): FormValues =>
  new Map([
    [LINK_PROBLEM, TOO_LARGE.message],
    [TOUCHED_FIELDS, "*"],
  ]);
