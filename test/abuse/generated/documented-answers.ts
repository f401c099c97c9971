import type { OpenApiDocument, Operation, Response } from "../../../src/openapi/document.ts";
import { dereference, isObject, operationsOf } from "../../openapi/document-parts.ts";
import { compile } from "../../schemas/json-schema-validator.ts";
import type { RawResponse } from "../../server/raw-response.ts";

/** The one header that is not on every answer for which it is documented. */
const SOMETIMES = "ETag";

/**
 * Compares answers with the document, as test/openapi/undocumented.ts does, for so many answers
 * that the schemas must be compiled before.
 *
 * @returns what the document does not say of an answer; empty when it is as documented.
 */
export function documentedAnswers(document: OpenApiDocument) {
  const known = new Map(
    operationsOf(document).flatMap(({ path, method, responses }) =>
      Object.entries(responses).map(([status, response]) => [
        `${method.toUpperCase()} ${path} ${status}`,
        judgeOf(document, response),
      ]),
    ),
  );
  return (path: string, method: string, response: RawResponse): string => {
    const [first = ""] = Object.keys(document.paths[path] ?? {});
    // A method that a path does not take is documented with those that it takes.
    const judge =
      known.get(`${method} ${path} ${response.status}`) ??
      known.get(`${first.toUpperCase()} ${path} ${response.status}`);
    return judge ? judge(response) : `the status ${response.status} is not documented`;
  };
}

type Judge = (response: RawResponse) => string;

function judgeOf(document: OpenApiDocument, documented: Operation["responses"][string]): Judge {
  const { headers = {}, content }: Partial<Response> =
    "$ref" in documented
      ? (document.components.responses[documented.$ref.replace(/^.*\//, "")] ?? {})
      : documented;
  const wanted = Object.keys(headers).filter((name) => name !== SOMETIMES);
  const bodies = new Map(
    Object.entries(content ?? {}).map(([type, media]) => {
      const schema = dereference(media.schema, document);
      return [type, isObject(schema) ? compile(schema) : () => false] as const;
    }),
  );
  return (response) => {
    const missing = wanted.find((name) => response.headers[name.toLowerCase()] === undefined);
    if (missing) return `the header ${missing} is missing`;
    if (bodies.size === 0) return response.body === "" ? "" : "there should be no body";
    const type = response.headers["content-type"] ?? "";
    const fits = bodies.get(type);
    if (!fits) return `the type ${type} is not documented`;
    return fits(JSON.parse(response.body)) ? "" : "the body is not as documented";
  };
}
