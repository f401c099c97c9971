/** The database cannot be used. Its code is for the operator's log. */
export class StoreFault extends Error {
  override readonly name = "StoreFault";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
