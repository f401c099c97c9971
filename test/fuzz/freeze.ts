/** Makes every change of a JSON value throw. Binary data, which cannot be frozen, stays as it is. */
export function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  if (ArrayBuffer.isView(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}
