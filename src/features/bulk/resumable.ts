import { CommandError, Exit } from '../../runtime/errors.ts';
import type { RunHead } from './journal.ts';

/** @throws {CommandError} `run_undone` (exit 11) for a run that was taken back: its journal tells of changes that are no longer there. */
export function requireStanding(run: Pick<RunHead, 'id' | 'state'>): void {
  if (run.state !== 'undone') return;
  throw new CommandError('run_undone', Exit.conflict, `the run ${run.id} was taken back`, {
    hint: 'nothing was sent; to make its changes again, run the command with the list again',
  });
}
