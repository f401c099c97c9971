import * as v from "valibot";
import { closedObject, described, email, text, textUpTo } from "./common.ts";
import { CONTROL, VISIBLE } from "./invisible.ts";

/** The site's own calls to action. The field accepts any other text as well. */
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

/** The places where people say they have heard of the site. */
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
 * The lengths of RFC 5321 section 4.5.3.1.1 and RFC 1035 section 2.3.4. No top-level domain is a
 * number (RFC 3696 section 2), so `a@127.0.0.1` names no domain.
 */
const DELIVERABLE = /^[^@]{1,64}@(?:[^.]{1,63}\.)+(?!\d+$)[^.]{1,63}$/;

/** Checked before lower-casing, because the Kelvin sign would become a plain k. */
export const EmailSchema = v.pipe(
  v.string(),
  v.trim(),
  address,
  v.toLowerCase(),
  address,
  v.check(
    (email) => DELIVERABLE.test(email),
    "must have at most 64 characters before the @ and 63 between two dots, and no number at the end",
  ),
  v.description(
    "Trimmed, checked, then lower-cased. At most 64 characters before the @ and 63 between two dots, and no number at the end: nobody could receive mail there. Recorded once, however often it is sent.",
  ),
);

/**
 * Mails show the name, and mail programs make a link of what looks like one: without this rule a
 * mail that asks for a confirmation could carry a stranger's link.
 */
const LINK_IN_NAME = /[<>]|:\/\/|www\.|mailto:|[^\s./]\.[^\s./]+\//i;

/** The newsletter system replaces a blank name with the local part of the address. */
const NameSchema = v.pipe(
  v.string(),
  v.trim(),
  text(2, 200),
  v.check((name) => !CONTROL.test(name), "must have no control character"),
  v.check(
    // Also in other forms of the same characters, such as full-width ones.
    (name) => !LINK_IN_NAME.test(name.normalize("NFKC")),
    "must not contain a URL, an e-mail address, < or >",
  ),
  v.check(
    (name) => (name.match(VISIBLE) ?? []).length >= 2,
    "must have at least 2 visible characters",
  ),
  v.description(
    "A person's name, for the newsletter only; not stored here. Trimmed; at least two visible characters, no control character, no <, > or web address. Characters that turn the direction of writing are removed, and a dot within a word gets a blank after it.",
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
  "Attributes for the newsletter. Those that claim an identity (subscribedVia, authProvider, serviceUserId, username) are accepted from servers only.",
);

const otherReferral = text(2, 120);

const FieldsSchema = closedObject({
  email: EmailSchema,
  name: NameSchema,
  ctaSource: v.pipe(
    v.string(),
    v.minCodePoints(1),
    v.examples([...CTA_SOURCES]),
    v.description("Which call to action it came from: one of the site's own, or any other string."),
  ),
  referral: v.optional(
    described(
      v.picklist(REFERRALS),
      "Left out with ctaSource footer, it is stored as other, newsletter.",
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
      "Challenge token, minted on the site's origin for the action beta_signup. A server with the shared secret leaves it out.",
    ),
  ),
  honeypot: v.optional(described(textUpTo(200), "Bot trap: people leave it empty.")),
  meta: v.optional(MetaSchema),
});

/** The body of a signup, sent by the form or by a server with the shared secret. */
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
/** A signup, as it was sent and is normalised. */
export type BetaSignup = v.InferOutput<typeof BetaSignupSchema>;

/** The body of the response to an accepted signup. */
export const BetaSignupOkSchema = v.strictObject({
  ok: v.literal(true),
  listmonk: described(
    v.boolean(),
    "false: the address is saved, but its sync with the newsletter has not ended yet or has failed; a retry is safe. A server's request waits for the sync; a browser gets its response after a fixed time.",
  ),
});
/** The response to an accepted signup. */
export type BetaSignupOk = v.InferOutput<typeof BetaSignupOkSchema>;

/** The body of 429. Only a signup has it, so its code is none of `ErrorCode`. */
export const RateLimitedBodySchema = v.strictObject({
  error: v.strictObject({
    code: described(v.literal("rate_limited"), "Branch on this."),
    message: described(v.string(), "For people; never branch on it."),
  }),
});
