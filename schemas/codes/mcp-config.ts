import { explained } from "./explanation.ts";

/** The codes of warnings about the configs of MCP servers. */
export const mcpConfigCodes = {
  "command-not-found": explained(
    "A client does not find a command that starts with ~ or a dot.",
    "It starts programs without a shell, from a folder of its own.",
    "Write the whole path: `/home/me/server.sh`.",
  ),
  "command-line": explained(
    "The command looks like a whole command line; arguments belong in args.",
    "Clients look for one program with that long name and do not find it.",
    "Give the program in command and each argument as an item of args, as the message shows.",
  ),
  "command-split": explained(
    "A client splits a command with spaces.",
    "Without args it takes the command for a command line, and starts another program.",
    "For that client alone put double quotes around the command; or move the program to a path without spaces.",
  ),
  "double-underscore": explained(
    "The name has the two underscores that clients put between server and tool.",
    "A client may cut the name at the wrong place, and then knows no such tool.",
    "Write one underscore, or a hyphen.",
  ),
  "field-left-out": explained(
    "A field of a client's config was left out when it was read.",
    "Other clients have no such setting, or it belongs to the other kind of server: a local one takes env, a remote one headers.",
    "Keep the old config if you need the setting, and set it by hand.",
  ),
  "header-replaced": explained(
    "A client sends its own value in place of this header's.",
    "The server never sees your value from that client.",
    "Leave the header out, or let the server ask for another one.",
  ),
  "header-outer-spaces": explained(
    "A header's outer spaces are not sent.",
    "HTTP drops them; a space at the end of a token is most likely a mistake in copying.",
    "Remove the spaces.",
  ),
  "long-name": explained(
    "The name is long: clients limit the length of server and tool name together.",
    "Both together may have 60 characters in some clients and 64 in others; a tool with a longer name may not work.",
    "Choose a name of at most 30 characters.",
  ),
  "name-changed": explained(
    "A server was renamed, so that every client accepts its name.",
    "The old name has characters that some clients reject, such as a space or a dot.",
    "Nothing; or choose another name of letters, digits, - and _.",
  ),
  "path-appended": explained(
    "A client appends to PATH instead of replacing it.",
    "Where two programs have the same name, that client may start another one than the rest do.",
    "Write the whole path of the program in command.",
  ),
  "path-rewritten": explained(
    "A client turns a text that starts with ~ or a dot into an absolute path.",
    "Other clients pass the text on as it is, so the server gets different values.",
    "Write the whole path.",
  ),
  "plain-http": explained(
    "The URL is not encrypted and not of this machine.",
    "Everybody on the way can read what is sent, tokens in the headers too, and can change the answers.",
    "Use https, unless the network is your own.",
  ),
  "protocol-header": explained(
    "The header is set by the protocol itself.",
    "A second value may break the connection.",
    "Leave it out.",
  ),
  "reference-as-text": explained(
    "A client replaces no variable there and keeps ${NAME} as text.",
    "The server gets the characters ${NAME} in place of the value.",
    "Write the value itself into that client's file; never into one that is shared if it is a secret.",
  ),
  "reserved-name": explained(
    "A client keeps this name for itself.",
    "It does not load a server of that name.",
    "Choose another name.",
  ),
  "secret-in-args": explained(
    "An argument seems to hold a secret, which belongs in env.",
    "Every user of the machine can see the arguments of a running program, and shells keep them in their history.",
    "Give it in env, if the server takes it there, or as a reference: `${TOKEN}`.",
  ),
  "secret-in-url": explained(
    "The URL seems to hold a secret.",
    "URLs end up in the logs of servers and proxies, and in shells' histories.",
    "Give it in a header, such as Authorization, if the server takes one.",
  ),
  "server-left-out": explained(
    "A server of a config cannot be expressed as an input.",
    "It breaks a rule of the input that every client's config rests on; the message says which.",
    "Fix that in the config and read it again.",
  ),
  "sse-url": explained(
    "The URL ends in /sse, a transport that a client does not speak.",
    "The older transport of MCP has its own URL, and that client knows Streamable HTTP alone.",
    "Look up the server's other URL, which often ends in /mcp.",
  ),
  "url-fragment": explained(
    "The URL's fragment is never sent.",
    "The part after # stays in the client.",
    "Leave it out.",
  ),
  "url-rewritten": explained(
    "A client asks for another URL than the one given.",
    "It decodes or normalises the URL first; a server that distinguishes the two answers not found.",
    "Use a URL without percent-encoding and doubled slashes, if the server has one.",
  ),
  "url-scheme-case": explained(
    "A client rejects a URL whose scheme is in upper case.",
    "The server is not loaded there.",
    "Write `https://` in lower case.",
  ),
  "variable-error": explained(
    "A client stops at a variable that it cannot resolve.",
    "The server is not started there.",
    "Write the value itself, or set the variable where the client starts.",
  ),
  "variable-expansion": explained(
    "A client reads a text as a variable and replaces it.",
    "Other clients may pass the text on as it is, so the server gets different values.",
    "Write the value itself.",
  ),
  "windows-argument-space": explained(
    "On Windows, a space in an argument may break the start.",
    "A client starts such programs through cmd.exe, which cuts the argument at the space.",
    "Use a path or a value without a space on Windows.",
  ),
  "windows-special-character": explained(
    "On Windows, a character in an argument means something to the shell.",
    "A client starts such programs through cmd.exe, which interprets &, |, <, >, ^ and %.",
    "Try the server on Windows before you rely on it, or avoid the character.",
  ),
};
