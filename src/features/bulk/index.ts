export {
  runBulk,
  type BulkEnd,
  type BulkLimits,
  type BulkProgress,
  type BulkSettings,
  type BulkWork,
} from './engine.ts';
export {
  countItems,
  Journal,
  type ItemStatus,
  type JournalItem,
  type RunHead,
  type RunSummary,
  type Verdict,
} from './journal.ts';
export { verdictOf } from './judge.ts';
export { readShare } from './limits.ts';
export { withRunLock } from './lock.ts';
export { estimateSeconds, estimateText, type RequestCounts } from './pace.ts';
export { atPlace, type Place } from './place.ts';
export { progressText } from './progress.ts';
export { resultsCsv, type RowResult, type RunInput } from './results.ts';
export { readMap, type TableField } from './table-header.ts';
export { readTable, type Table, type TableRow } from './table.ts';
export { endingError } from './ending.ts';
