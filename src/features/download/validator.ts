import type { HttpReply } from '../../client/index.ts';

/**
 * What a later part is bound to: the strong entity tag, else the date. A weak tag promises too little: the content may differ in some bytes
 * (RFC 9110, 13.1.5); then, and without either, nothing is.
 */
export function validatorOf(reply: HttpReply): string | undefined {
  const tag = reply.header('etag')?.trim();
  if (tag !== undefined && tag !== '') return tag.startsWith('W/') ? undefined : tag;
  return reply.header('last-modified')?.trim() || undefined;
}
