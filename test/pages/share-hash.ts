/** The hash of a link that opens a tool's page with this input. */
export const shareHash = (input: unknown): string =>
  `#v1.${Buffer.from(JSON.stringify(input)).toString("base64url")}`;
