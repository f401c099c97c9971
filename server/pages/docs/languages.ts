import { curlGet, curlPost } from "../curl.ts";

/** A request of the API, with JSON in the body or in a query parameter. */
export interface ExampleRequest {
  readonly url: string;
  readonly body?: unknown;
  readonly parameter?: { readonly name: string; readonly json: unknown };
}

interface Language {
  readonly name: string;
  readonly key: string;
  write(request: ExampleRequest): string;
}

/** The languages of the example requests, with nothing to install for the first two. */
export const LANGUAGES: readonly Language[] = [
  { name: "curl", key: "curl", write: curl },
  { name: "JavaScript", key: "javascript", write: javaScript },
  { name: "Python", key: "python", write: python },
];

function curl({ url, body, parameter }: ExampleRequest): string {
  return body === undefined ? curlGet(url, parameter) : curlPost(url, body);
}

function javaScript({ url, body, parameter }: ExampleRequest): string {
  if (body !== undefined) {
    return `const response = await fetch(${JSON.stringify(url)}, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(${indented(json(body), "  ")}),
});
console.log(await response.json());`;
  }
  if (!parameter) {
    return `const response = await fetch(${JSON.stringify(url)});
console.log(await response.json());`;
  }
  return `const url = new URL(${JSON.stringify(url)});
url.searchParams.set(${JSON.stringify(parameter.name)}, JSON.stringify(${json(parameter.json)}));
const response = await fetch(url);
console.log(await response.json());`;
}

function python({ url, body, parameter }: ExampleRequest): string {
  const call =
    body !== undefined
      ? `requests.post(${JSON.stringify(url)}, json=${literal(body)})`
      : parameter
        ? `requests.get(
    ${JSON.stringify(url)},
    params={${JSON.stringify(parameter.name)}: json.dumps(${indented(literal(parameter.json), "    ")})},
)`
        : `requests.get(${JSON.stringify(url)})`;
  return `${parameter ? "import json\n" : ""}import requests

response = ${call}
print(response.json())`;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const indented = (text: string, margin: string): string => text.replaceAll("\n", `\n${margin}`);

/** JSON is Python too, but for the names of three constants. */
function literal(value: unknown, margin = ""): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${margin}    `;
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${literal(item, inner)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return parts.length === 0
    ? `${open}${close}`
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${margin}${close}`;
}
