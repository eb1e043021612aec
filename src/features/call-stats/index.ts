export { StatsCollector } from './collect.ts';
export type { CallStats } from './stats.ts';
export { statsRows, type StatsRow } from './rows.ts';
export { textReport } from './text-report.ts';
