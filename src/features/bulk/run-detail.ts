import type { Journal } from './journal.ts';
import type { RunInput } from './results.ts';
import type { SkippedRow } from './skipped-rows.ts';

/** The data that the journal records of every run besides its items. */
export interface RunDetail {
  readonly input: RunInput;
  /** Rows of the list that the run skips. Absent in a run of an older version. */
  readonly skipped?: readonly SkippedRow[];
  /** Absolute path of the results file, which resuming updates. */
  readonly results?: string;
  /** The profile that started the run. Absent in a run of an older version. */
  readonly profile?: string;
  /** ID of the first run of the same apply. Absent in the first run, and if a command makes only one run. */
  readonly partOf?: string;
  /** ID of the run that this run undoes. Absent in an undo of presences of an older version. */
  readonly undoes?: string;
  /** Whether this run undoes only a part of the other run. */
  readonly undoesPart?: boolean;
}

/** A detail in the form of versions up to commit 561231b0. */
type StoredDetail = RunDetail & { readonly refused?: RunDetail['skipped'] };

/** Returns the detail of a run, including a run that an older version recorded. */
export function readDetail(journal: Journal, run: string): RunDetail {
  const { refused, ...detail } = journal.detail(run) as StoredDetail;
  return refused === undefined ? detail : { skipped: refused, ...detail };
}
