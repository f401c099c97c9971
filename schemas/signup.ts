import * as v from "valibot";
import { closedObject, described, email, text, textUpTo } from "./common.ts";
import { CONTROL_CHARACTER, VISIBLE_CHARACTER } from "./invisible.ts";

/** The site's calls to action. The field accepts any other string too. */
export const CTA_SOURCES = [
  "hero",
  "nav",
  "footer",
  "about",
  "guide",
  "workflow-research",
  "workflow-channels",
  "pricing-lite",
  "pricing-starter",
  "pricing-pro",
] as const;

/** Where people heard of the site. */
export const REFERRALS = [
  "twitter",
  "reddit",
  "hackernews",
  "producthunt",
  "linkedin",
  "discord",
  "other",
] as const;

const address = v.pipe(v.string(), v.maxCodePoints(254), email());

/**
 * The lengths of RFC 5321 section 4.5.3.1.1 and RFC 1035 section 2.3.4. Top-level domains are never
 * numbers (RFC 3696 section 2), so `a@127.0.0.1` has no domain.
 */
const DELIVERABLE_ADDRESS = /^[^@]{1,64}@(?:[^.]{1,63}\.)+(?!\d+$)[^.]{1,63}$/;

/** Checked before lower-casing, because that turns the Kelvin sign into a plain k. */
export const EmailSchema = v.pipe(
  v.string(),
  v.trim(),
  address,
  v.toLowerCase(),
  address,
  v.check(
    (email) => DELIVERABLE_ADDRESS.test(email),
    "must have at most 64 characters before the @ and 63 between dots, and must not end with a number",
  ),
  v.description(
    "Trimmed, checked, then lower-cased. Must be deliverable: at most 64 characters before the @ and 63 between dots, and no number at the end. Recorded once, however often it is sent.",
  ),
);

/**
 * Mail programs turn anything that looks like a URL into a link. Without this rule, our confirmation
 * messages, which contain the name, could carry a spammer's link.
 */
const LINK_IN_NAME = /[<>]|:\/\/|www\.|mailto:|[^\s./]\.[^\s./]+\//i;

/** The newsletter system replaces a blank name with the local part of the address. */
const NameSchema = v.pipe(
  v.string(),
  v.trim(),
  text(2, 200),
  v.check((name) => !CONTROL_CHARACTER.test(name), "must not contain control characters"),
  v.check(
    // Also finds full-width and other variants of these characters.
    (name) => !LINK_IN_NAME.test(name.normalize("NFKC")),
    "must not contain a URL, an e-mail address, < or >",
  ),
  v.check(
    (name) => (name.match(VISIBLE_CHARACTER) ?? []).length >= 2,
    "must have at least 2 visible characters",
  ),
  v.description(
    "A person's name, for the newsletter only; not stored here. Trimmed; at least two visible characters, no control characters, no <, > or URL. Characters that change the writing direction are removed, and a dot inside a word gets a space after it.",
  ),
);

const attribute = (maxLength: number) => v.optional(textUpTo(maxLength));

const MetaSchema = described(
  closedObject({
    subscribedVia: attribute(64),
    authProvider: attribute(32),
    serviceUserId: attribute(64),
    username: attribute(64),
    campaignRef: attribute(64),
    campaignId: attribute(64),
    campaignSubscriberId: attribute(64),
    utmSource: attribute(64),
    utmMedium: attribute(64),
    utmCampaign: attribute(64),
    utmContent: attribute(64),
    promoCode: attribute(16),
    landingPath: attribute(128),
  }),
  "Attributes for the newsletter. Only servers may send the ones that claim an identity: subscribedVia, authProvider, serviceUserId, username.",
);

const otherReferral = text(2, 120);

const FieldsSchema = closedObject({
  email: EmailSchema,
  name: NameSchema,
  ctaSource: v.pipe(
    v.string(),
    v.minCodePoints(1),
    v.examples([...CTA_SOURCES]),
    v.description("The call to action that was used: one of the site's, or any other string."),
  ),
  referral: v.optional(
    described(
      v.picklist(REFERRALS),
      "If it is missing and ctaSource is footer, other (newsletter) is stored.",
    ),
  ),
  referralOther: v.optional(
    v.pipe(
      // BetaSignupSchema checks the length, which matters only when referral is "other".
      v.string(),
      v.metadata({ minLength: 2, maxLength: 120 }),
      v.description("Required when referral is other, ignored otherwise."),
    ),
  ),
  turnstileToken: v.optional(
    described(
      text(1, 2048),
      "Challenge token, minted on the site's origin for the action beta_signup. Servers with the shared secret do not send it.",
    ),
  ),
  honeypot: v.optional(described(textUpTo(200), "Bot trap: people leave it empty.")),
  meta: v.optional(MetaSchema),
});

/** The body of a signup, from the form or from a server. */
export const BetaSignupSchema = v.pipe(
  FieldsSchema,
  v.forward(
    v.check(
      ({ referral, referralOther }) => referral !== "other" || v.is(otherReferral, referralOther),
      "must have 2 to 120 characters when referral is other",
    ),
    ["referralOther"],
  ),
);
/** A signup after validation. */
export type BetaSignup = v.InferOutput<typeof BetaSignupSchema>;

/** The response to an accepted signup. */
export const BetaSignupOkSchema = v.strictObject({
  ok: v.literal(true),
  listmonk: described(
    v.boolean(),
    "false: the address is saved, but the sync with the newsletter is not finished, or has failed; a retry is safe. A server's request waits for the sync; a browser gets its response after a fixed time.",
  ),
});
/** The response to an accepted signup. */
export type BetaSignupOk = v.InferOutput<typeof BetaSignupOkSchema>;

/** Only signups have this response, so its code is not an `ErrorCode`. */
export const RateLimitedBodySchema = v.strictObject({
  error: v.strictObject({
    code: described(v.literal("rate_limited"), "Branch on this."),
    message: described(v.string(), "For people; never branch on it."),
  }),
});
