import { explained } from "./explanation.ts";

/** The codes of warnings about mail filters. */
export const mailFilterCodes = {
  "acts-on-deleted": explained(
    "The mail goes to the bin, where a label, star, category or importance does little.",
    "Gmail empties the bin after 30 days, and the bin is not where one looks for starred or labelled mail.",
    "Leave out delete, and give skip_inbox if the mail should only leave the inbox. To bin it, leave out the other actions.",
  ),
  "address-taken": explained(
    "The address was read from a longer text, such as one with a name.",
    "`Bob <bob@x.example>` is how mail programs copy an address; Gmail finds mail by the address alone.",
    "Nothing, if the address is the one you mean. Write the address alone to avoid the note.",
  ),
  "all-words-required": explained(
    "Several items of has_words must all be there.",
    "from, to and subject take a mail that has any one of their items; has_words takes only mail that has them all.",
    "For any of the words write one item with OR: `invoice OR receipt`.",
  ),
  "backslash-in-label": explained(
    "A backslash does not nest labels.",
    "Gmail makes one label whose name has the backslash in it.",
    "Nest with a slash: `Money/Bills`.",
  ),
  "broad-delete": explained(
    "The filter deletes mail from anyone.",
    "No sender, recipient, subject or words say which mail is meant, and Gmail empties the bin after 30 days.",
    "Add a condition that says whose mail it is. Open the preview link first and look at what it finds.",
  ),
  "characters-removed": explained(
    "Characters that XML cannot carry were removed from a name.",
    "The file is XML, which has no form for most control characters. The name is only a comment in it.",
    "Nothing; or take the characters out of the name, which a copied text may have brought.",
  ),
  "comma-in-exclusion": explained(
    "An exclusion with a comma keeps out its whole phrase only.",
    "In from and to a comma separates addresses; in does_not_have it is part of the text, so more mail stays than you may expect.",
    "Write one item for each part.",
  ),
  "conflicting-filters": explained(
    "Two filters can match the same mail and do opposite things.",
    "Gmail applies all filters that match, in no promised order, so what happens to such mail is left to chance.",
    "Exclude from one filter what the other takes, with does_not_have.",
  ),
  "curly-quotes": explained(
    "Curly quotes were read as quotation marks.",
    "Word processors and phones write curly quotes; a phrase is meant, and Gmail knows straight quotes.",
    "Nothing, if a phrase is meant.",
  ),
  "deletes-spam-too": explained(
    "never_spam with delete puts spam in the bin.",
    "The mail skips Spam, so Gmail learns nothing from it.",
    "Leave out never_spam: what the filter deletes needs no way past Spam.",
  ),
  "domain-is-no-proof": explained(
    "An @domain matches look-alikes too, and senders can be forged.",
    "Such mail passes the spam check, or counts as important, whoever sent it.",
    "Name whole addresses, and do it only for senders from whom nothing dangerous would come.",
  ),
  "duplicate-filter": explained(
    "Two filters are the same; the import adds both.",
    "Gmail does not merge filters. Two that are the same make a long list longer, and a change of one leaves the other.",
    "Take one of them out.",
  ),
  "exclamation-mark": explained(
    "Gmail may read an exclamation mark as a minus.",
    "Then the filter keeps out the very mail that it should take.",
    "Put the text in quotes.",
  ),
  "exclusion-is-text": explained(
    "An operator, AND or brackets in does_not_have were read as text, so their meaning keeps no mail out.",
    "Each item keeps mail out by itself, as a word, a phrase or one operator. What says more is searched as the very text that it is.",
    "Write the operator as an item of its own, with its value right behind the colon: `from:boss@x.example`. To keep out mail with all of several words, write `-(a b)` in has_words.",
  ),
  "forward-loop": explained(
    "The filter takes mail of the forwarding address too.",
    "An answer or a bounce from there is forwarded back to where it came from, and the mail may go in a circle.",
    "Exclude the address: does_not_have `from:me@example.com`.",
  ),
  "forward-split": explained(
    "A mail may be forwarded twice, as the filter was split.",
    "The filter was too long for Gmail and became several; a mail that matches two of them is forwarded by each.",
    "Shorten the lists, or name a whole @domain in place of many addresses.",
  ),
  "forward-unverified": explained(
    "The forwarding address must be verified in Gmail first.",
    "Gmail forwards only to addresses whose owner has agreed; otherwise the import may lose the action or reject the filter.",
    "Add it in Gmail under Settings > Forwarding, confirm the mail that arrives there, then import.",
  ),
  "international-domain": explained(
    "Mail may carry the domain in its ASCII form.",
    "Many servers send a domain with letters outside ASCII as `xn--…`, which the filter as written does not find.",
    "Add the ASCII form as one more item.",
  ),
  "invisible-removed": explained(
    "Invisible characters were removed.",
    "Text copied from a page may bring characters that nobody sees, and Gmail would look for them.",
    "Nothing, if the text looks right.",
  ),
  "judged-at-delivery": explained(
    "A state such as is:unread is judged when the mail arrives.",
    "At that moment a mail is unread, and is neither starred nor read: the condition holds nearly always, or nearly never.",
    "Leave the condition out; say by sender, subject or words which mail is meant.",
  ),
  "label-differs-in-case": explained(
    "Two labels differ only in case; Gmail takes them for one.",
    "Gmail has no two labels that differ only in case, so both filters give the same one.",
    "Write the label the same way in all filters.",
  ),
  "label-spaces": explained(
    "The label is kept with its spaces, which make it another one for Gmail.",
    "`Money / Bills` is not `Money/Bills`: you may have two labels that look alike.",
    "Write it as Gmail shows it; without spaces around the slash if it is new.",
  ),
  "larger-than-any-mail": explained(
    "Gmail receives no larger mail.",
    "The filter can never match.",
    "Give a smaller larger_than_mb.",
  ),
  "left-out": explained(
    "An entry of an export cannot be expressed in the tool's input.",
    "Gmail has actions and conditions that the input has no field for. The entry is not written again, and stays in Gmail.",
    "Nothing, while you import only what is new; keep the export if you delete filters in Gmail.",
  ),
  "local-part-ignored": explained(
    "Gmail reads nothing before the @ and takes the whole domain.",
    "The filter matches everyone at that domain, not one person.",
    "Write one whole address without wildcards, or @domain if all are meant.",
  ),
  "long-in-bytes": explained(
    "The search is near Gmail's limit once written in bytes.",
    "Letters outside ASCII take several bytes, and a filter that is too long may fail in silence.",
    "After the import, open the filter in Gmail and see that it ends as it should; or give fewer items.",
  ),
  "lower-case-operator": explained(
    'Lower-case "or" and "and" are searched as words.',
    "Gmail knows OR and AND in capitals only; the filter takes only mail that has the word itself.",
    "Write OR or AND in capitals; or put the words in quotes if they are part of a phrase.",
  ),
  "matches-almost-all": explained(
    "Nothing in the filter says which mail, so it takes almost all.",
    "A filter that only excludes acts on all other mail.",
    "Add a sender, a recipient, a subject or words.",
  ),
  "never-spam-free-mail": explained(
    "never_spam for everyone at a free mail service.",
    "Anyone can have an address there, spammers too, and all of their mail comes to the inbox.",
    "Name whole addresses.",
  ),
  "never-spam-without-sender": explained(
    "never_spam for words that any spam may have.",
    "No sender is named, so spam with those words comes to the inbox.",
    "Add the senders in from.",
  ),
  "not-an-address": explained(
    "No address or @domain: it is searched as a phrase, in names too.",
    "Gmail finds the text in the name of a sender or recipient, which anyone can choose.",
    "Write the address, or @domain, if that is what you mean; leave it if the name is.",
  ),
  "not-operator": explained(
    "Gmail has no NOT; it is searched as a word.",
    "The filter takes only mail with the word NOT in it.",
    'Use does_not_have; or write `-word` or `-"a phrase"`.',
  ),
  "only-excludes": explained(
    "An item of has_words only keeps mail out.",
    "It works, but a reader looks for exclusions in does_not_have.",
    "Move it to does_not_have, without its minus.",
  ),
  "operator-spelling": explained(
    "An operator was written with unusual characters.",
    "A full-width colon or letter looks right, but Gmail does not read it as an operator; the usual characters replace it.",
    "Nothing, if the operator is meant.",
  ),
  "operator-taken-literally": explained(
    "A text looks like a search operator and was read as text.",
    "Operators work in has_words and, in part, in does_not_have; elsewhere, and for signs that Gmail does not know such as *, the text is what is searched.",
    "Leave it if the text is meant; for the operator follow the advice of the message.",
  ),
  "quote-removed": explained(
    "Gmail cannot search for a quotation mark.",
    "Quotes only hold a phrase together; one inside a text would end it.",
    "Nothing, if the text without the mark is right.",
  ),
  "redundant-skip-inbox": explained(
    "delete takes the mail out of the inbox already.",
    "skip_inbox beside it changes nothing.",
    "Leave out skip_inbox; or leave out delete to archive the mail instead.",
  ),
  repeated: explained(
    "An item was in the list before, and was left out.",
    "Twice the same item, also in other case, finds no more mail.",
    "Nothing; or take it out of the input.",
  ),
  "reserved-label": explained(
    "The label is one of Gmail's own names.",
    "Gmail keeps names such as Sent and Spam for itself; the import may reject the filter.",
    "Choose another name, or use the action: delete, star, importance.",
  ),
  "several-addresses": explained(
    "One item held several addresses and became several items.",
    "Any one of them is enough. Gmail itself reads such a list in to as mail to all of them.",
    "Nothing, if any of them is meant. For mail to all of them give one filter a condition in has_words: `to:a@x.example to:b@x.example`.",
  ),
  "several-exclusions": explained(
    "One item held several exclusions and became several items.",
    "A mail is kept out by any one of them.",
    "Nothing, if that is meant; put a text with OR in quotes to exclude the phrase.",
  ),
  "size-twice": explained(
    "A size is asked for in the words too.",
    "Both sizes must hold, which is easily more or less than was meant.",
    "Keep larger_than_mb and smaller_than_mb, and take the operator out of has_words.",
  ),
  "space-after-operator": explained(
    "A space separates an operator from its value.",
    "Gmail searches the two as words of their own.",
    "Write them together: `from:ada@x.example`.",
  ),
  split: explained(
    "A filter was too long for Gmail and became several.",
    "A filter that is too long may fail in silence; the new ones together match the same mail and do the same.",
    "Nothing. In Gmail you see several filters; keep your input to change them together.",
  ),
  "system-label": explained(
    "Gmail may read a label that starts with ^ as a system label.",
    "Gmail uses such names inside, and the import may do something else than to make a label.",
    "Let the name start with a letter.",
  ),
  "top-level-domain": explained(
    "A top-level domain matches a great many senders.",
    "Everyone whose address ends so is meant: good mail and spam of a whole country or kind.",
    "Name the domains of the senders.",
  ),
  "unknown-operator": explained(
    "A word with a colon is not a Gmail operator; it was read as text.",
    "A misspelt operator finds only mail that has it as a word.",
    "Correct it, such as `subject:`; or leave it if the text is meant.",
  ),
  "unquoted-words": explained(
    "Words that look like a phrase are searched one by one.",
    "In an item with an operator, words without quotes may be anywhere in the mail.",
    'Put the phrase in quotes: `"out of office"`.',
  ),
};
