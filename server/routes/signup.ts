import { dataHeaders, dataResponse, type Handler, type HeaderMap } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { type SignupDeps, signUp } from "../signup/sign-up.ts";

/** The newsletter signup, and the challenges for its form if this server issues them. */
export function signupRoutes(signup: SignupDeps): Route[] {
  const { issue } = signup.challenge;
  return [
    route("/api/beta-signup", { POST: async (request) => answer(await signUp(request, signup)) }),
    ...(issue
      ? [
          route("/api/beta-signup/challenge", {
            // Not async: a caller over the limit is rejected at once.
            GET: (request) => {
              const limited = signup.isServerCaller(request)
                ? undefined
                : signup.limit(request, "challenge");
              return Promise.resolve(limited).then(issue).then(answer);
            },
          }),
        ]
      : []),
  ];
}

/** No CORS: other sites' scripts may neither send a signup nor read the answer. */
const HEADERS: HeaderMap = { Vary: "Origin" };

const NO_STORE = dataHeaders({ ...HEADERS, "Cache-Control": "no-store" });

const answer = (value: object): Response => dataResponse(JSON.stringify(value), NO_STORE);

const route = (path: string, methods: Readonly<Record<string, Handler>>): Route => ({
  path,
  methods,
  headers: HEADERS,
  logged: true,
  hideReason: true,
});
