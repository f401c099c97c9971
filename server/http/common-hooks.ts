import { Elysia, ParseError } from "elysia";
import type { Service } from "../service.ts";
import { HttpError } from "./http-error.ts";
import { getPath, getRequestId } from "./request.ts";

/** Adds headers, CORS, error bodies and the log to every route defined after it. */
export const commonHooks = ({ log, onRequest, isDraining, signup }: Service) =>
  new Elysia({ name: "every-route" })
    .headers(DATA_HEADERS)
    .decorate("started", 0)
    .decorate("problem", undefined as HttpError | undefined)
    .onRequest((context) => {
      const { request, set } = context;
      context.started = performance.now();
      const path = getPath(request.url);
      if (CORS_PATHS.test(path)) Object.assign(set.headers, CORS_HEADERS);
      if (signup && SIGNUP_PATHS.test(path)) set.headers.vary = "Origin";
      if (isDraining()) set.headers.connection = "close";
    })
    .onTransform({ as: "global" }, ({ request: { url }, path }) => {
      // Without a usable Host the URL is relative, and Elysia misreads its path.
      if (url.startsWith("/") && getPath(url) !== path) throw new HttpError("not_found");
    })
    .onError({ as: "global" }, (context) => {
      const { request, path, set, error, code } = context;
      // Elysia wraps the errors of parsers.
      const cause = error instanceof ParseError ? error.cause : error;
      const problem = code === "NOT_FOUND" ? new HttpError("not_found") : HttpError.of(cause);
      context.problem = problem;
      if (problem.code === "internal_error") log.error(getRequestId(request), error);
      set.status = problem.status;
      set.headers["content-type"] = "application/json";
      set.headers["cache-control"] = "no-store";
      Object.assign(set.headers, problem.headers);
      return (signup && SIGNUP_PATHS.test(path) ? new HttpError(problem.code) : problem).body;
    })
    .mapResponse({ as: "global" }, (context) => {
      const { request, route, path, set, responseValue, started, problem } = context;
      const status = responseValue instanceof Response ? responseValue.status : Number(set.status);
      if (status >= 400) set.headers["x-request-id"] = getRequestId(request);
      const isKnown = !route.endsWith("*") || problem?.code === "method_not_allowed";
      const duration_ms = Math.round((performance.now() - started) * 1000) / 1000;
      const measured = { route: isKnown ? path : null, status, duration_ms };
      onRequest?.(measured);
      if (!LOGGED_PATHS.test(path)) return;
      const { method } = request;
      const code = problem && { code: problem.code };
      log.request({ request_id: getRequestId(request), method, ...measured, ...code });
    });

/** For data: if a browser opens it as a document, it must not run or embed anything. */
const DATA_HEADERS = {
  "content-type": "application/json",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Any site may read these responses: they do not depend on cookies or keys. */
const CORS_PATHS =
  /^\/(?:api\/tools|api\/health|openapi\.json|schemas|\.well-known\/api-catalog)(?:\/|$)/;

const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
};

/** The signup hides its reasons, and its responses depend on the Origin. */
const SIGNUP_PATHS = /^\/api\/beta-signup(?:\/|$)/;

/** Health checks are too frequent to log. */
const LOGGED_PATHS = /^\/(?:api(?!\/health$)|mcp|\.well-known)(?:\/|$)/;
