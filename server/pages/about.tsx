/** @jsxImportSource preact */
import type { ToolContract } from "../../schemas/index.ts";
import { priceBook } from "../../src/automation-cost/price-book.ts";
import { taskRules } from "../../src/automation-cost/zapfile.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "../../src/mail-filter/gmail.ts";
import { MCP_REMOTE } from "../../src/mcp-config/bridge.ts";
import { formatNumber } from "../../src/text.ts";
import { Prose } from "./components.tsx";

/** The background of a tool's page, a fold for each heading. The page's script does not load it. */
export const About = ({ toolName }: { readonly toolName: string }) => (
  <section class="about" aria-label="Background">
    {backgrounds[toolName]
      ?.split(/^## /m)
      .slice(1)
      .map((part) => (
        <details class="fold">
          <summary>
            <h2>{part.slice(0, part.indexOf("\n"))}</h2>
          </summary>
          <Prose text={part.slice(part.indexOf("\n"))} />
        </details>
      ))}
  </section>
);

const mailFilter = `
## How the conditions work

- All conditions of a filter must hold. Of several senders, recipients or subjects, any one is enough. Of several words, all must be there, and any excluded word keeps a message out.
- Gmail finds whole words and largely ignores case and punctuation: \`joh\` does not find \`john\`.
- \`@shop.example\` finds every address of that domain, and look-alikes such as \`@shop.example.other.example\` too. Senders can be forged, so do not keep mail out of Spam by its sender alone.
- Under “Has all of” you can use Gmail’s own operators: \`list:news@shop.example\`, \`filename:pdf\`, \`(invoice OR receipt)\`. Brackets and quotes that do not close are rejected here: Gmail would accept and misread them.
- “Open in Gmail” shows which of your mail the filter would have caught. It is close, but not the same: a search shows whole conversations and leaves out Spam and Trash, while a filter looks at each message as it arrives. Nothing changes until you import the file.

## What Gmail does with the file

- An import only adds, and replaces nothing. Import a file twice, and you have every filter twice.
- Gmail runs every filter that matches, in no fixed order. It stores no names: yours are comments in the file.
- A forwarding address must be verified in Gmail before the import.
- Categories were reported lost on import in 2023, and kept in 2026. Check the list of filters afterwards.

## Limits

- Gmail publishes no limit for the length of a filter. People have measured 1,469 to 1,488 characters; a longer one may be silently ignored. So a filter of more than ${formatNumber(MAX_SEARCH_LENGTH)} characters becomes several that together do the same.
- Gmail keeps up to ${formatNumber(MAX_FILTERS)} filters in an account.
- Google’s only description of the format dates from 2009. This file follows it, and files that Gmail exported up to 2026. Nobody outside Google can promise more, so check the list of filters after the import.

What you type stays in your browser. Without JavaScript the server answers the form; it stores and logs none of it.`;

const { percent, stops_at } = priceBook.pay_per_task;

const automationCost = `
## What counts as a task

Each action step is one task, every time the Zap runs and the step succeeds: three action steps and 400 runs make 1,200 tasks. Steps that fail, are skipped or are filtered out are free: a Zap that often stops at a filter uses less than is counted here. Where a step is more than one task, this page counts too few. By [Zapier’s help, read ${taskRules.read_on}](${taskRules.source}), a run takes:

- An action of an app, also a search: 1 task.
- The trigger, Filter, Paths: 0. [An older page of the same help](https://help.zapier.com/hc/en-us/articles/8495906379405) still says 1 for what passes a filter.
- Formatter, Delay, Digest, Storage, Tables, Forms: 0.
- Looping: 0, but its steps once for each item.
- Sub-Zap: disputed. Its steps and the call count, but the list of free apps there says 0.
- Code by Zapier: 1, and more when it runs long.
- AI by Zapier: 1, 3 or 5 by model, and as many again for each tool call ([Zapier’s help, 2026-06-15](https://help.zapier.com/hc/en-us/articles/46425475442829)).
- MCP call: 2 ([Zapier’s documents, 2025-09](https://docs.zapier.com/mcp/usage/overview)).
- Lead Router: 5 a lead; an older page says 30.

## How the cheapest plan is found

Every tier of every plan that can hold your Zaps is priced. Beyond its included tasks, a paid plan charges ${percent.annual / 100} times its price per task (annual billing) or ${percent.monthly / 100} times (monthly billing), and stops at ${stops_at} times the included tasks. Amounts are rounded to a cent only once. At the same price, the plan that covers everything outright wins.

Free has ${priceBook.free.tasks} tasks and one action step per Zap; one longer Zap rules it out, even if it never runs. People who share Zaps need Team.

## Where the numbers come from

Zapier publishes no dated list of all tiers. The built-in list is stated for ${priceBook.as_of} and was put together from public pages. Nobody read all of it on that day, so each price says when it was checked.

- The entry prices, and all but one of the Professional tiers up to 10,000 tasks, were read in September and October 2026.
- Most others come from one full reading of the annual prices, on 2026-02-06, and one of the monthly prices, on 2025-05-18.
- “Derived” means that no monthly price was found. It is then one and a half times the annual one, as it was, apart from rounding, wherever both were found.
- Sources disagree about Professional with 500,000 tasks.
- The factor for monthly billing was read three times between 2026-09-20 and 2026-10-05. In May 2026 it was still the same as for annual billing, and many pages still say so.

The operator of this site may use another price list; the dates beside the prices are always those of the list in use. All prices are list prices in US dollars, before tax and discounts. Enterprise is priced on request. Before you pay, check [zapier.com/pricing](https://zapier.com/pricing).

## What this leaves out

Free has no premium apps and no webhooks, and counts a Filter or Formatter as a step; Professional has one user; AI add-ons and Zapier’s other products are not in the list. This site is not affiliated with Zapier.`;

const mcpConfig = `
## Local or remote

A local server is a program that the client starts: give its command, its arguments one by one, and its environment. A remote server is an address: give its URL and, if it asks for them, headers. A config has one of the two. Arguments stay a list in every file, so spaces and quotes in them are safe. Where a client on Windows may stumble over them, there is a warning.

## Why each client has a file of its own

- Claude Desktop’s file accepts only local servers. A remote one goes through the bridge \`${MCP_REMOTE.package}\`, pinned to version ${MCP_REMOTE.version}; versions before 0.1.16 could be made to run commands (CVE-2025-6514).
- Claude Code skips a remote server without a \`type\`. One wrong entry, and Cursor silently ignores its whole file.
- VS Code calls the list of servers \`servers\`; the other JSON files call it \`mcpServers\`.
- Codex reads TOML, and any error in the file keeps it from starting. It calls headers \`http_headers\` and ignores them under any other name.
- Some clients put the value of a variable in place of \`\${NAME}\`, others leave it as it is. A warning says which.

## Secrets

What you type stays in your browser. Without JavaScript the form is posted to the server, which stores and logs none of it. The link to share leaves out environment and headers. There is no link if an argument or the URL seems to hold a secret.

A project’s file is usually committed. In it, a secret becomes a variable if the client can read one, and “Write the value” puts the secret back. Files and commands for you alone contain the values until you press “Use variables”. There is no install link while a value of env or headers is written out: it would end up in your browser history.

## What was tested

Each client says when its program read a config made here, and with which version. Cursor’s format was tried with its agent runtime, not the editor. Where nothing was tried, the config follows the client’s documents; for Claude Desktop also other programs’ source and users’ reports. Nothing was run on Windows.

A config that worked may stop working with a new version of a client. Keep a copy of a file before you change it.`;

const backgrounds: Readonly<Partial<Record<string, string>>> = {
  mail_filter_generator: mailFilter,
  automation_cost_calculator: automationCost,
  mcp_config_generator: mcpConfig,
  // A missing background is a compile error.
} satisfies { readonly [C in ToolContract as C["name"]]: string };
