import type { Contract } from "../../schemas/index.ts";
import { readJson } from "../../src/json-text.ts";
import { toolPagePath } from "../links.ts";
import type { Service } from "../service.ts";
import { About } from "./about.tsx";
import { closeItems, readForm, type Tree, toTree, treeAt } from "./form/form.ts";
import { type Host, leave, pressButton, type State, type ToolPage } from "./form/run-form.ts";
import { Layout, renderPage } from "./layout.tsx";
import { mailFilterPage } from "./mail-filter/mail-filter.tsx";
import { mcpConfigPage } from "./mcp-config/mcp-config.tsx";
import { SignupPlace } from "./signup/signup-place.tsx";

/** The pages of the tools, by the tools' names. */
export const toolPagesByName: ReadonlyMap<string, ToolPage> = new Map(
  [mailFilterPage, mcpConfigPage].map((page) => [page.contract.name, page]),
);

export const serverHost = (contract: Contract, service: Service): Host => ({
  // Known only once the port is.
  get baseUrl() {
    return service.baseUrl();
  },
  priceBook: service.priceBook,
  run: (input, options) => service.run(contract.name, input, options),
});

/** A tool's page: its form, the outcome and the background. */
export function toolPage(service: Service, state: State<object>): string {
  const { page, host } = state;
  const { contract } = page;
  return renderPage(
    <Layout
      service={service}
      title={contract.title}
      description={page.lead}
      path={toolPagePath(contract)}
      layout="tool"
      structuredData={structuredData(contract, service.baseUrl())}
      scripts={[`${contract.command}-client.js`]}
    >
      <header class="intro">
        <h1>{contract.title}</h1>
        <p class="lead">{page.lead}</p>
      </header>
      <div
        class="tool-page"
        data-base-url={host.baseUrl}
        data-price-book={host.priceBook && JSON.stringify(host.priceBook)}
      >
        {page.view({ state })}
      </div>
      <SignupPlace service={service} ctaSource="footer" />
      <About of={contract.name} />
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

/** The form that a request asks for: as it was sent and changed by its button, an input in JSON, or the example. */
export function formOf(page: ToolPage, sent: URLSearchParams): Tree {
  const { fields, contract } = page;
  const input = sent.get("input");
  if (input !== null) {
    const tree = toTree(readJson(input), fields);
    tree.set("linked", "true");
    return leave(tree) ?? tree;
  }
  const tree = readForm(sent);
  const command = sent.get("do") ?? "";
  const isSent = Object.keys(fields).some((name) => tree.has(name));
  if ((!isSent && command === "") || command === "example")
    return toTree(contract.example_input, fields);
  if (command === "") leave(tree);
  else pressButton(page, tree, command);
  // Anybody may send a form with more open items than ours has.
  for (const [name, field] of Object.entries(fields))
    if (field.kind === "items") closeItems(treeAt(tree, [name]), field.fields);
  return tree;
}
