export { rangeAround, withStart, type Period } from './call-period.ts';
export { StatsCollector } from './collect.ts';
export type { CountedCall } from './counted-call.ts';
export type { CallStats } from './stats.ts';
export { listGroup } from './group-list.ts';
export type { StatsGroup } from './stats.rows.ts';
export { textReport } from './text-report.ts';
