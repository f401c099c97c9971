/** What a token must have been minted for. */
export const CHALLENGE_ACTION = "beta_signup";
