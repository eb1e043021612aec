import { resolve } from 'node:path';
import {
  StatsCollector,
  statsRows,
  textReport,
  type CallStats,
  type StatsRow,
} from '../../features/call-stats/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { dateFilter, readWindow, type Window } from '../../features/time-window/index.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import type { View } from '../../runtime/output.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';
import { withLocalCalls, type CallsToCount } from './local.ts';
import { explained, scopeOf } from './scope.ts';

export interface CallLogStatsOptions extends WindowOptions, CopyOptions {
  readonly extension?: string;
  readonly direction: readonly ('Inbound' | 'Outbound')[];
  readonly type: readonly string[];
  readonly within: number;
  readonly report?: string;
  readonly local?: boolean;
}

/** Where there is no terminal, and the most on a wide one: longer bars tell no more. */
const chartColumns = 100;

/** `calllog stats` */
export async function callStats(ctx: Context, options: CallLogStatsOptions): Promise<void> {
  const window = readWindow(options, ctx.now());
  const stats = await ctx.out.progress(
    options.local ? 'reading the copy' : 'reading the call log',
    (update) => collect(ctx, options, window, update),
  );
  if (options.report !== undefined) {
    const file = resolve(ctx.cwd, options.report);
    // With what draws the charts, which nothing else needs.
    const { htmlReport } = await import('../../features/call-stats/html-report.ts');
    await writeFileAtomic(file, htmlReport(stats, 'Calls'));
    ctx.out.note(`the report is in ${file}`);
  }
  const { format } = ctx.out;
  if (format === 'table')
    return ctx.out.text(`${textReport(stats, Math.min(chartColumns, ctx.out.columns ?? chartColumns))}\n`);
  if (format === 'csv' || format === 'tsv') return ctx.out.list(statsRows(stats), rowView);
  return ctx.out.record(stats, { columns: [] });
}

async function collect(
  ctx: Context,
  options: CallLogStatsOptions,
  window: Window,
  update: (text: string) => void,
): Promise<CallStats> {
  const filter = {
    type: options.type.length > 0 ? options.type : ['Voice'],
    ...(options.direction.length > 0 && { direction: options.direction }),
  };
  const count = async (calls: CallsToCount): Promise<CallStats> => {
    const names = new Map(calls.extensions.map((one) => [String(one.id), one]));
    const collector = new StatsCollector({
      ...window,
      serviceLevelSeconds: options.within,
      queueName: (id) => (names.get(id)?.type === 'Department' ? names.get(id)?.name : undefined),
      nameOf: (id) => names.get(id)?.name,
    });
    let records = 0;
    for await (const record of calls.records) {
      collector.add(record);
      records += 1;
      if (records % 1000 === 0) update(`${records} records`);
    }
    return collector.stats();
  };
  if (options.local) return withLocalCalls(ctx, options, window, filter, count);
  const api = await ctx.api();
  const scope = await scopeOf(ctx, api, options.extension);
  const asked = { view: 'Detailed', ...filter, ...dateFilter(window) } as const;
  const records = api.callLog.list(scope, asked, { signal: ctx.signal });
  return count({
    extensions: await openDirectory(api, ctx.signal).all(),
    records: explained(records, scope, 'calllog stats'),
  });
}

const rowView: View<StatsRow> = {
  columns: (
    [
      'dimension',
      'key',
      'name',
      'calls',
      'inbound',
      'outbound',
      'answered',
      'missed',
      'abandoned',
      'voicemail',
      'unanswered',
      'other',
      'talkSeconds',
      'serviceLevel',
    ] as const
  ).map((key) => ({ key, title: key.toUpperCase(), value: (row: StatsRow) => row[key] })),
};
