import type { Output } from '../../runtime/output.ts';
import type { CountedCall } from './counted-call.ts';
import type { CallStats } from './stats.ts';
import * as groups from './stats.rows.ts';

/**
 * Writes the statistics of one kind of group as a list, so that all rows have the same columns.
 * @param calls the counted calls, for the group `call`
 */
export function listGroup(
  out: Output,
  stats: CallStats,
  group: groups.StatsGroup,
  calls: readonly CountedCall[],
): Promise<void> {
  const lists: Readonly<Record<groups.StatsGroup, () => Promise<void>>> = {
    total: () => out.list([stats.totals], groups.totalRows.list),
    hour: () => out.list(stats.byHour, groups.hourRows.list),
    day: () => out.list(stats.byDay, groups.dayRows.list),
    'weekday-hour': () => out.list(weekdayHours(stats), groups.weekdayHourRows.list),
    queue: () => out.list(stats.byQueue, groups.queueRows.list),
    agent: () => out.list(stats.byAgent, groups.agentRows.list),
    result: () => out.list(stats.byResult, groups.resultRows.list),
    call: () => out.list(calls, groups.callRows.list),
  };
  return lists[group]();
}

function weekdayHours({ byWeekdayAndHour }: CallStats) {
  return byWeekdayAndHour.flatMap((hours, day) =>
    hours.map((calls, hour) => ({ weekday: day + 1, hour, calls })),
  );
}
