import { type Contract, mailFilterContract, type ToolContract } from "../../schemas/index.ts";
import { priceBook } from "../../src/automation-cost/price-book.ts";
import { taskRules } from "../../src/automation-cost/zapfile.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "../../src/mail-filter/gmail.ts";
import { BRIDGE } from "../../src/mcp-config/bridge.ts";
import { thousands } from "../../src/text.ts";
import { toolPagePath } from "../links.ts";
import { type Html, html } from "./html.ts";
import { copyBlock } from "./parts.ts";

/** The background of a tool's page: headings and texts. The page's script does not load it. */
export function aboutOf({ name }: Contract): Html {
  const about = abouts.get(name);
  if (!about) throw new Error(`No background is written for ${name}`);
  return about();
}

/**
 * Guides for tasks with several steps.
 *
 * @param npmPackage the name under which the package is published, if it is.
 */
export const guides = (npmPackage: string | undefined): readonly Guide[] => [
  { id: "filters-in-a-file", title: "Gmail filters in a file", body: mailFilterGuide(npmPackage) },
];

interface Guide {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

const elsewhere = (href: string, text: string): Html =>
  html`<a href="${href}" rel="noopener">${text}</a>`;

/** A missing text does not compile. */
const ABOUTS: { readonly [C in ToolContract as C["name"]]: () => Html } = {
  mail_filter_generator: aboutMailFilter,
  automation_cost_calculator: aboutAutomationCost,
  mcp_config_generator: aboutMcpConfig,
};

const abouts: ReadonlyMap<string, () => Html> = new Map(Object.entries(ABOUTS));

function aboutMailFilter(): Html {
  return html`<details>
<summary><h2>How the conditions work</h2></summary>
<ul>
<li>All conditions of a filter must hold. Of several senders, recipients or subjects, any one is enough. Of several words, all must be there, and any excluded word keeps a message out.</li>
<li>Gmail finds whole words and largely ignores case and punctuation: <code>joh</code> does not find <code>john</code>.</li>
<li><code>@shop.example</code> finds every address of that domain, and look-alikes such as <code>@shop.example.other.example</code> too. Senders can be forged, so do not keep mail out of Spam by its sender alone.</li>
<li>Under “Has words” you can use Gmail’s own operators: <code>list:news@shop.example</code>, <code>filename:pdf</code>, <code>(invoice OR receipt)</code>. Brackets and quotes that do not close are rejected here: Gmail would accept and misread them.</li>
</ul>
</details>
<details>
<summary><h2>Try the search first</h2></summary>
<p>“Open in Gmail” shows which of your mail the filter would have caught. It is close, but not the same: a search shows whole conversations and leaves out Spam and the bin, while a filter looks at each message as it arrives. Nothing changes until you import the file.</p>
</details>
<details>
<summary><h2>What Gmail does with the file</h2></summary>
<ul>
<li>An import only adds. Import twice and you have every filter twice, so delete the old ones first.</li>
<li>Gmail runs every filter that matches, in no fixed order. It stores no names: yours are comments in the file.</li>
<li>A forwarding address must be verified in Gmail before the import.</li>
<li>Categories were reported lost on import in 2023, and kept in 2026. Check the list of filters afterwards.</li>
</ul>
</details>
<details>
<summary><h2>Limits</h2></summary>
<ul>
<li>Gmail publishes no limit for the length of a filter. People have measured 1,469 to 1,488 characters; a longer one may be silently ignored. So a filter of more than ${thousands(MAX_SEARCH_LENGTH)} characters becomes several that together do the same.</li>
<li>Gmail keeps up to ${thousands(MAX_FILTERS)} filters in an account.</li>
<li>Google’s only description of the format dates from 2009. This file follows it, and files that Gmail exported up to 2026. Nobody outside Google can promise more, so check the list of filters after the import.</li>
</ul>
<p>What you type stays in your browser. Without JavaScript the server answers the form; it stores and logs none of it.</p>
</details>`;
}

/** The steps to keep existing filters in a file. The commands are shown if the package is published. */
const mailFilterGuide = (npmPackage: string | undefined): Html => html`
<p>Gmail’s own list of filters is hard to search and to change. Keep the list in a file instead:</p>
<ol>
<li>Export: in Gmail, open Settings &gt; See all settings &gt; Filters and Blocked Addresses, select all and press Export. You get <code>mailFilters.xml</code>.</li>
<li>Read: open that file on the <a href="${toolPagePath(mailFilterContract)}">Gmail filter generator</a>’s page. It says what the form cannot hold and leaves out, such as canned replies.${command(npmPackage, "read", "read mailFilters.xml > filters.json")}</li>
<li>Edit: change the filters in the form${npmPackage !== undefined && ", or filters.json in your editor"}.</li>
${npmPackage !== undefined && html`<li>Compare: list what differs from the export, by meaning. Nothing is written.${command(npmPackage, "compare", "diff mailFilters.xml filters.json")}</li>\n`}<li>Import: in Gmail, delete the filters that you changed, because an import only adds. Then import the new file on the same page of the settings.${command(npmPackage, "import", "missing mailFilters.xml filters.json > new.xml")}${npmPackage !== undefined && html`<p>With <code>missing</code> the file has only what Gmail does not have yet.</p>`}</li>
</ol>`;

const command = (npmPackage: string | undefined, step: string, args: string): Html =>
  npmPackage === undefined
    ? html``
    : copyBlock({
        id: `filters-${step}`,
        label: "Shell",
        of: `the step “${step}”`,
        text: `npx ${npmPackage} ${mailFilterContract.command} ${args}`,
      });

function aboutAutomationCost(): Html {
  return html`<details>
<summary><h2>What counts as a task</h2></summary>
<p>Each action step is one task, every time the Zap runs and the step succeeds: three action steps and 400 runs make 1,200 tasks. Steps that fail, are skipped or are filtered out are free: a Zap that often stops at a filter uses less than is counted here.</p>
<table>
<thead><tr><th scope="col">Step</th><th scope="col">Tasks a run</th><th scope="col">Source</th></tr></thead>
<tbody>
${TASKS_OF_STEPS.map(([step, tasks, source]) => html`<tr><th scope="row">${step}</th><td>${tasks}</td><td>${source}</td></tr>\n`)}</tbody>
</table>
<p>Where a step is more than one task, this page counts too few.</p>
</details>
<details>
<summary><h2>How the cheapest plan is found</h2></summary>
<p>Every tier of every plan that can hold your Zaps is priced. Beyond its included tasks, a paid plan charges ${times(percent.annual)} its price per task (annual billing) or ${times(percent.monthly)} (monthly billing), and stops at ${stops_at} times the included tasks. Amounts are rounded to a cent only once. At the same price, the plan that covers everything outright wins.</p>
<p>Free has ${priceBook.free.tasks} tasks and one action step per Zap; one longer Zap rules it out, even if it never runs. People who share Zaps need Team.</p>
</details>
<details>
<summary><h2>Where the numbers come from</h2></summary>
<p>Zapier publishes no dated list of all tiers. The built-in list is stated for ${priceBook.as_of} and was put together from public pages. Nobody read all of it on that day, so each price says when it was checked.</p>
<ul>
<li>The entry prices, and all but one of the Professional tiers up to 10,000 tasks, were read in September and October 2026.</li>
<li>Most others come from one full reading of the annual prices, on 2026-02-06, and one of the monthly prices, on 2025-05-18.</li>
<li>“Derived” means that no monthly price was found. It is then one and a half times the annual one, as it was, apart from rounding, wherever both were found.</li>
<li>Sources disagree about Professional with 500,000 tasks.</li>
<li>The factor for monthly billing was read three times between 2026-09-20 and 2026-10-05. In May 2026 it was still the same as for annual billing, and many pages still say so.</li>
</ul>
<p>The operator of this site may use another price list; the dates beside the prices are always those of the list in use. All prices are list prices in US dollars, before tax and discounts. Enterprise is priced on request. Before you pay, check ${elsewhere("https://zapier.com/pricing", "zapier.com/pricing")}.</p>
</details>
<details>
<summary><h2>What this leaves out</h2></summary>
<p>Free has no premium apps and no webhooks, and counts a Filter or Formatter as a step; Professional has one user; AI add-ons and Zapier’s other products are not in the list. This site is not affiliated with Zapier.</p>
</details>`;
}

const { percent, stops_at } = priceBook.pay_per_task;

/** Zapier's help article on tasks, as updated on 2026-08-21. */
const HELP = elsewhere(taskRules.source, `Zapier’s help, read ${taskRules.read_on}`);

const OLD_HELP = elsewhere(
  "https://help.zapier.com/hc/en-us/articles/8495906379405",
  "an older page of the same help",
);

const TASKS_OF_STEPS: readonly (readonly [step: string, tasks: string, source: Html])[] = [
  ["The trigger", "0", HELP],
  ["An action of an app, also a search", "1", HELP],
  ["Filter, Paths", "0", html`${HELP}; ${OLD_HELP} still says 1 for what passes`],
  ["Formatter, Delay, Digest, Storage, Tables, Forms", "0", HELP],
  ["Looping", "0, but its steps once for each item", HELP],
  [
    "Sub-Zap",
    "disputed",
    html`${HELP}: its steps and the call count; the list of free apps there: 0`,
  ],
  ["Code by Zapier", "1, more when it runs long", HELP],
  [
    "AI by Zapier",
    "1, 3 or 5 by model, times its tool calls",
    elsewhere(
      "https://help.zapier.com/hc/en-us/articles/46425475442829",
      "Zapier’s help, 2026-06-15",
    ),
  ],
  [
    "MCP call",
    "2",
    elsewhere("https://docs.zapier.com/mcp/usage/overview", "Zapier’s documents, 2025-09"),
  ],
  ["Lead Router", "5 a lead", html`${HELP}; an older page says 30`],
];

/** Percent as a factor, "1.25 times". */
const times = (value: number): string => `${value / 100} times`;

function aboutMcpConfig(): Html {
  return html`<details>
<summary><h2>Local or remote</h2></summary>
<p>A local server is a program that the client starts: give its command, its arguments one by one, and its environment. A remote server is an address: give its URL and, if it asks for them, headers. A config has one of the two. Arguments stay a list in every file, so spaces and quotes in them are safe. Where a client on Windows may stumble over them, there is a warning.</p>
</details>
<details>
<summary><h2>Why five files for one server</h2></summary>
<ul>
<li>Claude Desktop’s file accepts only local servers. A remote one goes through the bridge <code>${BRIDGE.package}</code>, pinned to version ${BRIDGE.version}; versions before 0.1.16 could be made to run commands (CVE-2025-6514).</li>
<li>Claude Code skips a remote server without a <code>type</code>. One wrong entry, and Cursor silently ignores its whole file.</li>
<li>VS Code calls the list of servers <code>servers</code>; the other JSON files call it <code>mcpServers</code>.</li>
<li>Codex reads TOML, and any error in the file keeps it from starting. It calls headers <code>http_headers</code> and ignores them under any other name.</li>
<li>Some clients put the value of a variable in place of <code>\${NAME}</code>, others leave it as it is. A warning says which.</li>
</ul>
</details>
<details>
<summary><h2>Secrets</h2></summary>
<p>What you type stays in your browser. Without JavaScript the form is posted to the server, which stores and logs none of it. The link to share leaves out environment and headers. There is no link if an argument or the URL seems to hold a secret.</p>
<p>A project’s file is usually committed, and a key in it with it. In the commands, a value whose name looks secret is read from your shell or asked for by the client. There is no install link while a value of env or headers is written out: it would end up in your browser history. A button makes a reference of it.</p>
</details>
<details>
<summary><h2>How sure this is</h2></summary>
<p>In November 2026 the configs were tried with the real programs: Codex 0.169.0 and Claude Code 2.1.330 started the servers, the bridge passed the headers on, and the schema of VS Code 1.139.1 took its file. Cursor’s format was tried with its agent runtime, not the editor. Claude Desktop needs a screen: what is said about it comes from Anthropic’s support pages, other programs’ source and users’ reports. Nothing was run on Windows.</p>
<p>A config that worked may stop working with a new version of a client. Keep a copy of a file before you change it.</p>
</details>`;
}
