/** Whether a token is valid in a header: printable ASCII without spaces. */
export function isHeaderSafe(token: string): boolean {
  return /^[\x21-\x7e]*$/.test(token);
}
