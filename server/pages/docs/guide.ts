import { MAX_SIGNUP_BYTES, MAX_TOOL_INPUT_BYTES } from "../../../schemas/index.ts";
import type { OpenApiDocument } from "../../../src/openapi/document.ts";
import { CATALOG_PATH, LLMS_PATH, OPENAPI_PATH } from "../../links.ts";
import { type Html, html } from "../html.ts";
import { prose } from "../prose.ts";

/** What holds for the whole API, before the single operations. */
export const guide = ({ info, servers }: OpenApiDocument): Html => html`
<section aria-labelledby="overview">
<h2 id="overview">Overview</h2>
<p>All paths are relative to <code>${servers[0]?.url}</code>.</p>
${prose(info.description)}
<p>For programs and agents there are:</p>
<ul>
<li><a href="/api/tools">/api/tools</a>: the tools with their input schemas and requests that run</li>
<li><a href="${OPENAPI_PATH}">${OPENAPI_PATH}</a>: this API as an OpenAPI 3.1 document</li>
<li><a href="${CATALOG_PATH}">${CATALOG_PATH}</a>: the API catalog of RFC 9727</li>
<li><a href="${LLMS_PATH}">${LLMS_PATH}</a>: a short introduction for language models</li>
</ul>
</section>
<section aria-labelledby="authentication">
<h2 id="authentication">Authentication</h2>
<p>The tools and the health check need none.</p>
<p>The signup takes one of two proofs. The site's own pages send a challenge token, minted for them. Servers share a secret with the site's operator; to a command from this page they add it as a header:</p>
<pre tabindex="0"><code>--header "Authorization: Bearer $SIGNUP_INGEST_SECRET"</code></pre>
<p>A page of the site gets its challenge from <code>GET /api/beta-signup/challenge</code>, unless the operator uses Turnstile, whose widget has its own. The answer is an ALTCHA challenge, version 2: count up until the key that PBKDF2 derives from <code>nonce</code> and counter, with <code>salt</code> and <code>cost</code>, begins with <code>keyPrefix</code>. What goes into <code>turnstileToken</code> is the base64 of <code>{ challenge, solution: { counter, derivedKey } }</code>. It is good for five minutes and for one signup.</p>
<p>An operator may limit the signups of a network address; then the answer is 429 with the code <code>rate_limited</code> and <code>Retry-After</code>, which the interface itself does not have.</p>
</section>
<section aria-labelledby="rules">
<h2 id="rules">Sizes, CORS and caching</h2>
<dl>
<dt>Sizes</dt>
<dd>A tool's input may have ${kilo(MAX_TOOL_INPUT_BYTES)} bytes of UTF-8: the body as it is sent, or <code>input</code> when decoded. A signup may have ${kilo(MAX_SIGNUP_BYTES)}.</dd>
<dt>Text</dt>
<dd>JSON in UTF-8, without a byte order mark and without half of a surrogate pair.</dd>
<dt>CORS</dt>
<dd>Scripts of any site may call the tools and the health check and read this API's description. The signup's answers can be read by the site's own pages alone.</dd>
<dt>Caching</dt>
<dd>Descriptions are the same for everyone and have an <code>ETag</code>: send it back in <code>If-None-Match</code> and an unchanged one gives 304. Results by GET have an <code>ETag</code> too, but no shared cache keeps them; a result that may hold secrets is kept nowhere.</dd>
<dt>HEAD and OPTIONS</dt>
<dd>Where there is GET there is HEAD. OPTIONS answers the preflight of a browser at the tools.</dd>
</dl>
</section>
`;

const kilo = (bytes: number): string => bytes.toLocaleString("en-US");
