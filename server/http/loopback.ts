/** Whether a URL leads to this machine. */
export const isLoopbackUrl = ({ hostname }: URL): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
