import { curlGet, curlPost } from "../curl.ts";

/** A request of the API: a GET, or a POST with a body in JSON. */
export interface ExampleRequest {
  readonly url: string;
  readonly body?: unknown;
}

interface Language {
  readonly name: string;
  readonly key: string;
  write(request: ExampleRequest): string;
}

/** The languages of the example requests, with nothing to install for the first two. */
export const LANGUAGES: readonly Language[] = [
  {
    name: "curl",
    key: "curl",
    write: ({ url, body }) => (body === undefined ? curlGet(url) : curlPost(url, body)),
  },
  {
    name: "JavaScript",
    key: "javascript",
    write: ({ url, body }) => `const response = await fetch(${quote(url)}${
      body === undefined
        ? ""
        : `, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}),
}`
    });
console.log(await response.json());`,
  },
  {
    name: "Python",
    key: "python",
    write: ({ url, body }) =>
      body === undefined
        ? `import requests

print(requests.get(${quote(url)}).json())`
        : `import json, requests

body = json.loads(r'''${JSON.stringify(body, null, 2)}''')
print(requests.post(${quote(url)}, json=body).json())`,
  },
];

const quote = JSON.stringify;
