const ingest = "secret-of-a-server-of-ours-000001";
const challenge = "secret-of-the-embedded-challenge-1";
const turnstile = "secret-of-turnstile";

/** What a site is told that may stand in no log: secrets, and what visitors tell of themselves. */
export const SECRETS = {
  ingest,
  turnstile,
  name: "Marked Person",
  localPart: "marked-address",
  environment: {
    BASE_URL: "https://tools.test",
    SIGNUP_INGEST_SECRET: ingest,
    CHALLENGE_SECRET: challenge,
  },
  pattern: /secret-of|a-token-of-listmonk|marked|site\.test/i,
};
