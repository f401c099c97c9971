/** The browser that scripts and tests drive. Debian's package "chromium" puts it there. */
export const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
