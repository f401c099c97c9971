/** @jsxImportSource preact */
import { tools } from "../../schemas/index.ts";
import { DOCS_PATH, toolPagePath } from "../paths.ts";
import type { Service } from "../service.ts";
import { Layout, renderPage } from "./layout.tsx";

/** The page for an unknown URL, with links to the tools. */
export const renderNotFoundPage = (service: Service): string =>
  renderPage(
    <Layout
      service={service}
      title="Not found"
      description="There is no page at this URL."
      layout="lost"
    >
      <ToolBoard />
      <h1>Nothing hangs on this hook</h1>
      <p class="quiet">There is no page at this URL. These tools are in place:</p>
      <ul class="items">
        {tools.map((tool) => (
          <li>
            <a class="row" href={toolPagePath(tool)}>
              {tool.title}
            </a>
          </li>
        ))}
        <li>
          <a class="row" href={DOCS_PATH}>
            API
          </a>
        </li>
      </ul>
    </Layout>,
  );

/** A tool board. On this page one tool is missing (styles/pages.css). */
export const ToolBoard = () => (
  <svg class="board" viewBox="0 0 200 80" width="300" height="120" aria-hidden="true">
    <path
      class="pegs"
      stroke-width="5"
      stroke-linecap="round"
      d="M12 6h.01M52 6h.01M96 6h.01M138 6h.01M188 6h.01"
    />
    <path class="hung" d="M6 12h12v52a6 6 0 0 1-12 0zM46 12h12v34H46zM49 46h6v28h-6z" />
    <path class="away" stroke-dasharray="3 2" d="M82 12h28v14H82zM92 26h8v48h-8z" />
    <path class="hung" d="M134 12h8v48h28v8h-36zM181 12h14l-2 36h-10zM185 48h6v26h-6z" />
  </svg>
);
