import type { Client } from '../../client/index.ts';
import type { BulkEnd, Journal, RunRequest, RunSummary } from '../../features/bulk/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { CommandText } from '../../errors/hint.ts';

/** How an undo is executed; the plan adds the work of its kind of change. */
type UndoRequest = Omit<RunRequest<unknown>, 'work' | 'rows'>;

/** The undo of a run: its changes, conflicts, and the functions that execute it. */
export interface UndoPlan {
  /** The changes of the undo, as texts. */
  readonly changes: readonly string[];
  /** The changes of others since the run, as texts. */
  readonly changedSince: readonly string[];
  /** The changes that would remove a protected agent, as texts. If there is any, nothing is undone. */
  readonly blocked: readonly string[];
  /** Makes the requests under `--dry-run`. @throws {DryRunStop} with all requests. */
  dryRun(maxItems: number): Promise<void>;
  /** Writes the undo into the journal and returns the id of its run. */
  journal(): string;
  /** Executes the run that `journal` wrote. @throws as `executeRun`. */
  execute(request: UndoRequest): Promise<BulkEnd>;
  /** The command that resumes the undo, without the run id. */
  readonly resume: CommandText;
  /** Number of changes in one request, if the user cannot choose it. */
  readonly maxItems?: number;
}

/** The run to undo. */
export interface UndoParts {
  readonly ctx: Context;
  readonly api: Client;
  readonly journal: Journal;
  readonly run: RunSummary;
}
