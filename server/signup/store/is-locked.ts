/** Whether others have a SQLite file: SQLITE_BUSY or one of its kinds, such as SQLITE_BUSY_RECOVERY. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  error.code.startsWith("SQLITE_BUSY");
