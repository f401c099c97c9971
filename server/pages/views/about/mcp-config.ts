import { BRIDGE } from "../../../../src/mcp-config/bridge.ts";
import { type Html, html } from "../../html.ts";

/** The background of the tool's page: headings of level 2 and their texts. */
export function aboutMcpConfig(): Html {
  return html`<details>
<summary><h2>Local or remote</h2></summary>
<p>A local server is a program that the client starts: give its command, its arguments one by one, and its environment. A remote server is an address: give its URL and, if it asks for them, headers. One config has one of the two. Arguments stay a list in every file, so spaces and quotes in them need no care; only on Windows a client may stumble over them, and then there is a warning.</p>
</details>
<details>
<summary><h2>Why five files for one server</h2></summary>
<ul>
<li>Claude Desktop takes only local servers in its file. A remote one goes through the bridge <code>${BRIDGE.package}</code>, pinned to version ${BRIDGE.version}; versions before 0.1.16 could be made to run commands (CVE-2025-6514).</li>
<li>Claude Code skips a remote server without a <code>type</code>. Cursor drops its whole file for one wrong entry, without a word.</li>
<li>VS Code calls the list of servers <code>servers</code>; the other JSON files call it <code>mcpServers</code>.</li>
<li>Codex reads TOML, and any error in the file keeps it from starting. Its headers are called <code>http_headers</code>; under another name they are ignored.</li>
<li>Some clients put the value of a variable in place of <code>\${NAME}</code>, others leave it as it is. A warning says which.</li>
</ul>
</details>
<details>
<summary><h2>Secrets</h2></summary>
<p>What you type stays in your browser. Without JavaScript the form is posted to the server, which stores and logs none of it. The link to share leaves out environment and headers, and there is none if an argument or the URL seems to hold a secret.</p>
<p>A file in a project is made to be committed; a key in it goes along. In the commands, a value whose name looks secret is read from your shell or asked for by the client, and there is no link where it would carry one into histories and chats.</p>
</details>
<details>
<summary><h2>How sure this is</h2></summary>
<p>In November 2026 the configs were tried with the real programs: Codex 0.169.0 and Claude Code 2.1.197 started the servers, the bridge passed the headers on, and the schema of VS Code 1.139.1 took its file. Cursor’s format was tried with its agent runtime, not with the editor. Claude Desktop cannot be run without a screen: what is said of it rests on Anthropic’s support pages, other programs’ source and users’ reports. Nothing was run on Windows.</p>
<p>A config that worked may stop working with a new version of a client. Keep a copy of a file before you change it.</p>
</details>`;
}
