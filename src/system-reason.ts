/** An error of the operating system in words for the user; undefined for another one. */
export const systemReason = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? REASONS[String(error.code)] : undefined;

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EBADF: "is closed",
  EFBIG: "the file would grow too large",
  EISDIR: "is a directory",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a part of the path is not a directory",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  Z_BUF_ERROR: "is truncated",
  Z_DATA_ERROR: "is damaged, or no gzip",
};
