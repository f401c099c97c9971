/** A file that the pages load. Its name has a hash of what is in it, so a copy never grows old. */
export interface Asset {
  /** Such as `/assets/site-1a2b3c4d.js`. */
  readonly path: string;
  readonly type: string;
  readonly text: string;
}
