import type { HttpReply } from './http.ts';
import type { SeenLimit } from './rate-limiter.ts';

/** Returns the limit in the headers of a reply; undefined if the reply names no limit. */
export function seenLimit(reply: HttpReply): SeenLimit | undefined {
  const limit = readCount(reply.header('x-rate-limit-limit'));
  const remaining = readCount(reply.header('x-rate-limit-remaining'));
  const windowSeconds = readCount(reply.header('x-rate-limit-window'));
  if (limit === undefined || remaining === undefined || windowSeconds === undefined) return undefined;
  return { limit, remaining, windowMilliseconds: windowSeconds * 1000 };
}

/** Returns a count in a header; undefined for any other text. */
export function readCount(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}
