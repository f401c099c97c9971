import * as v from "valibot";
import { described } from "./common.ts";

/** The error codes of the HTTP API, each with its status. */
export const ERROR_STATUS = {
  invalid_request: 400,
  origin_rejected: 403,
  verification_failed: 403,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  internal_error: 500,
} as const;

/** An error code of the HTTP API. */
export type ErrorCode = keyof typeof ERROR_STATUS;

const codes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** The body of every error response. */
export const ErrorBodySchema = v.strictObject({
  error: v.strictObject({
    code: described(v.picklist(codes), "Branch on this."),
    message: described(v.string(), "For people; never branch on it."),
  }),
});
/** The body of every error response. */
export type ErrorBody = v.InferOutput<typeof ErrorBodySchema>;

/** Follows draft-inadarei-api-health-check-06. */
export const HealthSchema = v.strictObject({
  status: described(v.picklist(["pass", "fail"]), "fail while the server stops."),
  serviceId: v.optional(v.string()),
  description: v.optional(v.string()),
});
/** The body of the health check. */
export type Health = v.InferOutput<typeof HealthSchema>;

/** The draft allows no parameters in the media type. */
export const HEALTH_MEDIA_TYPE = "application/health+json";

/** The version of the API, over HTTP and MCP. */
export const API_VERSION = "1.0.0";

/** In UTF-8 bytes of the JSON: 16 KiB. */
export const MAX_TOOL_INPUT_BYTES = 16_384;

/** In UTF-8 bytes of the JSON. */
export const MAX_RESULT_BYTES = 1_000_000;

/** 8 KiB. */
export const MAX_SIGNUP_BYTES = 8_192;
