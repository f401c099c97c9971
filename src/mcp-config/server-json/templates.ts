/*
 * Placeholders that a release, or the reader of a template, should have replaced. Most count in capitals
 * only, since packages are named `placeholder` and `your-server` too.
 */

/** True for a package that is not named yet: `<owner>/name`, `{{package}}`, `@your-scope/server`. */
export const isTemplate = (identifier: string): boolean =>
  /<.*>|\{.*\}|\$\{?[A-Z]|PLACEHOLDER|__[A-Z_]+__|%[A-Z_]+%|YOUR[-_]|(?<![\w-])your[-_](?:org|scope|username)(?![\w-])/.test(
    identifier,
  );

/** True for `{{version}}`, `$VERSION`, `@PLACEHOLDER_VERSION` and for `0.0.0`, with which release tools begin. */
export const isNoVersion = (version: string): boolean =>
  isTemplate(version) ||
  /^v?0\.0\.0(?:-(?:dev|development|placeholder|semantic\w*-released))?$|^(?:version|x\.y\.z|todo|tbd)$/i.test(
    version,
  );

/** True for `https://<host>/mcp` and `https://x.example/{{tenant}}`; `{tenant}` is a variable of the manifest. */
export const isUrlTemplate = (url: string): boolean => /<.*>|\{\{.*\}\}/.test(url);

/** `YOUR-HOST`, `your-domain.com` and `mcp.yourcompany.com`; undefined for a URL with a host. */
export function placeholderHost(url: string): string | undefined {
  const [, host = ""] = /^https?:\/\/([^/?#:]*)/i.exec(url) ?? [];
  return PLACEHOLDER_HOST.test(host) ? host : undefined;
}

const PLACEHOLDER_HOST =
  /(?:^|[.-])your[-_]?(?:app|company|domain|gateway|host(?:name)?|instance|org|project|server|site|subdomain|tenant|workspace)(?:$|[.-])|PLACEHOLDER|^HOST(?:NAME)?$/i;
