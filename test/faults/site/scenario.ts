/** Something that fails and is mended, and what the service does meanwhile and afterwards. */
export interface Scenario {
  readonly title: string;
  /**
   * @returns what was measured, for people.
   * @throws {Error} when the service does not do what it should.
   */
  readonly run: () => Promise<string>;
}
