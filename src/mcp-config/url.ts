/** The URL as the clients' own parsers read it; undefined when they cannot. */
export const parseUrl = (text: string): URL | undefined =>
  // Asked for every argument: a thrown error would take as long as the rest of the tool.
  URL.canParse(text) ? new URL(text) : undefined;

/** Whether the host is this machine, so that nothing travels over a network. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
