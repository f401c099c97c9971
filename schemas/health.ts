import * as v from "valibot";

/** The body of the health check, as draft-inadarei-api-health-check-06 has it. */
export const HealthSchema = v.strictObject({
  status: v.pipe(v.picklist(["pass", "fail"]), v.description("fail while the server stops.")),
  serviceId: v.optional(v.string()),
  description: v.optional(v.string()),
});
export type Health = v.InferOutput<typeof HealthSchema>;

/** The draft's media type has no parameters. */
export const HEALTH_MEDIA_TYPE = "application/health+json";
