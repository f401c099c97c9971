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
  isInCollapsedItem,
  parseForm,
} from "./form/form-values.ts";
import { applyIntent } from "./form/intents.ts";
import { formFromLink } from "./form/links.ts";
import { Layout, renderPage } from "./layout.tsx";
import { ADDED_FILES } from "./mail-filter/filter-form.ts";
import { mailFilterPage } from "./mail-filter/mail-filter-page.tsx";
import { mcpConfigPage } from "./mcp-config/mcp-config-page.tsx";
import { parsePasted } from "./mcp-config/parse-pasted.ts";
import { fillServers } from "./mcp-config/server-form.ts";

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
        {page.view({ state: evaluateForm(page, runner, form) })}
      </div>
      <About toolName={contract.name} />
    </Layout>,
  );
}

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
  const { fields } = page;
  const input = sent.get("input");
  if (findSizeProblem(input ?? sent.get("paste") ?? "")) return tooLargeForm();
  const form = input === null ? formFromControls(page, sent) : formFromLink(page, runner, input);
  if (!form) return undefined;
  // A posted form may have more open items than ours.
  for (const [name, field] of Object.entries(fields)) {
    const items = form.get(name);
    if (field.kind === "items" && items instanceof Map) collapseItems(items, field.fields);
  }
  return form;
}

function formFromControls(page: ToolPage, sent: URLSearchParams): FormValues | undefined {
  const form = parseForm(sent);
  // Long JSON may be nested deeper than JSON.stringify can go.
  const isClosed = (name: string) => isInCollapsedItem(form, name, page.fields);
  if ([...sent].some(([name, text]) => isClosed(name) && findSizeProblem(text)))
    return tooLargeForm();
  // Only the page's script sets these: a URL must not.
  for (const name of [LINK_PROBLEM, OPENED_FILE, ADDED_FILES, SECOND_FILE]) form.delete(name);
  const command = sent.get("do") ?? "";
  if (command === "clear") return new Map();
  if (page === mcpConfigPage && /\S/.test(asText(form.get("paste")))) return fillPasted(form);
  const isSent = Object.keys(page.fields).some((name) => form.has(name));
  if (!isSent && !command.startsWith("preset ")) return undefined;
  if (command === "") markTouched(form);
  else applyIntent(form, command, page);
  if (!command.startsWith("edit ")) endAllTyping(form, page.fields);
  return form;
}

/** Reads the paste box without scripts. The server writes one config at a time. */
function fillPasted(form: FormValues): FormValues {
  const pasted = parsePasted(asText(form.get("paste")));
  markTouched(form);
  if ("reason" in pasted) return form.set(LINK_PROBLEM, pasted.reason);
  const [first, ...others] = pasted.servers;
  const left_out = others.map(({ input: { name } }) => ({ name, reason: ONE_SERVER }));
  const servers = first ? [first] : [];
  fillServers(form, { servers, left_out: [...left_out, ...pasted.left_out] }, true);
  return form;
}

const ONE_SERVER = "without JavaScript, this page writes one server at a time";

/** The form that replaces an oversized form. */
export const tooLargeForm = (): FormValues =>
  new Map([
    [LINK_PROBLEM, TOO_LARGE.message],
    [TOUCHED_FIELDS, "*"],
  ]);
