/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { MAX_SIGNUP_BYTES, MAX_TOOL_INPUT_BYTES } from "../../../schemas/index.ts";
import { thousands } from "../../../src/text.ts";
import { CATALOG_PATH, DOCS_PATH, LLMS_PATH, MCP_PATH, OPENAPI_PATH } from "../../links.ts";
import type { Service } from "../../service.ts";
import { Layout, renderPage } from "../layout.tsx";
import { Code, CopyBlock, Inline, Prose } from "../parts.tsx";
import { type OpenApiDocument, readDocument } from "./document.ts";
import {
  Examples,
  FieldTable,
  LANGUAGES,
  listOperations,
  mediaOf,
  nameOf,
  OperationText,
  Rows,
  requestOf,
} from "./operation.tsx";

/** The API for people: the OpenAPI document. */
export function docsPage(service: Service): string {
  const signup = service.signup !== undefined;
  const document = readDocument({ baseUrl: service.baseUrl(), signup });
  const { title, version, summary } = document.info;
  const groups = listGroups(service, document);
  const parts = groups.flatMap((group) => group.parts);
  return renderPage(
    <Layout
      service={service}
      title="API"
      description={summary}
      path={DOCS_PATH}
      layout="docs"
      style="docs-page.css"
    >
      <header class="intro">
        <h1>
          {title} API <small>{version}</small>
        </h1>
        <p class="lead">{summary}</p>
      </header>
      <Contents groups={groups} />
      <div class="text">
        <fieldset class="languages">
          <legend>Examples in</legend>
          {LANGUAGES.map(({ name, key }, index) => (
            <label>
              <input type="radio" name="language" value={key} checked={index === 0} /> {name}
            </label>
          ))}
        </fieldset>
        {parts.map(({ id, title, body }) => (
          <section aria-labelledby={id}>
            <h2 id={id}>{title}</h2>
            {body}
          </section>
        ))}
      </div>
    </Layout>,
  );
}

/** A part of the documentation. */
interface Part {
  /** The id of its heading. */
  readonly id: string;
  readonly title: string;
  readonly body: ComponentChildren;
}

interface Group {
  readonly title: string;
  readonly parts: readonly Part[];
}

function listGroups(service: Service, document: OpenApiDocument): readonly Group[] {
  const { signup } = service;
  const operations = listOperations(document);
  return [
    {
      title: "Start",
      parts: [
        { id: "overview", title: "Overview", body: <Overview document={document} /> },
        { id: "agents", title: "AI agents", body: <Agents service={service} /> },
        {
          id: "authentication",
          title: "Authentication",
          body: <Prose text={`The tools and the health check need none.${signup ? PROOFS : ""}`} />,
        },
        { id: "rules", title: "Sizes, CORS and caching", body: <Prose text={rules(signup)} /> },
        { id: "errors", title: "Errors", body: <Errors document={document} /> },
      ],
    },
    ...document.tags.map(({ name }) => ({
      title: name,
      parts: operations
        .filter(({ tags }) => tags.includes(name))
        .map((operation) => ({
          id: operation.operationId,
          title: operation.summary,
          body: <OperationText document={document} operation={operation} />,
        })),
    })),
  ];
}

/** Links to the parts, which a narrow window folds away. */
const Contents = ({ groups }: { readonly groups: readonly Group[] }) => (
  <nav class="contents" aria-label="Contents">
    <details class="fold">
      <summary>Show the contents</summary>
    </details>
    <ul>
      {groups.map(({ title, parts }) => (
        <li>
          {title}
          <ul>
            {parts.map((part) => (
              <li>
                <a href={`#${part.id}`}>{part.title}</a>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  </nav>
);

function Overview({ document }: { readonly document: OpenApiDocument }) {
  const first = listOperations(document).find(({ requestBody }) => requestBody);
  return (
    <>
      <p>
        All paths are relative to <code>{document.servers[0]?.url}</code>. A first call:
      </p>
      {first && <Examples request={requestOf(document, first)} />}
      <Prose text={document.info.description} />
      <p>For programs and agents there are:</p>
      <ul>
        {DESCRIPTIONS.map(([path, text]) => (
          <li>
            <a href={path}>{path}</a>: {text}
          </li>
        ))}
      </ul>
    </>
  );
}

const DESCRIPTIONS = [
  ["/api/tools", "the tools with their input schemas and requests that run"],
  [OPENAPI_PATH, "this API as an OpenAPI 3.1 document"],
  [CATALOG_PATH, "the API catalog of RFC 9727"],
  [LLMS_PATH, "a short introduction for language models"],
] as const;

function Agents({ service: { config, baseUrl } }: { readonly service: Service }) {
  const url = `${baseUrl()}${MCP_PATH}`;
  return (
    <>
      {config.MCP && (
        <>
          <p>
            The tools are also a remote MCP server (Streamable HTTP) at <code>{url}</code>, without
            a key. In Claude Code, for example:
          </p>
          <CopyBlock label="Shell" text={`claude mcp add --transport http handtools ${url}`} />
        </>
      )}
      <Prose text={WEB_MCP} />
    </>
  );
}

const WEB_MCP = `Agents in a browser with [WebMCP](https://github.com/webmachinelearning/webmcp) find the tools on every page of this site. Since Chrome's trial ended on 17 November 2026, people have to switch WebMCP on: in Chrome by \`chrome://flags/#enable-webmcp-testing\`, in Firefox by \`dom.modelcontext.enabled\` in \`about:config\`. All others can start at \`${LLMS_PATH}\`.`;

/** The proofs that let the site's pages and other servers sign people up. */
const PROOFS = `

The signup takes one of two proofs. The site’s own pages send a challenge token made for them. Servers share a secret with the site’s operator and send it as a header; add this to a command on this page: \`--header "Authorization: Bearer $SIGNUP_INGEST_SECRET"\`

A page of the site gets its challenge from \`GET /api/beta-signup/challenge\`, unless the operator uses Turnstile, whose widget brings its own. The answer is an ALTCHA challenge, version 2: count up until the key that PBKDF2 derives from \`nonce\` and counter, with \`salt\` and \`cost\`, begins with \`keyPrefix\`. Then put the base64 of \`{ challenge, solution: { counter, derivedKey } }\` into \`turnstileToken\`. It is good for five minutes and one signup.

By default, a site limits the signups from one network address. Above the limit the answer is 429 with the code \`rate_limited\`, and \`Retry-After\` has the seconds to wait.`;

const rules = (signup: Service["signup"]): string =>
  `
- Sizes: a tool’s input may have ${thousands(MAX_TOOL_INPUT_BYTES)} bytes of UTF-8: the body as it is sent, or \`input\` once decoded.${signup ? ` A signup may have ${thousands(MAX_SIGNUP_BYTES)}.` : ""}
- Text: JSON in UTF-8, without a byte order mark or lone surrogates.
- CORS: scripts on any site may call the tools and the health check, and read the API’s descriptions.${signup ? " Only the site’s own pages can read the signup’s answers." : ""}
- Caching: descriptions are the same for everyone and have an \`ETag\`: send it back in \`If-None-Match\`, and an unchanged one gives 304. Results by GET have an \`ETag\` too, but shared caches do not keep them. A result that may hold secrets is not cached at all.
- HEAD works wherever GET does. OPTIONS answers a browser’s preflight at the tools.`;

const ERROR = `{
  "error": {
    "code": "invalid_request",
    "message": "Request rejected: filters[0].larger_than_mb: must be at most 50"
  }
}`;

/** Every error of any operation, by status. */
function Errors({ document }: { readonly document: OpenApiDocument }) {
  const { responses, schemas } = document.components;
  const statuses = new Map(
    listOperations(document)
      .flatMap((operation) => Object.entries(operation.responses))
      .flatMap(([status, response]) =>
        "$ref" in response ? [[nameOf(response.$ref), status] as const] : [],
      ),
  );
  return (
    <>
      <Prose text="Branch on `code`, never on `message`." />
      <CopyBlock label="400" text={ERROR} />
      <FieldTable name="Error" schemas={schemas} />
      <h3>Codes</h3>
      <Rows
        label="Errors"
        columns={["Code", "Meaning"]}
        rows={Object.entries(responses)
          .filter(([, { content }]) => content)
          .map(([name, { description, content }]) => ({
            name: <Code name={Object.keys(mediaOf(content)?.examples ?? {}).join(", ")} />,
            kind: statuses.get(name) ?? "",
            meaning: <Inline text={description} />,
          }))}
      />
    </>
  );
}
