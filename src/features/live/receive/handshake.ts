import { valuesOf } from '../../../platform/raw-headers.ts';

/**
 * Matches a token of up to 512 visible ASCII characters, so that a reply with all headers does not exceed 1024 bytes.
 */
const token = /^[\x21-\x7e]{1,512}$/;

/**
 * Returns the token to echo. Undefined unless the request has exactly one Validation-Token of visible ASCII, because a
 * reply must not reflect anything else.
 */
export function readValidationToken(rawHeaders: readonly string[]): string | undefined {
  const [value, second] = valuesOf(rawHeaders, 'validation-token');
  return value !== undefined && second === undefined && token.test(value) ? value : undefined;
}
