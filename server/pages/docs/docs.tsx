/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { MAX_SIGNUP_BYTES, MAX_TOOL_INPUT_BYTES, tools } from "../../../schemas/index.ts";
import { toolPath } from "../../../src/describe-tool.ts";
import { formatNumber } from "../../../src/text.ts";
import {
  CATALOG_PATH,
  DOCS_PATH,
  LLMS_PATH,
  MCP_PATH,
  OPENAPI_PATH,
  SERVICE_DOCS_PATH,
  toolDocsPath,
} from "../../paths.ts";
import type { Service } from "../../service.ts";
import { CopyBlock, Prose } from "../components.tsx";
import { RadioGroup } from "../form/field-components.tsx";
import { Layout, renderPage, shortenTitle } from "../layout.tsx";
import {
  type ApiOperation,
  listOperations,
  type OpenApiDocument,
  readDocument,
} from "./document.ts";
import {
  Facts,
  FieldFacts,
  LANGUAGES,
  listErrors,
  OperationCode,
  OperationText,
} from "./operation.tsx";

export const DOCS_PATHS = [DOCS_PATH, ...tools.map(toolDocsPath), SERVICE_DOCS_PATH];

/** A page of the API for people: a group of the OpenAPI document. */
export function renderDocsPage(service: Service, path: string): string {
  const signup = service.signup !== undefined;
  const document = readDocument({ baseUrl: service.baseUrl(), signup });
  const groups = listGroups(service, document);
  const group = groups.find((group) => group.path === path);
  if (!group) throw new Error(`The API has no page ${path}`);
  const { title, lead, parts } = group;
  const heading = path === DOCS_PATH ? "API" : `${title} API`;
  return renderPage(
    <Layout
      service={service}
      title={heading}
      description={`How to call the ${heading} of Handtools: requests, fields and errors.`}
      path={path}
      layout="docs"
    >
      <header class="intro">
        <h1>
          {heading} <small>{document.info.version}</small>
        </h1>
        <p class="quiet">{lead}</p>
      </header>
      <Contents groups={groups} path={path} />
      <div>
        <div class="languages">
          <RadioGroup
            class="segments"
            label="Language of the examples"
            name="language"
            value="curl"
            choices={Object.fromEntries(LANGUAGES.map(({ name }) => [name.toLowerCase(), name]))}
          />
        </div>
        {parts.map(({ id, title, text, code }) => (
          <article class="operation" aria-labelledby={id}>
            <h2 id={id}>{title}</h2>
            <div class="stack">{text}</div>
            {code && <div class="stack code">{code}</div>}
          </article>
        ))}
      </div>
    </Layout>,
  );
}

/** A part of the documentation: text, and code beside it or, on a phone, below it. */
interface Part {
  /** The id of its heading. */
  readonly id: string;
  readonly title: string;
  readonly text: ComponentChildren;
  readonly code?: ComponentChildren;
}

interface DocsGroup {
  readonly title: string;
  readonly path: string;
  readonly lead: string;
  readonly parts: readonly Part[];
}

function listGroups(service: Service, document: OpenApiDocument): readonly DocsGroup[] {
  const { signup } = service;
  const operations = listOperations(document);
  const toPart = (operation: ApiOperation): Part => ({
    id: operation.operationId,
    title: operation.summary,
    text: <OperationText document={document} operation={operation} />,
    code: <OperationCode document={document} operation={operation} />,
  });
  const toolPaths = new Set(tools.map(toolPath));
  const toolGroups = tools.map((tool) => {
    const lead = tool.description.replace(/\. .*/, ".");
    const parts = operations
      .filter(({ path }) => path === toolPath(tool))
      .map((operation) => {
        const isRun = operation.method === "POST";
        const description = operation.description.replace(isRun ? lead : tool.description, "");
        return { ...toPart({ ...operation, description }), title: isRun ? "Run" : "Describe" };
      });
    return { title: shortenTitle(tool), path: toolDocsPath(tool), lead, parts: parts.toReversed() };
  });
  return [
    {
      title: "Start",
      path: DOCS_PATH,
      lead: document.info.summary,
      parts: [
        overview(document),
        agents(service),
        {
          id: "authentication",
          title: "Authentication",
          text: (
            <Prose
              text={`The tools and the health check need none.${signup ? ` The signup needs [a proof](${service.baseUrl()}${SERVICE_DOCS_PATH}#proof).` : ""}`}
            />
          ),
        },
        {
          id: "rules",
          title: "Sizes, CORS and caching",
          text: <Prose text={apiConventions(signup)} />,
        },
        errors(document, signup),
      ],
    },
    ...toolGroups,
    {
      title: "Service",
      path: SERVICE_DOCS_PATH,
      lead: "The endpoints besides the tools.",
      parts: [
        ...operations.filter(({ path }) => !toolPaths.has(path)).map(toPart),
        ...(signup ? [SIGNUP_PROOF] : []),
      ],
    },
  ];
}

interface ContentsProps {
  readonly groups: readonly DocsGroup[];
  /** The path of the page. */
  readonly path: string;
}

/** Links to the parts of all pages, folded on a phone. */
const Contents = ({ groups, path: here }: ContentsProps) => (
  <nav class="contents" aria-label="Contents">
    <details class="fold">
      <summary>Contents</summary>
      {groups.map(({ title, path, parts }) => (
        <div>
          <strong>{title}</strong>
          <ul class="links">
            {parts.map(({ id, title }) => (
              <li>
                {/* Only a link within the page can be marked as the one in sight. */}
                <a href={`${path === here ? "" : path}#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </details>
  </nav>
);

function overview(document: OpenApiDocument): Part {
  const operation = listOperations(document).find(({ requestBody }) => requestBody);
  const url = document.servers[0]?.url;
  const text = `All paths are relative to \`${url}\`.

${document.info.description}

For programs and agents there are:

- [/api/tools](${url}/api/tools): the tools with their input schemas and requests that run
- [${OPENAPI_PATH}](${url}${OPENAPI_PATH}): this API as an OpenAPI 3.1 document
- [${CATALOG_PATH}](${url}${CATALOG_PATH}): the API catalog of RFC 9727
- [${LLMS_PATH}](${url}${LLMS_PATH}): a short introduction for language models`;
  return {
    id: "overview",
    title: "Overview",
    text: <Prose text={text} />,
    code: operation && <OperationCode {...{ document, operation }} />,
  };
}

function agents({ config, baseUrl }: Service): Part {
  const url = `${baseUrl()}${MCP_PATH}`;
  const remote = `The tools are also a remote MCP server (Streamable HTTP) at \`${url}\`, without a key. The command adds it to Claude Code.`;
  return {
    id: "agents",
    title: "AI agents",
    text: <Prose text={config.MCP ? `${remote}\n\n${WEB_MCP}` : WEB_MCP} />,
    code: config.MCP && (
      <CopyBlock
        label="Shell"
        language="shell"
        text={`claude mcp add --transport http handtools ${url}`}
      />
    ),
  };
}

const WEB_MCP = `Agents in a browser with [WebMCP](https://github.com/webmachinelearning/webmcp) find the tools on every page of this site. The tools run in the page: the input of a call stays in the browser, and the result is the same as that of a POST. Since Chrome's trial ended on 17 November 2026, users must enable WebMCP: in Chrome with \`chrome://flags/#enable-webmcp-testing\`, in Firefox with \`dom.modelcontext.enabled\` in \`about:config\`. Other agents start at \`${LLMS_PATH}\`.`;

/** How the site's pages and other servers show that they may sign people up. */
const SIGNUP_PROOF: Part = {
  id: "proof",
  title: "Proof for the signup",
  text: (
    <Prose
      text={`The signup takes one of two proofs. The site’s own pages send a challenge token made for them. Servers share a secret with the site’s operator and send it as a header; add this to the signup’s command: \`--header "Authorization: Bearer $SIGNUP_INGEST_SECRET"\`

A page of the site gets a challenge from \`GET /api/beta-signup/challenge\`, unless the operator uses Turnstile, whose widget has its own. The response is an ALTCHA challenge, version 2: count up until the key that PBKDF2 derives from \`nonce\` and counter, with \`salt\` and \`cost\`, begins with \`keyPrefix\`. Then put the base64 of \`{ challenge, solution: { counter, derivedKey } }\` into \`turnstileToken\`. The token is valid for five minutes and one signup.

By default, a site limits the signups from one network address. Above the limit, the response is 429 with the code \`rate_limited\`, and \`Retry-After\` has the seconds to wait.`}
    />
  ),
};

const apiConventions = (signup: Service["signup"]): string =>
  `
- Sizes: a tool’s input may have ${formatNumber(MAX_TOOL_INPUT_BYTES)} bytes of UTF-8: the body as it is sent, or \`input\` once decoded.${signup ? ` A signup may have ${formatNumber(MAX_SIGNUP_BYTES)}.` : ""}
- Text: JSON in UTF-8, without a byte order mark or lone surrogates. Lengths of strings are in code points.
- CORS: scripts on any site may call the tools and the health check, and read the API’s descriptions.${signup ? " Only the site’s own pages can read the signup’s responses." : ""}
- Caching: descriptions are the same for everyone and have an \`ETag\`. Send it in \`If-None-Match\` to get a 304 if nothing has changed. Results by GET have an \`ETag\` too, but shared caches do not keep them. A result that may contain secrets is not cached at all.
- OPTIONS answers a browser’s preflight at the tools.`;

const EXAMPLE_ERROR = `{
  "error": {
    "code": "invalid_request",
    "message": "Request rejected: filters[0].larger_than_mb: must be at most 50"
  }
}`;

const SIGNUP_ERRORS = `

Only the signup answers 429. That body has a schema of its own, \`RateLimited\`, with the one code \`rate_limited\`; all other errors have one of the eight codes of \`Error\`.`;

/** Every error of any operation. */
const errors = (document: OpenApiDocument, signup: Service["signup"]): Part => ({
  id: "errors",
  title: "Errors",
  text: (
    <>
      <Prose text={`Branch on \`code\`, never on \`message\`.${signup ? SIGNUP_ERRORS : ""}`} />
      <Facts facts={listErrors(listOperations(document))} />
      <h3>Fields of an error</h3>
      <FieldFacts schema={{ $ref: "Error" }} schemas={document.components.schemas} />
    </>
  ),
  code: <CopyBlock label="400 Response" language="json" text={EXAMPLE_ERROR} />,
});
