import type { MediaType, OpenApiDocument, Operation } from "../../src/openapi/document.ts";
import { compile } from "../schemas/json-schema-validator.ts";
import { dereference, isObject } from "./document-parts.ts";

/** What is asked of an answer; `Response` has several types in the libraries of Bun. */
interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** The one header that is not on every answer for which it is documented. */
const SOMETIMES = "ETag";

/**
 * What the document does not say of an answer.
 *
 * @param path the path in the document, without a query.
 * @returns one line for each difference, none when the answer is as documented.
 */
export async function undocumented(
  document: OpenApiDocument,
  path: string,
  method: string,
  answer: Answer,
): Promise<readonly string[]> {
  const response = findResponse(document, path, method, answer.status);
  if (!response) return [`the status ${answer.status}`];
  const missing = Object.keys(response.headers ?? {}).filter(
    (name) => name !== SOMETIMES && answer.headers.get(name) === null,
  );
  const type = answer.headers.get("Content-Type") ?? "";
  const body = await answer.text();
  const isAsSaid = response.content
    ? fits(document, response.content[type], body)
    : type === "" && body === "";
  return [
    ...missing.map((name) => `no header ${name}`),
    ...(isAsSaid ? [] : [`the ${type} ${body}`]),
  ];
}

/** A method that the path does not take is documented with those that it takes. */
function findResponse(
  { paths, components }: OpenApiDocument,
  path: string,
  method: string,
  status: number,
) {
  const operations = Object.entries<Operation>({ ...paths[path] });
  const named = operations.find(([name]) => name === method.toLowerCase());
  const [, operation] = named ?? operations[0] ?? [];
  const response = operation?.responses[status];
  return response && "$ref" in response
    ? components.responses[response.$ref.replace("#/components/responses/", "")]
    : response;
}

function fits(document: OpenApiDocument, media: MediaType | undefined, body: string): boolean {
  const schema = dereference(media?.schema, document);
  return isObject(schema) && compile(schema)(JSON.parse(body));
}
