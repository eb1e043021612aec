import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { madeWord } from '../../runtime/made-words.ts';
import type { JournalItem } from './journal.ts';
import type { RunUnit } from './run-error.ts';
import type { ItemStatus } from './run-summaries.ts';

interface EndParts<P> {
  readonly ctx: Pick<Context, 'out'>;
  /** Returns where changes were made, such as ` in 3 queues`. */
  readonly placeOf?: ((made: readonly JournalItem<P>[]) => string) | undefined;
}

/** Notes the number of changes of a run that has no remaining changes. */
export function noteTotal<P>(
  { ctx, placeOf }: EndParts<P>,
  items: readonly JournalItem<P>[],
  { ok, failed, unknown, planned, sent }: Readonly<Record<ItemStatus, number>>,
): void {
  if (items.length < 2 || ok === 0 || planned + sent > 0) return;
  const made = items.filter(({ status }) => status === 'ok');
  const words = made.map(({ action }) => madeWord(action) ?? 'made');
  const parts = [...new Set(words)].map(
    (word) => `${words.filter((other) => other === word).length.toLocaleString('en-US')} ${word}`,
  );
  ctx.out.note(
    `${parts.join(', ')}${placeOf?.(made) ?? ''}, ${failed} failed${unknown > 0 ? `, ${unknown} unknown` : ''}.`,
  );
}

/** Describes an interrupted run, such as `interrupted: 32 of 149 changes made, 117 left`. */
export function interruptText(counts: Readonly<Record<ItemStatus, number>>, { noun, done }: RunUnit): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const others = (['failed', 'unknown'] as const).flatMap((status) =>
    counts[status] > 0 ? [`${counts[status]} ${status}`] : [],
  );
  const parts = [`${counts.ok} of ${counted(total, noun)} ${done}`, ...others];
  return `interrupted: ${[...parts, `${counts.planned + counts.sent} left`].join(', ')}`;
}
