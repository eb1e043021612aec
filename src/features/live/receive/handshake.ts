/** Longest token that fits a reply of 1024 bytes with all its headers. */
const token = /^[\x21-\x7e]{1,512}$/;

/**
 * The token to echo. Undefined unless the request carries exactly one Validation-Token of visible ASCII: nothing else may be
 * reflected into a reply.
 */
export function readValidationToken(rawHeaders: readonly string[]): string | undefined {
  const [value, second] = valuesOf(rawHeaders, 'validation-token');
  return value !== undefined && second === undefined && token.test(value) ? value : undefined;
}

/** All values of a header as they came, before the parser joins or drops repeated ones. */
export function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
