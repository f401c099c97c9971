import { schemeAndReference } from "./references.ts";
import { envOrHeaders, type Server } from "./server.ts";

/** The variable for a value of the server's environment or headers. */
export const valueVariable = (
  { name, transport }: Pick<Server, "name" | "transport">,
  key: string,
): string => (transport === "stdio" ? key : serverVariable(name, key));

/** The keys of env or headers whose values are written out. */
export const literalKeys = (server: Server): string[] =>
  Object.entries(envOrHeaders(server)).flatMap(([key, value]) =>
    schemeAndReference(value) === undefined ? [key] : [],
  );

/**
 * The variable for a value of one server, `POSTMAN_AUTHORIZATION`. The environment is the same for
 * all servers: without the server's name one server would get the secret of another.
 *
 * @param name of the value: that of a header, an argument or a placeholder in a URL.
 */
export function serverVariable(server: string, name: string): string {
  const [owner, words] = [upperSnake(server) || "MCP", upperSnake(name)];
  // `X_API_KEY` of a server `api` may be that of any server.
  const isOwn = `_${words}_`.includes(`_${owner}_`) && !OF_ANY_SERVER.test(words);
  return usableVariable(isOwn ? words : `${owner}_${words}`);
}

/**
 * The variable for a placeholder, `{tenant}`. It has the placeholder's name unless that is generic: `{api_key}` of two servers means two keys.
 */
export function placeholderVariable(server: string, name: string): string {
  const words = upperSnake(name);
  const isUsable = usableVariable(words) === words && !OF_ANY_SERVER.test(words);
  return isUsable ? words : serverVariable(server, name);
}

/** The name itself, unless the shell or the client already uses it. */
const usableVariable = (name: string): string =>
  /^[A-Z_]/.test(name) && !TAKEN.test(name) ? name : `MCP_${name}`;

/** `API_KEY` for `api-key`. */
export const upperSnake = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z\d]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase();

/** Variables that the shell or the client already uses. */
const TAKEN =
  /^(?:PATH|HOME|USER|USERNAME|SHELL|PWD|LANG|TERM|TMP|TEMP|TMPDIR|HOST|HOSTNAME|LOGNAME|EDITOR)$/;

/** Names of secrets that do not tell which server they are for. */
const OF_ANY_SERVER =
  /^(?:(?:ACCESS|ACCOUNT|API|APIKEY|APP|AUTH|AUTHORIZATION|BEARER|CLIENT|CREDENTIALS?|HTTP|ID|JWT|KEY|LOGIN|MCP|MY|PASS|PASSWORD|PAT|PERSONAL|PRIVATE|REFRESH|SECRET|SERVER|SERVICE|TOKEN|USER|VALUE|X|YOUR)(?:_|$))+$/;
