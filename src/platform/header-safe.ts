/** Whether a token can stand in a header as it is: one line, no spaces, nothing beyond ASCII. */
export function isHeaderSafe(token: string): boolean {
  return /^[\x21-\x7e]*$/.test(token);
}
