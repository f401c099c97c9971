/** For scripts and tests. The default is the path of Debian's package. */
export const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
