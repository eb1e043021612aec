import { PageError, type PageRequest, type PageRoute } from '../../platform/local-page/page-route.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { runForPage } from './run-command.ts';
import type { CallStatistics, CountedCall, CountedCalls, StatisticsReply } from './types.ts';

/** Maximum number of calls in a list. */
const mostCalls = 500;
/** A date, an age or a time. */
const moment = /^[\w:.+-]{1,40}$/;

/** The routes that count calls, by default those of the local call database. */
export function callRoutes(ctx: Context, options: CopyOptions): readonly PageRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/calls',
      async answer(request): Promise<StatisticsReply> {
        const { result, notes } = await runForPage(ctx, statsWords(request, options), request);
        return { stats: result as CallStatistics, notes };
      },
    },
    {
      method: 'GET',
      path: '/api/calls/list',
      async answer(request): Promise<CountedCalls> {
        const words = [...statsWords(request, options), '--by', 'call'];
        const { result } = await runForPage(ctx, words, request);
        const wanted = (result as readonly CountedCall[]).filter((call) => isWanted(call, request.query));
        return { calls: wanted.slice(0, mostCalls), total: wanted.length };
      },
    },
  ];
}

/** @throws {PageError} 400 for an invalid time. */
function statsWords({ query }: PageRequest, { database }: CopyOptions): readonly string[] {
  const times = (['since', 'until'] as const).flatMap((name) => {
    const value = query.get(name);
    if (value === null) return [];
    if (!moment.test(value)) throw new PageError(400, `${name} is not a valid time`);
    return [`--${name}`, value];
  });
  const isLocal = query.get('source') !== 'service';
  const file = isLocal && database !== undefined ? ['--database', database] : [];
  return ['calllog', 'stats', ...times, ...(isLocal ? ['--local'] : []), ...file];
}

/** Whether a call belongs to the selected bar of a chart. */
function isWanted(call: CountedCall, query: URLSearchParams): boolean {
  const tests: Readonly<Record<string, (value: string) => boolean>> = {
    hour: (value) => call.hour === Number(value),
    day: (value) => call.day === value,
    queue: (value) => call.queue === value,
    agent: (value) => call.agents.includes(value),
    result: (value) => call.result === value,
  };
  return Object.entries(tests).every(([name, test]) => {
    const value = query.get(name);
    return value === null || test(value);
  });
}
