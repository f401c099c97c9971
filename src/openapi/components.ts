import {
  BetaSignupOkSchema,
  BetaSignupSchema,
  FailureSchema,
  HealthSchema,
  tools,
} from "../../schemas/index.ts";
import { bareSchema } from "./bare-schema.ts";
import type { Components, Header } from "./document.ts";
import { errorResponses } from "./error-responses.ts";
import { reference } from "./reference.ts";
import { toolExamples, toolSchemas } from "./tool-components.ts";
import { descriptionSchemas } from "./tool-description.ts";

const header = (description: string): Header => ({ description, schema: { type: "string" } });

/** All that the operations refer to by name. */
export const components = (): Components => ({
  schemas: {
    ...Object.fromEntries(tools.flatMap((tool) => Object.entries(toolSchemas(tool)))),
    ...descriptionSchemas,
    Health: bareSchema(HealthSchema),
    BetaSignup: bareSchema(BetaSignupSchema),
    BetaSignupOk: bareSchema(BetaSignupOkSchema),
    Error: bareSchema(FailureSchema),
  },
  responses: {
    NotModified: {
      description: "The answer is still the one whose ETag was sent.",
      headers: {
        ETag: reference("headers", "ETag"),
        "Cache-Control": reference("headers", "CacheControl"),
      },
    },
    ...errorResponses,
  },
  parameters: {
    IfNoneMatch: {
      name: "If-None-Match",
      in: "header",
      required: false,
      description: "The ETag of an earlier answer.",
      schema: { type: "string" },
    },
  },
  headers: {
    Allow: header("The methods that the path takes."),
    CacheControl: header(
      "public for what is the same for everyone, private for results, no-store for results that may hold secrets.",
    ),
    ETag: header("Names this answer, for If-None-Match. Results that may hold secrets have none."),
    RequestId: header("Under this id the failure is in the server's log."),
  },
  examples: Object.fromEntries(tools.flatMap((tool) => Object.entries(toolExamples(tool)))),
  securitySchemes: {
    ingestSecret: {
      type: "http",
      scheme: "bearer",
      description: "SIGNUP_INGEST_SECRET, the secret that the site's operator shares with servers.",
    },
  },
});
