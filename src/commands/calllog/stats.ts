import { resolve } from 'node:path';
import {
  listGroup,
  rangeAround,
  StatsCollector,
  textReport,
  withStart,
  type CallStats,
  type CountedCall,
  type StatsGroup,
} from '../../features/call-stats/index.ts';
import type { ReportSubject } from '../../features/call-stats/html-report.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { dateFilter, readWindow, type Window } from '../../features/time-window/index.ts';
import { replaceContent } from '../../platform/replace-content.ts';
import { checkParents } from '../../features/output-path/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';
import { withLocalCalls, type CallsToCount } from './local.ts';
import { checkCallTypes, explained, scopeOf } from './scope.ts';
import { ucctl } from '../../errors/hint.ts';

export interface CallLogStatsOptions extends WindowOptions, CopyOptions {
  readonly extension?: string;
  readonly direction: readonly ('Inbound' | 'Outbound')[];
  readonly type: readonly string[];
  readonly within: number;
  readonly report?: string;
  readonly parents?: boolean;
  readonly local?: boolean;
  readonly by?: StatsGroup;
}

/** Width of the charts without a terminal, and maximum width on a terminal. */
const chartColumns = 100;

export async function callStats(ctx: Context, options: CallLogStatsOptions): Promise<void> {
  checkCallTypes(ctx, options.type);
  const window = readWindow(options, ctx);
  // The report file is checked first, because reading the call log may take minutes.
  if (options.report !== undefined) checkParents(resolve(ctx.cwd, options.report), ctx.cwd, options.parents);
  const { stats, accountId, calls } = await ctx.out.progress(
    options.local ? 'Reading the local call database' : 'Reading the call log',
    (update) => collect(ctx, options, window, update),
  );
  if (options.report !== undefined) {
    const file = resolve(ctx.cwd, options.report);
    // The report module is loaded on demand, because it loads the chart library.
    const { htmlReport } = await import('../../features/call-stats/html-report.ts');
    await replaceContent(file, htmlReport(stats, subjectOf(ctx, options, accountId)));
    ctx.out.note(`report written to ${file}`);
  }
  const { format } = ctx.out;
  if (options.by !== undefined) return listGroup(ctx.out, stats, options.by, calls);
  if (format === 'table')
    return ctx.out.text(
      `${textReport(stats, Math.min(chartColumns, ctx.out.columns ?? chartColumns), ctx.now())}\n`,
    );
  if (format === 'csv' || format === 'tsv') return listGroup(ctx.out, stats, 'total', calls);
  return ctx.out.record(stats, { columns: [] });
}

/** The statistics, and the ID of the account. The local call database does not store the ID. */
interface Counted {
  readonly stats: CallStats;
  readonly accountId: string | undefined;
  /** With `--by call`, the counted calls, latest first. */
  readonly calls: readonly CountedCall[];
}

/** Returns the heading of the report. */
function subjectOf(
  ctx: Context,
  { extension, direction, type, local }: CallLogStatsOptions,
  accountId: string | undefined,
): ReportSubject {
  const { profile, baseUrl } = ctx.settings;
  const service = baseUrl.value === undefined ? '' : ` at ${new URL(baseUrl.value).host}`;
  const kinds = [...direction, type.length > 0 ? type.join(', ') : 'Voice'].join(', ');
  const owner = extension === '~' ? 'your own extension' : `extension ${extension}`;
  return {
    title: 'Call report',
    account: `${accountId === undefined ? '' : `${accountId}, `}profile ${profile.value}${service}`,
    calls: `${kinds}; ${extension === undefined ? 'all extensions' : owner}${local ? '; local call database' : ''}`,
    madeAt: ctx.now(),
  };
}

async function collect(
  ctx: Context,
  options: CallLogStatsOptions,
  window: Window,
  update: (text: string) => void,
): Promise<Counted> {
  const filter = {
    type: options.type.length > 0 ? options.type : ['Voice'],
    ...(options.direction.length > 0 && { direction: options.direction }),
  };
  const counted: CountedCall[] = [];
  const count = async (calls: CallsToCount): Promise<CallStats> => {
    const names = new Map(calls.extensions.map((one) => [String(one.id), one]));
    const ids = new Map(calls.extensions.map((one) => [one.extensionNumber, String(one.id)]));
    const collector = new StatsCollector({
      ...window,
      period: calls.period,
      serviceLevelSeconds: options.within,
      queueName: (id) => (names.get(id)?.type === 'Department' ? names.get(id)?.name : undefined),
      nameOf: (id) => names.get(id)?.name,
      numberOf: (id) => names.get(id)?.extensionNumber,
      idOf: (extensionNumber) => ids.get(extensionNumber),
      onCall: options.by === 'call' ? (call) => counted.push(call) : undefined,
    });
    let records = 0;
    for await (const record of calls.records) {
      collector.add(record);
      records += 1;
      if (records % 1000 === 0) update(`${records} records`);
    }
    return collector.stats();
  };
  if (options.local) {
    const stats = await withLocalCalls(ctx, options, window, filter, count);
    return { stats, accountId: undefined, calls: latestFirst(counted) };
  }
  const api = await ctx.api();
  const scope = await scopeOf(ctx, api, options.extension);
  const period = withStart(window);
  const range = { ...window, ...rangeAround(period, ctx.now()) };
  const asked = { view: 'Detailed', ...filter, ...dateFilter(range) } as const;
  const records = api.callLog.list(scope, asked, { signal: ctx.signal });
  const extensions = await openDirectory(api, ctx.signal).all();
  const stats = await count({
    extensions,
    records: explained(records, scope, ucctl('calllog stats')),
    period,
  });
  return {
    stats,
    accountId: /\/account\/(\d+)\//u.exec(extensions[0]?.uri ?? '')?.[1],
    calls: latestFirst(counted),
  };
}

/** Sorts calls by their start; calls without a time are last. */
function latestFirst(calls: readonly CountedCall[]): readonly CountedCall[] {
  const timeOf = ({ start }: CountedCall): number => (start === undefined ? 0 : Date.parse(start));
  return calls.toSorted((a, b) => timeOf(b) - timeOf(a));
}
