import type { Context } from '../../runtime/context.ts';
import { estimateSeconds, estimateText, type RequestCounts } from './pace.ts';

/** Says before a piece of work how long it takes at the service's rate limits; nothing for less than a minute. */
export function announceTime(
  ctx: Pick<Context, 'out'>,
  what: string,
  counts: RequestCounts,
  used: RequestCounts = {},
): void {
  if (estimateSeconds(counts, used) < 60) return;
  ctx.out.preview(`${what} takes ${estimateText(counts, used)}`);
}
