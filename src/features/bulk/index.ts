export { readBinaryFile, readListFile, readTextFile } from './read-file.ts';
export { announceTime } from './announce.ts';
export { carryOut, tellIdle, type RunOptions } from './carry-out.ts';
export { resumeRun } from './resume.ts';
export { runBulk, type BulkWork } from './engine.ts';
export { Journal, type JournalItem, type RunSummary } from './journal.ts';
export { readShare } from './limits.ts';
export { estimateSeconds } from './pace.ts';
export { atPlace, inFileOrder, listError, type Place } from './place.ts';
export { progressText } from './progress.ts';
export {
  findResumable,
  findRun,
  requireSameService,
  serviceOf,
  withJournal,
  withRunJournal,
} from './run-journal.ts';
export { standingOf, type Standing } from './standing.ts';
export { mayLeaveOut, refusedText, type RefusedRow } from './refused.ts';
export { earlierResult, resultsCsv, type RowResult, type RunInput } from './results.ts';
export { readMap, type TableField } from './table-header.ts';
export { readTable, type TableRow } from './table.ts';
export { withholdAll } from './withhold.ts';
