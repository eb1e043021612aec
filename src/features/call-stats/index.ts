export { StatsCollector } from './collect.ts';
export { htmlReport } from './html-report.ts';
export type { CallStats } from './stats.ts';
export { statsRows, type StatsRow } from './rows.ts';
export { textReport } from './text-report.ts';
