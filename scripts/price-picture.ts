import { readFileSync } from "node:fs";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { createPriceCalculator, PriceChart } from "../server/pages/automation-cost/price-chart.tsx";
import { calculateAutomationCost } from "../src/automation-cost/index.ts";

/** Draws `docs/images/prices-*.svg` for the README's example. `npm run golden` writes them. */
export function pricePicture(scheme: "light" | "dark"): string {
  const result = calculateAutomationCost({ zaps: [{ action_steps: 3, runs_per_month: 400 }] });
  const you = { tasks: result.monthly_tasks, price: result.cheapest?.monthly_price ?? 0 };
  const page = renderToString(h(PriceChart, { prices: createPriceCalculator(result), you }));
  const chart = page.slice(0, page.lastIndexOf("</svg>") + "</svg>".length);
  // Image viewers may not support nested rules.
  const [own = "", ...nested] = style("chart.css")
    .replace(/\}\s*$/, "")
    .split(/^ {2}(?=[^{};]*\{)/m);
  const ofChart = [`${own}}`, ...nested.map((rule) => `.chart ${rule}`)];
  const rules = [...ofChart, ".paper { fill: var(--paper); }"].join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="276" viewBox="0 0 760 276" font-family="system-ui, sans-serif">
<style>
${resolved(rules, scheme)}
</style>
<rect class="paper" width="760" height="276" rx="8"/>
<svg x="56" y="8" width="684" height="260">
${chart}
</svg>
</svg>
`;
}

const style = (path: string): string =>
  readFileSync(new URL(`../server/pages/styles/${path}`, import.meta.url), "utf8");

/** Replaces custom properties, which image viewers may not support. */
function resolved(rules: string, scheme: "light" | "dark"): string {
  const tokens = style("tokens.css").matchAll(
    /(--[\w-]+): (?:light-dark\((#\w+), (#\w+)\)|([^;]+));/g,
  );
  const values = new Map(
    Array.from(tokens, ([, name, light, dark, any]) => [
      name,
      any ?? (scheme === "light" ? light : dark),
    ]),
  );
  return rules
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/var\((--[\w-]+)\)/g, (name, token) => values.get(token) ?? name)
    .replace(/\s*\n\s*/g, " ")
    .replaceAll("} ", "}\n")
    .trim();
}
