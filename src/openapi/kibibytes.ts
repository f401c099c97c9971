/** A size in words, `16 KiB` for 16384 bytes. */
export const kibibytes = (bytes: number): string => `${bytes / 1024} KiB`;
