import { compile } from "../../schemas/from-schema.ts";
import {
  dereference,
  isObject,
  type OpenApiDocument,
  operationsOf,
  type Response,
} from "../../support/openapi.ts";
import type { RawResponse } from "./http.ts";

/** The one header that is not on every answer for which it is documented. */
const SOMETIMES = "ETag";

/**
 * Compares answers with the OpenAPI document.
 *
 * @returns a function that gives one line for each difference, none for an answer as documented. Its
 * path is the one in the document, without a query.
 */
export function answersOf(document: OpenApiDocument) {
  const known = new Map(
    operationsOf(document).flatMap(({ path, method, responses }) =>
      Object.entries(responses).map(([status, response]) => [
        `${method.toUpperCase()} ${path} ${status}`,
        differencesFrom(
          response.$ref === undefined
            ? response
            : document.components.responses[response.$ref.replace(/^.*\//, "")],
          document,
        ),
      ]),
    ),
  );
  return (path: string, method: string, response: RawResponse): readonly string[] => {
    const [first = ""] = Object.keys(document.paths[path] ?? {});
    // A method that the path does not take is documented with those that it takes.
    const differences =
      known.get(`${method} ${path} ${response.status}`) ??
      known.get(`${first.toUpperCase()} ${path} ${response.status}`);
    return differences?.(response) ?? [`the status ${response.status}`];
  };
}

function differencesFrom({ headers = {}, content }: Response = {}, document: OpenApiDocument) {
  const names = Object.keys(headers).filter((name) => name !== SOMETIMES);
  const schemas = new Map(
    Object.entries(content ?? {}).map(([type, media]) => {
      const schema = dereference(media.schema, document);
      return [type, isObject(schema) ? compile(schema) : () => false] as const;
    }),
  );
  return ({ headers, body }: RawResponse): readonly string[] => {
    const type = headers["content-type"] ?? "";
    const isAsSaid = content
      ? schemas.get(type)?.(JSON.parse(body)) === true
      : type === "" && body === "";
    return [
      ...names
        .filter((name) => headers[name.toLowerCase()] === undefined)
        .map((name) => `no header ${name}`),
      ...(isAsSaid ? [] : [`the ${type} ${body}`]),
    ];
  };
}
