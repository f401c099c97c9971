import { Elysia } from "elysia";
import type * as v from "valibot";
import { BetaSignupSchema, MAX_SIGNUP_BYTES } from "../../schemas/index.ts";
import { validate } from "../../src/issues.ts";
import { commonHooks } from "../http/common-hooks.ts";
import { jsonParser } from "../http/request.ts";
import type { Service } from "../service.ts";
import { signUp } from "../signup/sign-up.ts";

/** The newsletter signup, for this site's pages and the operator's servers. */
export function signupRoutes(service: Service) {
  const { signup } = service;
  if (!signup) return new Elysia();
  const { issue } = signup.challenge;
  const app = new Elysia()
    // Only for the types: Elysia runs a named plugin once.
    .use(commonHooks(service))
    .mapResponse(({ problem }) => {
      if (problem) signup.metrics?.onOutcome(problem.code);
    })
    .post(
      "/api/beta-signup",
      ({ request, body, set }) => {
        set.headers["cache-control"] = "no-store";
        return signUp(request, body, signup);
      },
      { parse: jsonParser(MAX_SIGNUP_BYTES), body: validatedBody(BetaSignupSchema) },
    );
  if (!issue) return app;
  return app.get("/api/beta-signup/challenge", async ({ request, set }) => {
    set.headers["cache-control"] = "no-store";
    if (!signup.isServerCaller(request)) await signup.limit?.(request, "challenge");
    return issue();
  });
}

/**
 * Creates a schema for the `body` of a route that throws our own errors. Elysia's error repeats the
 * whole input for each issue, which takes seconds for 14 KB.
 */
function validatedBody<Schema extends v.GenericSchema>(schema: Schema) {
  const standard: v.StandardProps<unknown, v.InferOutput<Schema>> = {
    version: 1,
    vendor: "valibot",
    validate: (input) => ({ value: validate(schema, input) }),
  };
  return { "~standard": standard };
}
