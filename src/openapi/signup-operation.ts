import { type BetaSignup, type BetaSignupOk, MAX_SIGNUP_BYTES } from "../../schemas/index.ts";
import { json } from "./content.ts";
import type { Example, Operation } from "./document.ts";
import { errors } from "./error-responses.ts";
import { kibibytes } from "./kibibytes.ts";

const page: BetaSignup = {
  email: "ada@example.org",
  name: "Ada Lovelace",
  ctaSource: "hero",
  referral: "hackernews",
  turnstileToken: "token-of-the-challenge",
};
const server: BetaSignup = {
  email: "grace@example.org",
  name: "Grace Hopper",
  ctaSource: "partner-import",
  referral: "other",
  referralOther: "A talk",
  meta: { utmCampaign: "spring" },
};
const requests: Readonly<Record<string, Example>> = {
  page: { summary: "From a page of the site", value: page },
  server: { summary: "From a server, with the shared secret", value: server },
};

const synced: BetaSignupOk = { ok: true, listmonk: true };
const notSynced: BetaSignupOk = { ok: true, listmonk: false };
const answers: Readonly<Record<string, Example>> = {
  synced: { summary: "Recorded, and the newsletter has it", value: synced },
  notSynced: { summary: "Recorded; the newsletter failed", value: notSynced },
};

export const createBetaSignup: Operation = {
  operationId: "createBetaSignup",
  tags: ["Signup"],
  summary: "Sign up for the newsletter",
  description: [
    "For the site's own pages; it is not an integration point.",
    "A page sends a challenge token in `turnstileToken`, minted on the site's origin for the action `beta_signup`. A server sends the shared secret instead, as `Authorization: Bearer <SIGNUP_INGEST_SECRET>`, and no token. Whoever sends an `Origin` header must send the site's own; no other site may read the answer.",
    "The same address may be sent again: the answer is the same, and it is recorded once.",
  ].join("\n\n"),
  security: [{}, { ingestSecret: [] }],
  requestBody: {
    required: true,
    description: `At most ${kibibytes(MAX_SIGNUP_BYTES)}.`,
    content: json("BetaSignup", requests),
  },
  responses: {
    200: { description: "Recorded.", content: json("BetaSignupOk", answers) },
    ...errors(400, 403, 405, 413, 415, 500),
  },
};
