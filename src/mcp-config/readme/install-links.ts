import { isObject } from "../values.ts";
import { linesOutsideCode } from "./install-block.ts";
import { type StartedServer, startedServer } from "./started-server.ts";

/** A link of a README that installs a server in a client. */
export interface InstallLink {
  readonly client: string;
  readonly line: number;
  readonly scheme: string;
  /** Undefined for a link that cannot be read. */
  readonly server?: StartedServer;
  readonly problem?: string;
}

export const installLinksIn = (text: string): InstallLink[] =>
  Array.from(linesOutsideCode(text)).flatMap(({ text: content, line }) =>
    Array.from(content.matchAll(LINK), ([link]) => link.replaceAll("&amp;", "&")).flatMap(
      (link) => {
        const [client, , config] = FORMS.find(([, address]) => address.test(link)) ?? [];
        if (!client || !config) return [];
        const scheme = /^[^:]*/.exec(link)?.[0] ?? "";
        return [{ client, line, scheme, ...readLink(config, link) }];
      },
    ),
  );

/** An address, which may have pairs of parentheses. A scheme of any length would take long to look for. */
const LINK = /\b[a-z][a-z+.-]{0,39}:(?:[^\s<>"'`()\]]|\([^\s<>()]*\))+/g;

/** A client's name, the beginning of its links, and how they hold the config. */
type Form = readonly [
  client: string,
  address: RegExp,
  config: (link: string) => string | undefined,
];

const parameter = (name: string) => (link: string) => {
  const [, value] = new RegExp(`[?&]${name}=([^&#]*)`).exec(link) ?? [];
  return value === undefined ? undefined : decodeURIComponent(value.replaceAll("+", "%2B"));
};

/** Some links have the members of the config as parameters of their own. */
const configOrMembers = (link: string): string | undefined => {
  const config = parameter("config")(link);
  if (config !== undefined) return config;
  const [command, url, args] = ["command", "url", "args"].map((name) => parameter(name)(link));
  if (command === undefined && url === undefined) return undefined;
  return JSON.stringify({ command, url, args: args === undefined ? [] : JSON.parse(args) });
};

/** The JSON behind the question mark, encoded once or twice. */
const wholeQuery = (link: string) => {
  const [, query = ""] = /\?(.*)$/s.exec(link) ?? [];
  return decodeURIComponent(query);
};

const inBase64 = (link: string) => {
  const text = parameter("config")(link);
  if (text === undefined) return undefined;
  // Kiro and Cursor accept plain JSON too.
  if (text.trim().startsWith("{")) return text;
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder("utf-8", { fatal: true }).decode(
    Uint8Array.from(bytes, (character: string) => character.charCodeAt(0)),
  );
};

const FORMS: readonly Form[] = [
  ["VS Code", /^https?:\/\/(?:insiders\.)?vscode\.dev\/redirect\/mcp\/install\?/, configOrMembers],
  [
    "VS Code",
    /^https?:\/\/(?:insiders\.)?vscode\.dev\/redirect\?url=vscode(?:-insiders)?(?:%3A|:)mcp(?:%2F|\/)install/i,
    (link) => wholeQuery(parameter("url")(link) ?? ""),
  ],
  ["VS Code", /^vscode(?:-insiders)?:(?:\/\/)?mcp\/install\?/, wholeQuery],
  [
    "Cursor",
    /^https?:\/\/(?:www\.)?cursor\.com\/(?:[a-z]{2}(?:-[A-Z]{2})?\/)?install-mcp\/?\?/,
    inBase64,
  ],
  ["Cursor", /^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?/, inBase64],
  ["LM Studio", /^(?:https?:\/\/lmstudio\.ai\/install-mcp|lmstudio:\/\/add_mcp)\?/, inBase64],
  ["Kiro", /^https?:\/\/kiro\.dev\/launch\/mcp\/add\/?\?/, inBase64],
];

function readLink(config: Form[2], link: string): Pick<InstallLink, "server" | "problem"> {
  try {
    const text = config(link);
    if (text === undefined || text === "") return { problem: "it has no config" };
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || Array.isArray(value)) return { problem: "its config is not an object" };
    const server = startedServer(value);
    return server.shown === "" ? { problem: "it has neither a command nor a url" } : { server };
  } catch (error) {
    // URIError, DOMException of atob, TypeError of the decoder, SyntaxError of JSON.
    if (!(error instanceof Error)) throw error;
    return {
      problem:
        error instanceof SyntaxError ? "its config is not JSON" : "its config is not encoded right",
    };
  }
}
