import type { Client } from '../../client/index.ts';
import type { BulkEnd, Journal, RunRequest, RunSummary } from '../../features/bulk/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { SelectedChanges } from './undo-selection.ts';
import type { CommandText } from '../../errors/hint.ts';

/** The parts of an undo that are the same for all kinds of changes. */
type UndoRequest = Omit<RunRequest<unknown>, 'work' | 'rows'>;

/** The undo of a run: its changes, conflicts, and the functions that execute it. */
export interface UndoPlan {
  /** Descriptions of the changes of the undo. */
  readonly changes: readonly string[];
  /** Descriptions of changes that were made after the run. */
  readonly changedSince: readonly string[];
  /** Descriptions of settings that the undo cannot restore. */
  readonly unrestored?: readonly string[];
  /** Descriptions of changes of protected entries, such as removals of agents. If there are any, nothing is undone. */
  readonly blocked: readonly string[];
  /** Returns the requests of the undo, not sent yet. */
  sends(maxItems: number): readonly (() => Promise<unknown>)[];
  /** Writes the undo into the journal and returns the ID of its run. @param partOf the first run of the same undo */
  journal(partOf?: string): string;
  /** Executes the run that `journal` wrote. @throws as `executeRun`. */
  execute(request: UndoRequest): Promise<BulkEnd>;
  /** The command that resumes the undo, without the run ID. */
  readonly resume: CommandText;
  /** Number of changes in one request, if the user cannot choose it. */
  readonly maxItems?: number;
}

/** The run to undo, and the inputs for planning the undo. */
export interface UndoParts {
  readonly ctx: Context;
  readonly api: Client;
  readonly journal: Journal;
  readonly run: RunSummary;
  /** The changes of the run, and which of them are undone. */
  readonly selected: SelectedChanges;
}

/** Returns what the journal records about an undo. */
export function undoDetail({ run, selected: { isPart } }: Pick<UndoParts, 'run' | 'selected'>): {
  readonly title: string;
  readonly undoes: string;
  readonly undoesPart: boolean;
} {
  return { title: `undo of ${isPart ? 'a part of ' : ''}${run.id}`, undoes: run.id, undoesPart: isPart };
}
