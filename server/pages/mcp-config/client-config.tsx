/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { ClientLocation } from "../../../schemas/mcp-config.ts";
import { SYSTEMS } from "../../../src/mcp-config/client-definition.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/all-clients.ts";
import { formatSome } from "../../../src/text.ts";
import { Code, CopyBlock, CopyButton, capitalise, Inline, Note, saveFile } from "../components.tsx";
import { IntentButton } from "../form/field-components.tsx";
import { FORM_ID } from "../form/tool-layout.tsx";
import { type CodeLanguage, highlight } from "../highlight.tsx";
import type { ClientFile } from "./write-servers.ts";

/** The chosen system and scope; empty without scripts, where the page shows all. */
export interface Target {
  readonly system: string;
  readonly scope: string;
}

/** What to show of a client for the chosen system and scope. */
function selectForTarget(file: ClientFile, { system, scope }: Target) {
  const onSystem = file.locations.filter(({ os }) => system === "" || os === system);
  const inScope = onSystem.filter((location) => location.scope === scope);
  const locations = inScope.length > 0 ? inScope : onSystem;
  // Links and commands change the user's file.
  const isForUser = locations.some((location) => location.scope === "user");
  const { bash, powershell } = isForUser ? file : {};
  const isPowerShell = bash === undefined || (system === "windows" && powershell !== undefined);
  const shown = system === "" ? { bash, powershell } : isPowerShell ? { powershell } : { bash };
  const commands = Object.entries(shown).filter(
    (line): line is [string, string] => line[1] !== undefined,
  );
  const links = isForUser ? file.links : [];
  /** The file has other settings of the client, and must not be replaced. */
  const isShared = locations.some(({ path }) => SHARED_FILE.test(path));
  const showsEntry = isShared && file.entry !== file.fileText;
  const isByCommand =
    commands.length > 0 && clientDefinitions[file.client].install?.link === undefined;
  return { locations, isForUser, commands, links, isShared, showsEntry, isByCommand };
}

const SHARED_FILE = /(?:settings|opencode|\.claude)\.json$|config\.toml$/;

interface ActionProps {
  readonly file: ClientFile;
  readonly target: Target;
}

/** The quickest way to add the servers to a client, in the bar. */
export function ClientAction({ file, target }: ActionProps) {
  const { commands, links, isShared, showsEntry, isByCommand } = selectForTarget(file, target);
  const { client, title, count } = file;
  const [link] = links;
  if (link && count === 1)
    return (
      <a class="button primary" id={`${client}-add`} href={link.link}>
        Add to {title}
      </a>
    );
  const command = isByCommand ? commands[0] : undefined;
  const text = command?.[1] ?? (showsEntry ? file.entry : file.fileText);
  const label = command
    ? `Copy the ${count > 1 ? "commands" : "command"}`
    : `Copy the ${isShared ? (count > 1 ? "entries" : "entry") : "file"}`;
  return (
    <CopyButton isPrimary text={() => text} subject={`for ${title}`}>
      {label}
    </CopyButton>
  );
}

interface PanelProps extends ActionProps {
  /** The secrets that became variables for this client, by name. */
  readonly variables: readonly string[];
  /** The secrets that the config contains, by their names. */
  readonly secrets: readonly string[];
}

/** A client's command, link and file, with notes for its users. */
export function ClientPanel({ file, target, variables, secrets }: PanelProps) {
  const { client, title, notes, warnings, count, withoutLink } = file;
  const { locations, isForUser, commands, links, isShared, showsEntry, isByCommand } =
    selectForTarget(file, target);
  const { system } = target;
  const noLinkNote =
    count === 1 && isForUser && notes.find(({ about }) => about.startsWith("link"));
  const isForProject = locations.some(({ scope }) => scope === "project");
  const projectNotes = isForProject ? notes.filter(({ about }) => about === "project") : [];
  const canReplace = clientDefinitions[client].references !== undefined;
  /** Whether another note offers variables. */
  const isOffered = projectNotes.length > 0 || noLinkNote;
  const facts = notes.filter(
    ({ about }) =>
      about === "client" ||
      // Skip notes about the shell command where none is shown.
      (about === "shell" && isForUser) ||
      (about === "in-project" && isForProject) ||
      (about in SYSTEMS && (system === "" || system === about)),
  );
  const paths = Map.groupBy(locations, ({ path }) => path);
  const [path = ""] = paths.keys();
  const fileName = /[^/\\]+$/.exec(path)?.[0] ?? `config.${file.format}`;
  const fileLocation = paths.size === 1 ? path : fileName;
  const snippet = (id: string, label: string, text: string, more: Partial<SnippetProps> = {}) => {
    const props = { id: `${client}-${id}`, label, text, subject: title, language: file.format };
    const replaced = canReplace ? PLACEHOLDER : PLACEHOLDER_OR_REFERENCE;
    return <Snippet key={id} {...props} replaced={replaced} {...more} />;
  };
  const commandBlocks = commands.map(([shell, text]) =>
    snippet(shell, shell === "bash" ? "In a terminal" : "In PowerShell", text, {
      language: "shell",
    }),
  );
  const fileLabel = showsEntry ? `The whole ${fileName}` : fileLocation;
  const fileBlock = snippet("file", fileLabel, file.fileText, isShared ? {} : { fileName });
  const entryBlock = snippet("entry", showsEntry ? fileLocation : "The entry alone", file.entry);
  const byHand = (
    <div class="stack file">
      {paths.size > 1 && <Paths paths={paths} />}
      {isShared && (
        <small>
          Paste this {showsEntry ? "among its servers" : "at its end"}, and leave the rest as it is.
        </small>
      )}
      {showsEntry ? entryBlock : fileBlock}
    </div>
  );
  const pasteNotes = count === 1 ? notes.filter(({ about }) => about === "paste") : [];
  const [link] = links;
  const [day, version] = file.verified.split(", ");
  return (
    <section class="stack" id={`client-${client}`} aria-label={title}>
      <h3 class={system === "" ? "" : "visually-hidden"}>{title}</h3>
      {warnings.map(({ severity, message }) => (
        <Note key={message} kind={severity === "info" ? "info" : "warn"}>
          <p>{capitalise(message)}</p>
        </Note>
      ))}
      {variables.length > 0 && (
        <Note kind="warn">
          <p>
            <strong>Kept out of the file:</strong> {variables.join(", ")}.{" "}
            {isForProject && "Everybody in a project can read its file. "}
            Set each variable in the environment that {title} starts in.
          </p>
          <IntentButton intent="use-values" form={FORM_ID} class="small">
            Write the value{variables.length > 1 && "s"}
          </IntentButton>
        </Note>
      )}
      {projectNotes.map(({ text }) => (
        <Note key={text} kind="warn">
          <p>{text}</p>
          {system !== "" && canReplace && <VariablesButton intent="use-variables" />}
          {system === "" && count === 1 && !noLinkNote && (
            <VariablesButton intent="write-references" />
          )}
        </Note>
      ))}
      {secrets.length > 0 && system !== "" && (isByCommand || (canReplace && !isOffered)) && (
        <Note kind="warn">
          <p>
            {isByCommand
              ? `Your shell history keeps ${count > 1 ? "these commands" : "this command"}, with`
              : "The file contains"}{" "}
            the value{secrets.length > 1 && "s"} of {formatSome(secrets)}.
          </p>
          {canReplace && <VariablesButton intent="use-variables" />}
        </Note>
      )}
      {link && count === 1 && (
        <p class="one-click">
          {system === "" ? (
            <a class="button" href={link.link}>
              Add to {title}
            </a>
          ) : (
            <>
              <strong>One click:</strong> “Add to {title}” asks in {title} before it adds the
              server.
            </>
          )}{" "}
          Or by hand:
        </p>
      )}
      {noLinkNote && (
        <Note kind="info">
          <p class="no-link">{noLinkNote.text}</p>
          {noLinkNote.about === "link/values" && (
            // The link then replaces this button; the same id keeps the focus.
            <VariablesButton intent="write-references" id={`${client}-add`} />
          )}
        </Note>
      )}
      {isByCommand ? commandBlocks : byHand}
      {links.length > 0 && count > 1 && (
        <p class="line">
          <span class="quiet">Or one at a time</span>
          {links.map(({ name, link: href }) => (
            <a key={name} class="button small" href={href}>
              Add {name}
            </a>
          ))}
          {withoutLink.length > 0 && (
            <small>
              No link for {formatSome(withoutLink)}: your browser history would keep{" "}
              {withoutLink.length > 1 ? "their" : "its"} values.
            </small>
          )}
        </p>
      )}
      <div>
        {isByCommand && (
          <Fold
            title={
              <>
                Or by hand, into <Code name={fileLocation} />
              </>
            }
          >
            {byHand}
          </Fold>
        )}
        {showsEntry && <Fold title="If the file is new">{fileBlock}</Fold>}
        {!showsEntry && file.entry !== file.fileText && (
          <Fold title="If the file has other servers">
            {pasteNotes.map(({ text }) => (
              <p key={text}>
                <Inline text={text} />
              </p>
            ))}
            {entryBlock}
          </Fold>
        )}
        {!isByCommand && commandBlocks.length > 0 && (
          <Fold title="Or in a terminal">{commandBlocks}</Fold>
        )}
        {facts.length > 0 && (
          <Fold title={`Good to know (${facts.length})`}>
            <ul>
              {facts.map(({ text }) => (
                <li key={text}>
                  <Inline text={text} />
                </li>
              ))}
            </ul>
          </Fold>
        )}
      </div>
      <small class="tried">
        Restart {title} afterwards. This follows <a href={file.source}>a page about {title}</a>
        {version === undefined
          ? "; we have not tested it."
          : `, and we tested it on ${day} with ${version}.`}
      </small>
    </section>
  );
}

/** `write-references` writes them into the form, so that an install link can be offered. */
const VariablesButton = (props: {
  readonly intent: "use-variables" | "write-references";
  readonly id?: string;
}) => (
  <IntentButton form={FORM_ID} class="small" {...props}>
    Use variables
  </IntentButton>
);

const Fold = ({ title, children }: Readonly<Record<"title" | "children", ComponentChildren>>) => (
  <details class="fold">
    <summary>{title}</summary>
    <div class="stack">{children}</div>
  </details>
);

interface SnippetProps {
  readonly id: string;
  readonly label: string;
  readonly subject: string;
  readonly text: string;
  readonly language: CodeLanguage;
  /** Matches the parts that the user must replace. */
  readonly replaced: RegExp;
  /** A name to save it by. */
  readonly fileName?: string | undefined;
}

/** Code in which the parts to replace stand out, such as `<YOUR_TOKEN>` and `YOUR_API_KEY`. */
const Snippet = ({ fileName, replaced, ...block }: SnippetProps) => (
  <CopyBlock
    {...block}
    marked={highlight(block.text, block.language, (text) => markMatches(text, replaced))}
  >
    {fileName !== undefined && (
      <button
        type="button"
        class="small needs-script"
        aria-label={`Download ${fileName} for ${block.subject}`}
        onClick={() => saveFile(fileName, block.text, "text/plain")}
      >
        Download
      </button>
    )}
  </CopyBlock>
);

const markMatches = (text: string, pattern: RegExp) =>
  text
    .split(pattern)
    .map((part, index) => (index % 2 === 0 ? part : <mark key={index}>{part}</mark>));

const PLACEHOLDER = /(<[A-Za-z][\w .-]*>|\bYOUR[_-][\w-]+)/;

/** For a client that passes `${NAME}` on as text. */
const PLACEHOLDER_OR_REFERENCE = /(<[A-Za-z][\w .-]*>|\bYOUR[_-][\w-]+|\$\{\w+\})/;

/** The paths of a file, where the client looks at several or the system is not chosen. */
const Paths = ({ paths }: { readonly paths: ReadonlyMap<string, readonly ClientLocation[]> }) => (
  <dl class="places">
    {[...Map.groupBy(paths, ([, locations]) => describePlace(locations))].map(([place, here]) => (
      <div key={place}>
        <dt class="quiet">
          {place}
          {here.length > 1 && ": the file that exists, or else the last"}
        </dt>
        {here.map(([path]) => (
          <dd key={path}>
            <Code name={path} /> <CopyButton text={() => path} subject={path} />
          </dd>
        ))}
      </div>
    ))}
  </dl>
);

const describePlace = (locations: readonly ClientLocation[]): string =>
  locations.every(({ scope }) => scope === "project")
    ? "In a project"
    : `On ${locations.map(({ os }) => SYSTEMS[os]).join(" and ")}`;
