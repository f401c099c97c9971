import { type Html, html } from "../../html.ts";
import type { Trial } from "../../view.ts";
import { trialPanel } from "./trial-panel.ts";
import type { TriedMails } from "./try-mails.ts";

/** Tries filters on the mail that the user drops on the page. */
export const mailTrial: Trial<TriedMails> = {
  worker: "mail-trial-worker.js",
  isFor: (name, start) => NAMED.test(name) || BEGUN.test(start),
  unready: "These filters cannot be tried yet: finish them, then drop the mail again.",
  panel: trialPanel,
};

/** An archive is told what to do with it. */
const NAMED = /(?:\.(?:mbox|mbx|eml|gz|tgz|zip)|^mbox)$/i;

const BEGUN =
  /^(?:From \S|(?:x-[\w-]+|received|return-path|delivered-to|from|to|date|subject|message-id|mime-version)[ \t]*:)/i;

/** Says what can be dropped, and where it comes from. */
export const mailToTry: Html = html`<div class="try needs-script">
<label class="button">Try on your own mail<input type="file" class="visually-hidden" accept=".mbox,.mbx,.eml,.gz,application/mbox,message/rfc822" multiple data-try></label>
<small>Or drop a mailbox (.mbox, .gz) or mails (.eml) on this page; <a href="https://takeout.google.com" target="_blank" rel="noopener">Google Takeout<span class="visually-hidden"> (in a new tab)</span></a> gives you yours. It is read in this tab: nothing leaves your computer, nothing is kept.</small>
</div>
`;
