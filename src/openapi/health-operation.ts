import { HEALTH_MEDIA_TYPE, type Health } from "../../schemas/index.ts";
import type { Operation, Response } from "./document.ts";
import { errors } from "./error-responses.ts";
import { reference } from "./reference.ts";

const answer = (status: Health["status"], description: string): Response => ({
  description,
  headers: { "Cache-Control": reference("headers", "CacheControl") },
  content: {
    [HEALTH_MEDIA_TYPE]: {
      schema: reference("schemas", "Health"),
      examples: { [status]: { value: { status } satisfies Health } },
    },
  },
});

export const getHealth: Operation = {
  operationId: "getHealth",
  tags: ["Health"],
  summary: "Tell whether the service is up",
  description: "Takes no parameters and reads no storage, so it is safe to poll.",
  security: [],
  parameters: [reference("parameters", "IfNoneMatch")],
  responses: {
    200: answer("pass", "The service is up."),
    304: reference("responses", "NotModified"),
    ...errors(405),
    503: answer("fail", "The service is stopping: it finishes what it has begun."),
  },
};
