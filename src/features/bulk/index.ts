export { readBinaryFile, readListFile, readTextFile } from './read-file.ts';
export { announceTime } from './announce.ts';
export { executeRun, reportIdleRun, type RunDetail, type RunOptions } from './execute-run.ts';
export { resumeRun, type JournalledRun } from './resume.ts';
export { runBulk, type BulkWork } from './engine.ts';
export { Journal, type JournalItem, type RunSummary } from './journal.ts';
export { readShare } from './limits.ts';
export { estimateSeconds } from './pace.ts';
export {
  cellPlace,
  inFileOrder,
  listError,
  problemLines,
  problemText,
  type CellPlace,
  type ListProblem,
  type Place,
} from './place.ts';
export { progressText } from './progress.ts';
export {
  findRun,
  requireSameService,
  runOrigin,
  runsOf,
  serviceOf,
  withJournal,
  withRunJournal,
} from './run-journal.ts';
export { standingOf, type Standing } from './standing.ts';
export { mayLeaveOut, refusedLine, refusedLines, refusedText, type RefusedRow } from './refused.ts';
export { noteOpenRuns } from './open-runs.ts';
export {
  earlierResult,
  itemResult,
  resultsCsv,
  unsentResult,
  type ResultRows,
  type RowOutcome,
  type RowResult,
  type RunInput,
} from './results.ts';
export { readMap, type TableField } from './table-header.ts';
export { hasColumn, readTable, type TableRow } from './table.ts';
export { withholdAll } from './withhold.ts';
