import type { MessageFilter } from '../../contract/message.ts';
import { readMoment } from '../../platform/moment.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../runtime/errors.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';

/** The dates of a message filter. @throws {CommandError} `usage` for what is no time. */
export function dateFilter(
  ctx: Pick<Context, 'now'>,
  { since, until, tz }: WindowOptions,
): Pick<MessageFilter, 'dateFrom' | 'dateTo'> {
  const from = moment(ctx, '--since', since, tz);
  const to = moment(ctx, '--until', until, tz);
  if (from !== undefined && from > (to ?? ctx.now())) throw usageError('--since is later than --until');
  return {
    ...(from !== undefined && { dateFrom: new Date(from).toISOString() }),
    ...(to !== undefined && { dateTo: new Date(to).toISOString() }),
  };
}

function moment(
  ctx: Pick<Context, 'now'>,
  flag: string,
  text: string | undefined,
  zone: string | undefined,
): number | undefined {
  if (text === undefined) return undefined;
  try {
    const at = readMoment(text, ctx.now(), zone);
    if (at !== undefined) return at;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(`there is no time zone "${zone ?? ''}"`, 'a name such as Europe/Paris');
  }
  throw usageError(`${flag} takes a time, not "${text}"`, 'a date, ISO 8601, 2h, 7d, today or yesterday');
}
