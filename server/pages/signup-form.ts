import { BetaSignupSchema, REFERRALS } from "../../schemas/index.ts";
import { LINK_IN_NAME } from "../../schemas/signup.ts";
import { jsonSchema } from "../../src/json-schema.ts";
import type { Service } from "../service.ts";
import { type Html, html } from "./html.ts";

interface SignupFormOptions {
  /** The call to action that the form belongs to. */
  readonly ctaSource: "hero" | "footer";
  /** Keeps the ids of several forms on one page apart. */
  readonly idPrefix: string;
}

/**
 * The newsletter signup, if the site has one. Its controls have the names of the API's fields, but
 * for the honeypot. The script (client/signup/signup.ts) enables the button. The method is POST so
 * that no address can get into a URL if the script fails to load.
 */
export const signupForm = (
  { signup, baseUrl }: Service,
  { ctaSource, idPrefix }: SignupFormOptions,
): Html => {
  if (!signup) return html``;
  const { challenge, newsletter, privacyUrl } = signup;
  const { siteKey } = challenge;
  const { heading, questions } = VARIANTS[ctaSource];
  return html`<div class="signup">
<h2 id="${idPrefix}-signup">${heading}</h2>
<p>A note now and then when there is something new.<span class="without-scripts"> To sign up, turn on JavaScript.</span>${privacyUrl !== undefined && html` <a href="${privacyUrl}">Privacy policy</a>`}</p>
<form method="post" novalidate aria-labelledby="${idPrefix}-signup" data-signup data-site="${baseUrl()}" ${challengeData(siteKey)}${newsletter && html` data-newsletter`}>
<input type="hidden" name="ctaSource" value="${ctaSource}">
${emailField(idPrefix)}
${nameField(idPrefix)}
${questions(idPrefix)}${honeypot(idPrefix)}
<div class="challenge"><p>${siteKey === undefined ? OWN_CHECK : TURNSTILE_CHECK}</p></div>
<button class="primary" disabled>Sign up</button>
<p class="status" role="status"></p>
</form>
</div>`;
};

const VARIANTS: Readonly<
  Record<SignupFormOptions["ctaSource"], { heading: string; questions: (idPrefix: string) => Html }>
> = {
  hero: { heading: "Hear about new tools", questions: (idPrefix) => referralFields(idPrefix) },
  footer: { heading: "Newsletter", questions: () => html`` },
};

const challengeData = (siteKey: string | undefined): Html =>
  siteKey === undefined
    ? html`data-challenge="altcha"`
    : html`data-challenge="turnstile" data-site-key="${siteKey}"`;

/* The text in place of the challenge until the visitor starts to fill in the form. */
const OWN_CHECK = "Your browser solves a small puzzle to keep bots out.";

const TURNSTILE_CHECK = "Cloudflare Turnstile checks that you are human.";

const emailField = (idPrefix: string): Html =>
  textField({
    id: `${idPrefix}-email`,
    name: "email",
    label: "E-mail",
    attributes: html`type="email" autocomplete="email" required`,
    problem: "Enter an e-mail address, such as ada@example.com.",
  });

const nameField = (idPrefix: string): Html =>
  textField({
    id: `${idPrefix}-name`,
    name: "name",
    label: "Name",
    attributes: html`type="text" autocomplete="name" required data-rejects="${LINK_IN_NAME.source}"`,
    problem: `Enter your name, ${lengths("name")}, without < > or a web address.`,
  });

/** The way the visitor found the site, with a text field for "other". */
const referralFields = (
  idPrefix: string,
): Html => html`<div class="question referral"><label for="${idPrefix}-referral">How did you hear about us? <small>(optional)</small></label>
<select id="${idPrefix}-referral" name="referral">
<option value="">–</option>
${REFERRALS.map((referral) => html`<option value="${referral}">${REFERRAL_LABELS[referral]}</option>\n`)}</select></div>
<div class="other" hidden>${textField({
  id: `${idPrefix}-referral-other`,
  name: "referralOther",
  label: "Where was it?",
  attributes: html`type="text" autocomplete="off" required disabled`,
  problem: `Say where it was, ${lengths("referralOther")}.`,
})}</div>
`;

const REFERRAL_LABELS: Readonly<Record<(typeof REFERRALS)[number], string>> = {
  twitter: "X (Twitter)",
  reddit: "Reddit",
  hackernews: "Hacker News",
  producthunt: "Product Hunt",
  linkedin: "LinkedIn",
  discord: "Discord",
  other: "Somewhere else",
};

/**
 * A field that bots fill in, and that people neither see nor reach. The data attributes tell
 * password managers to ignore it.
 */
const honeypot = (
  idPrefix: string,
): Html => html`<p class="visually-hidden" aria-hidden="true"><label for="${idPrefix}-website">Leave this empty</label>
<input id="${idPrefix}-website" name="website" tabindex="-1" autocomplete="off" data-1p-ignore data-bwignore data-lpignore="true"></p>`;

interface TextField {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly attributes: Html;
  readonly problem: string;
}

const textField = ({
  id,
  name,
  label,
  attributes,
  problem,
}: TextField): Html => html`<div class="question"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" ${attributes} ${bounds(name)}>
<div class="notes"><p class="error" id="${id}:problem" data-problem-of="${id}" hidden>${problem}</p></div></div>`;

/** The attributes of a field's limits, without `maxlength`: browsers silently cut pasted text to it. */
function bounds(name: string): Html {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = properties[name] ?? {};
  return html`data-min-length="${minLength}" data-max-length="${maxLength}"`;
}

function lengths(name: string): string {
  const { minLength, maxLength } = properties[name] ?? {};
  return `${minLength} to ${maxLength} characters`;
}

const { properties = {} } = jsonSchema(BetaSignupSchema);
