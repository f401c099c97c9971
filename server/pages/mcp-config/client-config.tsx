/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { ClientLocation } from "../../../schemas/mcp-config.ts";
import { SYSTEMS } from "../../../src/mcp-config/client-definition.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/all-clients.ts";
import { formatSome } from "../../../src/text.ts";
import {
  Code,
  CopyBlock,
  CopyButton,
  capitalise,
  Icon,
  Inline,
  Note,
  saveFile,
} from "../components.tsx";
import { IntentButton } from "../form/field-components.tsx";
import type { FormValues } from "../form/form-values.ts";
import { FORM_ID } from "../form/tool-layout.tsx";
import { type CodeLanguage, highlight } from "../highlight.tsx";
import { listWritten } from "./server-form.ts";
import { type ClientFile, findMissing, replaceSecrets } from "./write-servers.ts";

/** What to show of a client for the chosen scope and system. Without scripts, all systems are shown. */
export function selectForTarget(file: ClientFile, form: FormValues) {
  const system = Object.keys(SYSTEMS).find((one) => one === form.get("system")) ?? "";
  const onSystem = file.locations.filter(({ os }) => system === "" || os === system);
  const inScope = onSystem.filter(({ scope }) => scope === form.get("scope"));
  const locations = inScope.length > 0 ? inScope : onSystem;
  // Links and commands change the user's file.
  const isForUser = locations.some(({ scope }) => scope === "user");
  const all = isForUser ? file.commands : [];
  const own = all.filter(({ shell }) => (shell === "powershell") === (system === "windows"));
  const commands = system === "" ? all : (own.length > 0 ? own : all).slice(0, 1);
  const links = isForUser ? file.links : [];
  /** The file has other settings of the client, and must not be replaced. */
  const isShared = locations.some(({ path }) => SHARED_FILE.test(path));
  const showsEntry = isShared && file.entry !== file.fileText;
  const isByCommand =
    commands.length > 0 && clientDefinitions[file.client].install?.link === undefined;
  const nouns = isByCommand
    ? ["command", "commands"]
    : isShared
      ? ["entry", "entries"]
      : ["file", "file"];
  /** What the user copies. */
  const what = nouns[Number(file.count > 1)];
  return {
    ...{ system, locations, isForUser, commands, links, isShared, showsEntry, isByCommand, what },
    text: (isByCommand && commands[0]?.text) || (showsEntry ? file.entry : file.fileText),
  };
}

const SHARED_FILE = /(?:settings|opencode|\.claude)\.json$|config\.toml$/;

interface PanelProps {
  readonly file: ClientFile;
  readonly form: FormValues;
}

/** The quickest way to add the servers to a client, in the bar. It is plain while a value is missing. */
export function ClientAction({ file, form }: PanelProps) {
  const { links, what, text } = selectForTarget(file, form);
  const { client, title, count } = file;
  const [link] = links;
  const isPrimary = findMissing(form, listWritten(form)).length === 0;
  return link && count === 1 ? (
    <a class={isPrimary ? "button primary" : "button"} id={`${client}-add`} href={link.link}>
      Add to {title}
    </a>
  ) : (
    <CopyButton isPrimary={isPrimary} text={() => text} subject={`for ${title}`}>
      {`Copy the ${what}`}
    </CopyButton>
  );
}

/** A client's command, link and file, with notes for its users. */
export function ClientPanel({ file, form }: PanelProps) {
  const { client, title, notes, warnings, count, withoutLink } = file;
  const target = selectForTarget(file, form);
  const { system, locations, isForUser, commands, links, isShared, showsEntry } = target;
  const { isByCommand, what } = target;
  const hasScripts = system !== "";
  const rows = listWritten(form);
  const servers = rows.map(({ input }) => replaceSecrets(input, form));
  const variables = [...new Set(servers.flatMap((server) => server.variables))];
  const secrets = [...new Set(servers.flatMap((server) => server.secrets))];
  const noLinkNote =
    count === 1 && isForUser && notes.find(({ about }) => about.startsWith("link"));
  const isForProject = locations.some(({ scope }) => scope === "project");
  const projectNotes = isForProject ? notes.filter(({ about }) => about === "project") : [];
  const canReplace = clientDefinitions[client].references !== undefined;
  const secretsButton = (choice: "values" | "variables" | "all", words = "Use variables") =>
    hasScripts && (
      // A link may replace the button; the same id keeps the focus.
      <IntentButton
        intent={`secrets ${choice}`}
        form={FORM_ID}
        class="small"
        {...(choice === "all" && { id: `${client}-add` })}
      >
        {words}
      </IntentButton>
    );
  const facts = notes.filter(
    ({ about }) =>
      about === "client" ||
      // Skip notes about the shell command where none is shown.
      (about === "shell" && isForUser) ||
      (about === "in-project" && isForProject) ||
      (about in SYSTEMS && (!hasScripts || system === about)),
  );
  const paths = Map.groupBy(locations, ({ path }) => path);
  const [path = ""] = paths.keys();
  const fileName = /[^/\\]+$/.exec(path)?.[0] ?? `config.${file.format}`;
  const fileLocation = paths.size === 1 ? path : fileName;
  const missing = new Set(findMissing(form, rows).map(({ text }) => text));
  const toReplace = createPattern([...missing], canReplace);
  const snippet = (
    id: string,
    label: string,
    text: string,
    language: CodeLanguage = file.format,
    nameToSave?: string,
  ) => {
    const marked = highlight(text, language, (part) => markMatches(part, toReplace));
    const block = { id: `${client}-${id}`, label, subject: title, text, marked };
    return (
      <CopyBlock key={id} {...block}>
        {nameToSave !== undefined && (
          <button
            type="button"
            class="small icon needs-script"
            aria-label={`Download ${nameToSave} for ${title}`}
            title={`Download ${nameToSave}`}
            onClick={() => saveFile(nameToSave, text, "text/plain")}
          >
            <Icon name="download" />
          </button>
        )}
      </CopyBlock>
    );
  };
  const commandBlocks = commands.map(({ shell, text }) =>
    snippet(shell, shell === "bash" ? "In a terminal" : "In PowerShell", text, "shell"),
  );
  const fileLabel = showsEntry ? `The whole ${fileName}` : fileLocation;
  const nameToSave = isShared ? undefined : fileName;
  const fileBlock = snippet("file", fileLabel, file.fileText, file.format, nameToSave);
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
      <h3 class={hasScripts ? "visually-hidden" : ""}>{title}</h3>
      {warnings.map(({ severity, message }) => (
        <Note key={message} kind={severity === "info" ? "info" : "warn"}>
          <p>{capitalise(message)}</p>
        </Note>
      ))}
      {variables.length > 0 && (
        <Note kind="warn">
          <p>
            <strong>Kept out of the {isByCommand ? what : "file"}:</strong> {variables.join(", ")}.{" "}
            {isForProject && "Everybody in a project can read its file. "}
            Set each variable in the environment that {title} starts in.
          </p>
          {secretsButton("values", `Write the value${variables.length > 1 ? "s" : ""}`)}
        </Note>
      )}
      {projectNotes.map(({ text }) => (
        <Note key={text} kind="warn">
          <p>{text}</p>
          {canReplace && secretsButton("variables")}
        </Note>
      ))}
      {secrets.length > 0 && hasScripts && projectNotes.length === 0 && !noLinkNote && (
        <Note kind="warn">
          <p>
            {isByCommand
              ? `Your shell history keeps ${count > 1 ? "these commands" : "this command"}, with`
              : "The file contains"}{" "}
            the value{secrets.length > 1 && "s"} of {formatSome(secrets)}.
          </p>
          {canReplace && secretsButton("variables")}
        </Note>
      )}
      {link && count === 1 && (
        <p class="one-click">
          {hasScripts ? (
            `“Add to ${title}”`
          ) : (
            <a class="button" href={link.link}>
              Add to {title}
            </a>
          )}{" "}
          asks in {title} before it adds the server. Or by hand:
        </p>
      )}
      {noLinkNote && (
        <Note kind="info">
          <p class="no-link">{noLinkNote.text}</p>
          {noLinkNote.about === "link/values" && secretsButton("all")}
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
        {isByCommand && <Fold title={`Or by hand, into ${fileLocation}`}>{byHand}</Fold>}
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

const Fold = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <details class="fold">
    <summary>{title}</summary>
    <div class="stack">{children}</div>
  </details>
);

/** Matches what the user must replace: blank values, placeholders, and references that stay text. */
function createPattern(missing: readonly string[], canReplace: boolean): RegExp {
  const literals = missing
    .toSorted((one, other) => other.length - one.length)
    .map((text) => (text === "" ? '""' : JSON.stringify(text).slice(1, -1)))
    .map((text) => text.replace(/\W/g, "\\$&"));
  return new RegExp(`(${[...literals, canReplace ? "(?!)" : "\\$\\{\\w+\\}"].join("|")})`);
}

const markMatches = (text: string, pattern: RegExp) =>
  text
    .split(pattern)
    .map((part, index) => (index % 2 === 0 ? part : <mark key={index}>{part}</mark>));

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
