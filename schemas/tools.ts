import { automationCostContract } from "./automation-cost.ts";
import { mailFilterContract } from "./mail-filter.ts";
import { mcpConfigContract } from "./mcp-config.ts";

/** The contracts of all tools, in the order of every list of them. */
export const tools = [mailFilterContract, automationCostContract, mcpConfigContract] as const;

export type ToolContract = (typeof tools)[number];

/** The codes of each tool's warnings, with their meanings for the documentation. */
export const warningMeanings = {
  mail_filter_generator: {
    "acts-on-deleted":
      "The mail goes to the bin, where a label, star, category or importance does little.",
    "address-taken": "The address was taken out of a longer text, such as one with a name.",
    "all-words-required": "Several items of has_words must all be there.",
    "backslash-in-label": "A backslash does not nest labels.",
    "broad-delete": "The filter deletes mail from anyone.",
    "characters-removed": "Characters that XML cannot carry were removed from a name.",
    "comma-in-exclusion": "An exclusion with a comma keeps out its whole phrase only.",
    "conflicting-filters": "Two filters can match the same mail and do opposite things.",
    "curly-quotes": "Curly quotes were read as quotation marks.",
    "deletes-spam-too": "never_spam with delete puts spam in the bin.",
    "domain-is-no-proof": "An @domain matches look-alikes too, and senders can be forged.",
    "duplicate-filter": "Two filters are the same; the import adds both.",
    "exclamation-mark": "Gmail may read an exclamation mark as a minus.",
    "exclusion-is-text":
      "An operator in does_not_have was taken as text and keeps no mail out by it.",
    "forward-loop": "The filter takes mail of the forwarding address too.",
    "forward-split": "A mail may be forwarded twice, as the filter was split.",
    "forward-unverified": "The forwarding address must be verified in Gmail first.",
    "international-domain": "Mail may carry the domain in its ASCII form.",
    "invisible-removed": "Invisible characters were removed.",
    "judged-at-delivery": "A state such as is:unread is judged when the mail arrives.",
    "label-differs-in-case": "Two labels differ only in case; Gmail takes them for one.",
    "label-spaces": "The label is kept with its spaces, which make it another one for Gmail.",
    "larger-than-any-mail": "Gmail receives no larger mail.",
    "left-out": "An entry of an export cannot be said in the tool's input.",
    "local-part-ignored": "Gmail reads nothing before the @ and takes the whole domain.",
    "long-in-bytes": "The search is near Gmail's limit once written in bytes.",
    "lower-case-operator": 'Lower-case "or" and "and" are searched as words.',
    "matches-almost-all": "Nothing in the filter says which mail, so it takes almost all.",
    "never-spam-free-mail": "never_spam for everyone at a free mail service.",
    "never-spam-without-sender": "never_spam for words that any spam may have.",
    "not-an-address": "No address or @domain: it is searched as a phrase, in names too.",
    "not-operator": "Gmail has no NOT; it is searched as a word.",
    "only-excludes": "An item of has_words only keeps mail out.",
    "operator-spelling": "An operator was written with unusual characters.",
    "operator-taken-literally": "A text looks like a search operator and was taken as text.",
    "quote-removed": "Gmail cannot search for a quotation mark.",
    "redundant-skip-inbox": "delete takes the mail out of the inbox already.",
    repeated: "An item was in the list before, and was left out.",
    "reserved-label": "The label is a name of Gmail's own.",
    "several-addresses": "One item held several addresses and became several items.",
    "several-exclusions": "One item held several exclusions and became several items.",
    "size-twice": "A size is asked for in the words too.",
    "space-after-operator": "A space stands between an operator and its value.",
    split: "A filter was too long for Gmail and became several.",
    "system-label": "A label that starts with ^ may be taken for a system label.",
    "top-level-domain": "A top-level domain matches a great many senders.",
    "unknown-operator": "A word with a colon is no operator of Gmail; it was taken as text.",
    "unquoted-words": "Words that look like a phrase are searched one by one.",
  },
  automation_cost_calculator: {
    "idle-zap-rules-out-free": "An automation that never runs has too many steps for Free.",
  },
  mcp_config_generator: {
    "command-not-found": "A client does not find a command that starts with ~ or a dot.",
    "command-line": "The command looks like a whole command line; arguments belong in args.",
    "command-split": "A client splits a command with spaces.",
    "double-underscore":
      "The name has the two underscores that clients put between server and tool.",
    "field-left-out": "A setting of one client was left out when its config was read.",
    "header-replaced": "A client sends its own value in place of this header's.",
    "header-outer-spaces": "A header's outer spaces are not sent.",
    "long-name": "The name is long: clients limit the length of server and tool name together.",
    "name-changed": "A server was given a name that every client takes.",
    "path-appended": "A client appends to PATH instead of replacing it.",
    "path-rewritten": "A client makes an absolute path of a text that starts with ~ or a dot.",
    "plain-http": "The URL is not encrypted and not of this machine.",
    "protocol-header": "The header is set by the protocol itself.",
    "reference-as-text": "A client replaces no variable there and takes ${NAME} as text.",
    "reserved-name": "A client keeps this name for itself.",
    "secret-in-args": "An argument seems to hold a secret, which belongs in env.",
    "secret-in-url": "The URL seems to hold a secret.",
    "server-left-out": "A server of a config cannot be said as an input.",
    "sse-url": "The URL ends in /sse, a transport that a client does not speak.",
    "url-fragment": "The URL's fragment is never sent.",
    "url-rewritten": "A client asks for another URL than the one given.",
    "url-scheme-case": "A client refuses a URL whose scheme is in upper case.",
    "variable-error": "A client stops at a variable that it cannot resolve.",
    "variable-expansion": "A client takes a text for a variable and replaces it.",
    "windows-argument-space": "On Windows, a space in an argument may break the start.",
    "windows-special-character":
      "On Windows, a character in an argument means something to the shell.",
  },
} as const satisfies {
  readonly [C in ToolContract as C["name"]]: Readonly<Record<string, string>>;
};

/** The codes of the warnings that a tool may give. */
export type WarningCode<Name extends keyof typeof warningMeanings> =
  keyof (typeof warningMeanings)[Name];
