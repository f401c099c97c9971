import { toBridgedServer } from "../bridge.ts";
import { type ClientRow, untypedEntry, XDG_VARIABLE } from "../client-definition.ts";

const CONFIG_FILE = "claude_desktop_config.json";

/** A path that begins with a dot, or a script such as `dist/index.js`. */
const RELATIVE_PATH = /^\.{1,2}[\\/]|^[\w.-]+(?:[\\/][\w.-]+)*\.(?:[cm]?[jt]s|py)$/;

/** An option that sets the folder of the script, as in `uv --directory /a run b.py`. */
const FOLDER_OPTION = /^(?:--(?:directory|project|prefix|cwd)(?:=|$)|-C$)/;

export const claudeDesktop: ClientRow = {
  title: "Claude Desktop",
  source: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
  locations: [
    { scope: "user", os: "macos", path: `~/Library/Application Support/Claude/${CONFIG_FILE}` },
    {
      scope: "user",
      os: "windows",
      path: `%LOCALAPPDATA%\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\${CONFIG_FILE}`,
    },
    { scope: "user", os: "windows", path: `%APPDATA%\\Claude\\${CONFIG_FILE}` },
    // https://code.claude.com/docs/en/desktop-linux
    { scope: "user", os: "linux", path: `~/.config/Claude/${CONFIG_FILE}` },
  ],
  entry: (server) => untypedEntry(toBridgedServer(server)),
  problemOf: ({ command, url }) =>
    url === undefined || command !== undefined
      ? undefined
      : "has a url, but Claude Desktop starts only local servers; handtools mcp add uses a bridge",
  // https://www.electronjs.org/docs/latest/api/app#appgetpathname
  home: [XDG_VARIABLE],
  // It then ignores all servers: https://github.com/tradesdontlie/tradingview-mcp/issues/406
  dialect: { rejectsByteOrderMark: true },
  notes: ({ server }) => [
    "Quit Claude Desktop before you edit the file, and keep a copy: the app may rewrite the file.",
    {
      about: "windows",
      text: "On Windows, apps installed since February 2026 (MSIX) read the file under %LOCALAPPDATA%\\Packages, older apps the file under %APPDATA%.",
    },
    {
      about: "linux",
      text: "Claude Desktop for Linux is a beta for Ubuntu and Debian; unofficial packages read the same file.",
    },
    ...(server.transport === "stdio"
      ? []
      : [
          "Claude Desktop accepts no URL in this file, so the entry starts the bridge mcp-remote, which needs Node.js.",
        ]),
    ...(server.transport === "stdio" || Object.keys(server.headers).length > 0
      ? []
      : [
          "Without the bridge: Settings > Connectors > Add custom connector, if the server can be reached from the internet.",
        ]),
  ],
  warnAbout({ server }, findings) {
    if (server.transport !== "stdio") return;
    const { command, args } = server;
    // https://modelcontextprotocol.io/docs/develop/connect-local-servers
    const hasFolder = args.some((word) => FOLDER_OPTION.test(word));
    const path = hasFolder
      ? undefined
      : [command, ...args].find((word) => RELATIVE_PATH.test(word));
    if (path !== undefined) {
      findings.add("command-not-found", { client: "Claude Desktop", path });
    }
    // The placeholder `<name>` has its own warning. The `&` of a URL is passed on unchanged.
    const isChanged = (arg: string) =>
      /[\s&|<>^%]/.test(arg.replace(/<([\w.-]+)>/g, "$1").replace(/^https?:\S+$/i, ""));
    // npm installs these as `.cmd` files on Windows.
    if (/^(?:npx|npm|pnpm|pnpx|yarn)$|\.(?:cmd|bat)$/i.test(command) && args.some(isChanged)) {
      findings.add("windows-argument", { client: "Claude Desktop", command });
    }
  },
};
