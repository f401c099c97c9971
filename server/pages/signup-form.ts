import type { Service } from "../service.ts";
import { type Html, html } from "./html.ts";
import { emailField, nameField, referralFields, trap } from "./signup-fields.ts";

export interface SignupFormPlace {
  /** Which call to action the form is. */
  readonly ctaSource: "hero" | "footer";
  /** Sets the ids of several forms on one page apart. */
  readonly idPrefix: string;
}

/**
 * The newsletter signup. Its button waits for the script (client/signup.ts); should that fail to
 * come, the form is one that would be posted, so that no address gets into a URL.
 */
export const signupForm = (service: Service, { ctaSource, idPrefix }: SignupFormPlace): Html => {
  const { siteKey } = service.signup.challenge;
  const { heading, questions } = PLACES[ctaSource];
  return html`<div class="signup">
<h2 id="${idPrefix}-signup">${heading}</h2>
<p>A mail now and then about what is new here.<span class="without-scripts"> To sign up, switch JavaScript on.</span></p>
<form method="post" novalidate aria-labelledby="${idPrefix}-signup" data-signup data-site="${service.baseUrl()}" ${challenge(siteKey)}>
<input type="hidden" name="ctaSource" value="${ctaSource}">
${emailField(idPrefix)}
${nameField(idPrefix)}
${questions(idPrefix)}${trap(idPrefix)}
<div class="challenge"><p>${siteKey === undefined ? OWN_CHECK : TURNSTILE_CHECK}</p></div>
<button class="primary" disabled>Sign up</button>
<p class="status" role="status"></p>
</form>
</div>`;
};

const PLACES: Readonly<
  Record<SignupFormPlace["ctaSource"], { heading: string; questions: (idPrefix: string) => Html }>
> = {
  hero: { heading: "Hear of new tools", questions: referralFields },
  footer: { heading: "Newsletter", questions: () => html`` },
};

/** Which challenge the script has to load. */
const challenge = (siteKey: string | undefined): Html =>
  siteKey === undefined
    ? html`data-challenge="altcha"`
    : html`data-challenge="turnstile" data-site-key="${siteKey}"`;

/* What stands in the challenge's place until somebody begins to fill in the form. */
const OWN_CHECK = "Your browser solves a small puzzle to keep bots out.";
const TURNSTILE_CHECK = "Cloudflare Turnstile checks that you are a person.";
