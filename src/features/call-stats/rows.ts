import type { CallCounts, CallStats } from './stats.ts';

/** One group of calls in a flat table. */
export interface StatsRow {
  readonly dimension: 'total' | 'hour' | 'day' | 'queue' | 'agent' | 'result' | 'weekday-hour';
  readonly key: string;
  readonly name: string | undefined;
  readonly calls: number;
  readonly inbound?: number | undefined;
  readonly outbound?: number | undefined;
  readonly answered?: number | undefined;
  readonly missed?: number | undefined;
  readonly abandoned?: number | undefined;
  readonly voicemail?: number | undefined;
  readonly unanswered?: number | undefined;
  readonly other?: number | undefined;
  readonly talkSeconds?: number | undefined;
  readonly serviceLevel?: number | undefined;
}

/** The statistics as rows, for csv and tsv. */
export function statsRows(stats: CallStats): readonly StatsRow[] {
  return [
    {
      dimension: 'total',
      key: 'all',
      name: undefined,
      ...flat(stats.totals),
      serviceLevel: stats.totals.serviceLevel,
    },
    ...stats.byHour.map((one): StatsRow => ({
      dimension: 'hour',
      key: String(one.hour),
      name: undefined,
      ...flat(one),
    })),
    ...stats.byDay.map((one): StatsRow => ({
      dimension: 'day',
      key: one.day,
      name: undefined,
      ...flat(one),
    })),
    ...stats.byWeekdayAndHour.flatMap((row, day) =>
      row.map((calls, hour): StatsRow => ({
        dimension: 'weekday-hour',
        key: `${day + 1}-${hour}`,
        name: undefined,
        calls,
      })),
    ),
    ...stats.byQueue.map((one): StatsRow => ({
      dimension: 'queue',
      key: one.id,
      name: one.name,
      ...flat(one),
      serviceLevel: one.serviceLevel,
    })),
    ...stats.byAgent.map(({ id, name, inbound, outbound, answered, missedRings, talkSeconds }): StatsRow => ({
      dimension: 'agent',
      key: id,
      name,
      calls: inbound + outbound,
      inbound,
      outbound,
      answered,
      missed: missedRings,
      talkSeconds,
    })),
    ...stats.byResult.map(({ result, calls }): StatsRow => ({
      dimension: 'result',
      key: result,
      name: undefined,
      calls,
    })),
  ];
}

function flat(counts: CallCounts): Omit<StatsRow, 'dimension' | 'key' | 'name'> {
  const { calls, inbound, outbound, answered, missed, abandoned, voicemail, unanswered, other, talkSeconds } =
    counts;
  return { calls, inbound, outbound, answered, missed, abandoned, voicemail, unanswered, other, talkSeconds };
}
