import { CommandError, messageOf } from '../../errors/command.ts';
import { mayBeMade } from '../../runtime/confirmed-change.ts';
import type { Context } from '../../runtime/context.ts';
import { Journal, runOrigin, serviceOf } from '../bulk/index.ts';
import { presenceKind, type PresencePayload, type PresenceRunDetail } from './run.ts';

/** A change of one person that a command makes without a run. */
export interface SingleChange {
  /** The object of the change, as text for people. */
  readonly subject: string;
  readonly payload: Omit<PresencePayload, 'row'>;
}

/**
 * Records a change as a finished run of one change, so that `history undo last` undoes this change and not an older run.
 * @param status `unknown` if the change, or a part of it, may have been made
 */
function recordChange(ctx: Context, { subject, payload }: SingleChange, status: 'ok' | 'unknown'): void {
  if (Object.keys(payload.update).length + (payload.queues?.length ?? 0) === 0) return;
  const detail: PresenceRunDetail = { input: { headings: ['extension'], rows: [] }, ...runOrigin(ctx, {}) };
  try {
    const journal = Journal.open(ctx.paths.state, () => ctx.now(), ctx.sentSecrets);
    try {
      const run = journal.create<PresencePayload>({
        kind: presenceKind,
        title: `change the presence of ${subject}`,
        baseUrl: serviceOf(ctx),
        now: ctx.now(),
        detail,
        items: [{ action: 'set', subject, payload: { ...payload, row: undefined } }],
      });
      journal.markSent(run, [0]);
      journal.mark(run, [0], status);
      journal.finish(run, 'done');
      ctx.onRun(run);
    } finally {
      journal.close();
    }
  } catch (error) {
    // The change is made, so the command must not fail.
    ctx.out.warn(`the change was not recorded, so history undo cannot undo it: ${messageOf(error)}`);
  }
}

/**
 * Makes a change and records it, also if its outcome is unknown.
 * @param make calls `onPart` if it fails after a part of the change
 * @throws the error of the change
 */
export async function recordedChange<T>(
  ctx: Context,
  change: SingleChange,
  make: (onPart: () => void) => Promise<T>,
): Promise<T> {
  let made: T;
  let isPart = false;
  const onPart = (): void => {
    isPart = true;
  };
  try {
    made = await make(onPart);
  } catch (error) {
    if (isPart || mayHaveChanged(error)) recordChange(ctx, change, 'unknown');
    throw error;
  }
  recordChange(ctx, change, 'ok');
  return made;
}

/** Whether a change that failed with this error may have been made, at least in part. */
function mayHaveChanged(error: unknown): boolean {
  if (!(error instanceof CommandError)) return mayBeMade(error);
  return error.code === 'outcome_unknown' || error.code === 'not_in_effect';
}
