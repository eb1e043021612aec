import { resolve } from 'node:path';
import {
  htmlReport,
  StatsCollector,
  statsRows,
  textReport,
  type CallStats,
  type StatsRow,
} from '../../features/call-stats/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { dateFilter, readWindow } from '../../features/time-window/index.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import type { Context } from '../../runtime/context.ts';
import type { View } from '../../runtime/output.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';
import { explained, scopeOf } from './scope.ts';

export interface CallLogStatsOptions extends WindowOptions {
  readonly extension?: string;
  readonly direction: readonly ('Inbound' | 'Outbound')[];
  readonly type: readonly string[];
  readonly within: number;
  readonly report?: string;
}

const chartColumns = 100;

/** `calllog stats` */
export async function callStats(ctx: Context, options: CallLogStatsOptions): Promise<void> {
  const window = readWindow(options, ctx.now());
  const stats = await ctx.out.progress('reading the call log', (update) =>
    collect(ctx, options, window, update),
  );
  if (options.report !== undefined) {
    const file = resolve(ctx.cwd, options.report);
    await writeFileAtomic(file, htmlReport(stats, 'Calls'));
    ctx.out.note(`the report is in ${file}`);
  }
  const { format } = ctx.out;
  if (format === 'table') return ctx.out.text(`${textReport(stats, chartColumns)}\n`);
  if (format === 'csv' || format === 'tsv') return ctx.out.list(statsRows(stats), rowView);
  return ctx.out.record(stats, { columns: [] });
}

async function collect(
  ctx: Context,
  options: CallLogStatsOptions,
  window: ReturnType<typeof readWindow>,
  update: (text: string) => void,
): Promise<CallStats> {
  const api = await ctx.api();
  const scope = await scopeOf(ctx, api, options.extension);
  const type = options.type.length > 0 ? options.type : ['Voice'];
  const { direction } = options;
  const filter = {
    view: 'Detailed',
    type,
    ...(direction.length > 0 && { direction }),
    ...dateFilter(window),
  } as const;
  const names = new Map<string, { readonly name: string; readonly isQueue: boolean }>();
  for (const one of await openDirectory(api, ctx.signal).all()) {
    names.set(String(one.id), { name: one.name, isQueue: one.type === 'Department' });
  }
  const collector = new StatsCollector({
    ...window,
    serviceLevelSeconds: options.within,
    queueName: (id) => (names.get(id)?.isQueue ? names.get(id)?.name : undefined),
    nameOf: (id) => names.get(id)?.name,
  });
  const records = api.callLog.list(scope, filter, { signal: ctx.signal });
  let count = 0;
  for await (const record of explained(records, scope, 'calllog stats')) {
    collector.add(record);
    count += 1;
    if (count % 1000 === 0) update(`${count} records`);
  }
  return collector.stats();
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
