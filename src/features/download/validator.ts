import type { HttpReply } from '../../client/index.ts';

/**
 * Minimum age in milliseconds of a date, relative to its reply, for it to be a strong validator. HTTP dates have a
 * resolution of one second (RFC 9110, 8.8.2.2).
 */
const strongAfterMilliseconds = 1000;

/**
 * Returns the validator for later range requests: the strong entity tag, or the date if it is a strong validator. A
 * weak tag does not guarantee identical bytes, nor does a date of the same second as the reply (RFC 9110, 8.8.2.2 and
 * 13.1.5). Undefined if parts cannot be combined safely.
 */
export function validatorOf(reply: HttpReply): string | undefined {
  const tag = reply.header('etag')?.trim();
  if (tag !== undefined && tag !== '') return isStrongTag(tag) ? tag : undefined;
  const modified = reply.header('last-modified')?.trim();
  return modified !== undefined && isStrongDate(modified, reply.header('date')?.trim())
    ? modified
    : undefined;
}

/** Whether the headers of a partial reply show a different content than `validator`. */
export function contradicts(reply: HttpReply, validator: string | undefined): boolean {
  if (validator === undefined) return false;
  const own = reply.header(isStrongTag(validator) ? 'etag' : 'last-modified')?.trim();
  return own !== undefined && own !== '' && !own.startsWith('W/') && own !== validator;
}

function isStrongTag(tag: string): boolean {
  return tag.startsWith('"');
}

/** Whether a date is a strong validator, which requires the time of the reply. */
function isStrongDate(modified: string, date: string | undefined): boolean {
  if (date === undefined) return false;
  // An invalid date gives NaN, so the comparison is false.
  return Date.parse(date) - Date.parse(modified) >= strongAfterMilliseconds;
}
