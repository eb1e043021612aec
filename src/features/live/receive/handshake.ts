/**
 * Matches a token of up to 512 visible ASCII characters, so that a response with all headers does not exceed 1024
 * bytes.
 */
const token = /^[\x21-\x7e]{1,512}$/;

/**
 * The token to echo. Undefined unless the request has exactly one Validation-Token of visible ASCII, because nothing
 * else may be reflected in a response.
 */
export function readValidationToken(rawHeaders: readonly string[]): string | undefined {
  const [value, second] = valuesOf(rawHeaders, 'validation-token');
  return value !== undefined && second === undefined && token.test(value) ? value : undefined;
}

/** All values of a header, including repeated ones, which Node's parser joins or drops. */
export function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
