import * as v from "valibot";
import { type Answer, unexpected } from "./http-client.ts";

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

const SubscriberSchema = v.object({
  id,
  email: v.string(),
  name: v.string(),
  /** enabled, disabled or blocklisted. */
  status: v.string(),
  attribs: v.nullish(v.record(v.string(), v.unknown()), {}),
  lists: v.array(v.object({ id, subscription_status: v.string() })),
});

/** A subscriber as listmonk has it. */
export type Existing = v.InferOutput<typeof SubscriberSchema>;

/** To POST /api/subscribers. */
export const CreatedSchema = v.object({
  data: v.object({ id, lists: v.array(v.object({ id })) }),
});

/** To GET /api/subscribers/{id}. */
export const FoundSchema = v.object({ data: SubscriberSchema });

/** To GET /api/subscribers. */
export const FoundManySchema = v.object({
  data: v.object({ results: v.array(SubscriberSchema) }),
});

/** To GET /api/lists/{id}; versions before 6 have no status. */
export const ListSchema = v.object({
  data: v.object({ type: v.string(), optin: v.string(), status: v.optional(v.string()) }),
});

/** To GET /api/public/lists, the one answer without an envelope. */
export const PublicListsSchema = v.array(v.object({ uuid: v.string() }));

/** To whatever failed. */
export const ErrorSchema = v.object({ message: v.string() });

/**
 * What a successful answer says.
 *
 * @throws {SyncFailure} for any status but 200, and for another body.
 */
export function read<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: Answer,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, answer.body);
  if (answer.status !== 200 || !parsed.success) throw unexpected(answer);
  return parsed.output;
}
