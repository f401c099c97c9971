import { describe, expect, test } from "bun:test";
import { ERROR_STATUS, tools } from "../../../schemas/index.ts";
import { jsonSchema, openApi } from "../../../src/index.ts";
import { dereference, operationsOf } from "./support.ts";

const document = openApi({ baseUrl: "https://tools.example" });
const operations = new Map(operationsOf(document).map((each) => [each.operationId, each]));

/** The operation with what it refers to in place. */
const operation = (id: string) => dereference(operations.get(id), document);

const responses = [...operations].flatMap(([id, { responses }]) =>
  Object.entries(responses).map(([status, response]) => ({
    id,
    status: Number(status),
    response: dereference(response, document),
  })),
);

test.each([
  ["listTools", [200, 304, 405, 500]],
  ...tools.flatMap(({ name }): [string, number[]][] => [
    [`get_${name}`, [200, 304, 400, 404, 405, 413, 500]],
    [`run_${name}`, [200, 400, 404, 405, 413, 415, 500]],
  ]),
  ["getHealth", [200, 304, 405, 503]],
  ["createBetaSignup", [200, 400, 403, 405, 413, 415, 500]],
])("%s answers with the statuses %j", (id, statuses) => {
  expect(Object.keys(operations.get(id)?.responses ?? {}).map(Number)).toEqual(statuses);
});

describe("every error", () => {
  const isHealth = ({ id, status }: (typeof responses)[number]) =>
    id === "getHealth" && status === 503;
  const errors = responses.filter((each) => each.status >= 400 && !isHealth(each));

  test("has the error body, with an example of each code of its status", () => {
    expect(errors.length).toBeGreaterThan(40);
    for (const { status, response } of errors) {
      const codes = Object.entries(ERROR_STATUS).filter(([, of]) => of === status);
      const examples = codes.map(([code]) => [
        code,
        { value: { error: { code, message: "Request rejected" } } },
      ]);
      expect(response).toMatchObject({
        content: {
          "application/json": {
            schema: { properties: { error: { required: ["code", "message"] } } },
            examples: Object.fromEntries(examples),
          },
        },
      });
    }
  });

  test("of the method says which methods there are", () => {
    const rejections = errors.filter(({ status }) => status === 405);
    expect(rejections.length).toBe(operations.size);
    for (const { response } of rejections) expect(response).toHaveProperty("headers.Allow.schema");
  });

  test("of the service's own has one of the statuses of the contracts", () => {
    const known = new Set<number>(Object.values(ERROR_STATUS));
    expect(new Set(errors.map(({ status }) => status))).toEqual(known);
  });
});

describe.each(tools.map((contract) => [contract.name, contract] as const))("%s", (name, tool) => {
  const { $schema: _, ...input } = jsonSchema(tool.input);
  const { $schema: __, ...result } = jsonSchema(tool.output);

  test("takes the input of its contract, as a text in the query and as a body", () => {
    const clients = "clients" in tool ? [{ name: "clients", in: "query", explode: false }] : [];
    expect(operation(`get_${name}`)).toMatchObject({
      parameters: [
        {
          name: "input",
          in: "query",
          required: false,
          description: expect.stringContaining("16 KiB"),
          schema: { type: "string", contentMediaType: "application/json", contentSchema: input },
          example: JSON.stringify(tool.example_input),
        },
        ...clients,
        { name: "If-None-Match", in: "header" },
      ],
    });
    expect(operation(`run_${name}`)).toMatchObject({
      ...(clients.length > 0 && { parameters: clients }),
      requestBody: {
        required: true,
        description: expect.stringContaining("16 KiB"),
        content: { "application/json": { schema: input } },
      },
    });
  });

  test("gives the result of its contract, or by GET without input its description", () => {
    const description = dereference(document.components.schemas.ToolDescription, document);
    expect(operation(`run_${name}`)).toHaveProperty(
      ["responses", "200", "content", "application/json", "schema"],
      result,
    );
    expect(operation(`get_${name}`)).toHaveProperty(
      ["responses", "200", "content", "application/json", "schema", "oneOf"],
      [result, description],
    );
  });

  test("needs no key, and says what it is for", () => {
    for (const id of [`get_${name}`, `run_${name}`]) {
      expect(operations.get(id)?.security).toEqual([]);
      expect(operations.get(id)?.description).toStartWith(tool.description);
    }
  });

  test("asks for POST by those who send secrets, where there may be some", () => {
    const advice = "Send an input that holds secrets by POST";
    const description = operations.get(`get_${name}`)?.description ?? "";
    expect(description.includes(advice)).toBe(tool.sensitive);
  });
});

test("the list and the health check need no key", () => {
  for (const id of ["listTools", "getHealth"]) expect(operations.get(id)?.security).toEqual([]);
});

test("the signup takes a token in its body, or the shared secret as a bearer", () => {
  expect(operation("createBetaSignup")).toMatchObject({
    security: [{}, { ingestSecret: [] }],
    description: expect.stringContaining("Authorization: Bearer <SIGNUP_INGEST_SECRET>"),
    requestBody: { required: true, description: expect.stringContaining("8 KiB") },
  });
  expect(document.components.securitySchemes.ingestSecret).toMatchObject({
    type: "http",
    scheme: "bearer",
  });
});

test("health is of its own media type, up and down", () => {
  const content = { "application/health+json": { schema: { required: ["status"] } } };
  expect(operation("getHealth")).toMatchObject({
    responses: { 200: { content }, 503: { content } },
  });
});
