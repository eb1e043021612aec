/** Parses the Date header of a reply. @returns milliseconds since 1970; undefined without a valid header. */
export function readDateHeader(value: string | undefined): number | undefined {
  const time = Date.parse(value ?? '');
  return Number.isNaN(time) ? undefined : time;
}
