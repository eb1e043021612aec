import type { HttpReply } from '../../client/index.ts';

/** An HTTP date whose clock ticks once a second is strong only so much before the time of its own reply (RFC 9110, 8.8.2.2). */
const strongAfterMilliseconds = 1000;

/**
 * What a later part is bound to: the strong entity tag, else the date, where that is a strong validator. A weak tag promises too little, since the
 * content may differ in some bytes, and so does a date of the same second in which the reply was made (RFC 9110, 8.8.2.2 and 13.1.5). Undefined
 * where parts of the content cannot be combined safely.
 */
export function validatorOf(reply: HttpReply): string | undefined {
  const tag = reply.header('etag')?.trim();
  if (tag !== undefined && tag !== '') return isStrongTag(tag) ? tag : undefined;
  const modified = reply.header('last-modified')?.trim();
  return modified !== undefined && isStrongDate(modified, reply.header('date')?.trim())
    ? modified
    : undefined;
}

/** Whether a reply with a part says by its own headers that it is of other content than `validator`. */
export function contradicts(reply: HttpReply, validator: string | undefined): boolean {
  if (validator === undefined) return false;
  const own = reply.header(isStrongTag(validator) ? 'etag' : 'last-modified')?.trim();
  return own !== undefined && own !== '' && !own.startsWith('W/') && own !== validator;
}

function isStrongTag(tag: string): boolean {
  return tag.startsWith('"');
}

/** Without the time of the reply nothing is known of a date. */
function isStrongDate(modified: string, date: string | undefined): boolean {
  if (date === undefined) return false;
  // Not a number for what is not a date: then the comparison is false.
  return Date.parse(date) - Date.parse(modified) >= strongAfterMilliseconds;
}
