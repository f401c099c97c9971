import { dataHeaders, type Handler, type HeaderMap, respond } from "../http/response.ts";
import { type SignupService, signUp } from "../signup/sign-up.ts";

/** The newsletter signup. */
export const signupByPost =
  (signup: SignupService): Handler =>
  async (request, input) =>
    answer(await signUp(request, input, signup));

/** A challenge for the form of the signup. A caller over the limit is rejected at once. */
export const challengeByGet =
  (signup: SignupService, issue: () => object | Promise<object>): Handler =>
  (request) => {
    const limited = signup.isServerCaller(request) ? undefined : signup.limit(request, "challenge");
    return Promise.resolve(limited).then(issue).then(answer);
  };

/** No CORS: other sites' scripts may neither send a signup nor read the answer. */
export const SIGNUP_HEADERS: HeaderMap = { Vary: "Origin" };

const NO_STORE = dataHeaders({ ...SIGNUP_HEADERS, "Cache-Control": "no-store" });

const answer = (value: object): Response => respond(JSON.stringify(value), { headers: NO_STORE });
