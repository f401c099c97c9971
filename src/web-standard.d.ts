/** The globals that the library uses. Every supported runtime has them. */
declare class URL {
  constructor(url: string);
  static canParse(url: string): boolean;
  readonly origin: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly href: string;
  readonly hash: string;
  readonly searchParams: Iterable<[name: string, value: string]>;
}
declare class TextEncoder {
  encode(input: string): Uint8Array;
  encodeInto(source: string, destination: Uint8Array): { readonly read: number };
}
/** Encodes a string of Latin-1 characters. */
declare function btoa(text: string): string;
declare function atob(base64: string): string;
declare class TextDecoder {
  /** @throws {RangeError} if the encoding is unknown. */
  constructor(
    encoding?: string,
    options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean },
  );
  decode(bytes: Uint8Array): string;
  /** The name of the encoding in the standard. */
  readonly encoding: string;
}
