/** The path of a request's URL. Its Host may be none that `URL` takes, such as `a:99999`. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const [path = ""] = url.slice(start).split(/[?#]/, 1);
  return path;
}
