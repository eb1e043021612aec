import type { Context } from '../../runtime/context.ts';
import { estimateSeconds, estimateText, type RequestCounts } from './pace.ts';

/** Shows how long requests will take under the service's rate limits, if they take a minute or more. */
export function announceTime(
  ctx: Pick<Context, 'out'>,
  what: string,
  counts: RequestCounts,
  used: RequestCounts = {},
): void {
  if (estimateSeconds(counts, used) < 60) return;
  ctx.out.preview(`${what} takes ${estimateText(counts, used)}`);
}
