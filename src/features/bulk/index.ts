export { isQuickAnswer, parsePlan, unreadableVersion, type PlanNoun } from './saved-plan.ts';
export { decodeText, encodingNote } from './encoding.ts';
export { nameOf } from './input-name.ts';
export { readBinaryFile, readListFile, readListText, readTextFile } from './read-file.ts';
export { maySkipRows, rejectList, writeErrorsFile, type InvalidRowOptions } from './errors-file.ts';
export { columnFor, headingGroups, isHeading } from './headings.ts';
export type { ListContent } from './rows.ts';
export { isYamlList } from './yaml-list.ts';
export { announceTime } from './announce.ts';
export { executeRun, reportEmptyRun, type RunOptions, type RunRequest } from './execute-run.ts';
export { readDetail, type RunDetail } from './run-detail.ts';
export { resumeRun, type JournalledRun } from './resume.ts';
export type { BulkEnd, BulkWork } from './bulk-work.ts';
export { runBulk } from './engine.ts';
export { classifyError, receiptOfError } from './error-class.ts';
export { Journal, type JournalItem, type NewItem, type Receipt } from './journal.ts';
export type { RunSummary } from './run-summaries.ts';
export { areTexts, isShareLimit, readShare } from './limits.ts';
export {
  addCounts,
  estimatePhases,
  estimateSeconds,
  phasesText,
  type RequestCounts,
  type RequestPhases,
} from './pace.ts';
export {
  cellPlace,
  inFileOrder,
  problemLines,
  furtherText,
  problemForPeople,
  problemText,
  type CellPlace,
  type ListProblem,
  type Place,
} from './place.ts';
export { progressText } from './progress.ts';
export {
  findResumable,
  findRun,
  newestRun,
  readBefore,
  requireSameService,
  runOrigin,
  runsOf,
  serviceOf,
  warningOfInterrupt,
  withJournal,
  withRunJournal,
  withStepsOfRun,
} from './run-journal.ts';
export {
  maySkip,
  skippedLine,
  skippedLines,
  skippedProblems,
  skippedText,
  type SkippedRow,
} from './skipped-rows.ts';
export { noteOpenRuns } from './open-runs.ts';
export {
  earlierResult,
  isRunInput,
  itemResult,
  skippedOutcome,
  unsentResult,
  type ResultRows,
  type RowOutcome,
  type RowResult,
  type RunInput,
} from './results.ts';
export { columnsOf, readMap, type TableField } from './table-header.ts';
export { columnsOfList, readTable, type TableRow } from './table.ts';
export { sendDryRun, showNoRequests, skippedError } from './dry-run.ts';
export { unreadColumns, unreadText } from './unread-columns.ts';
