/** The parser of MIME, such as postal-mime; a parameter, so that the library is without one. */
export interface MimeParser {
  /** Decodes the encoded words of a header. */
  decodeWords(text: string): string;
  /** Rejects for a mail that it cannot read. */
  parse(mail: Uint8Array): Promise<MimeContent>;
}

export interface MimeContent {
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly attachments: readonly {
    readonly filename: string | null;
    readonly disposition: string | null;
  }[];
}
