import { runsOf, type Journal, type RunSummary } from '../bulk/index.ts';
import type { Context } from '../../runtime/context.ts';
import { textRunKind, type TextPayload, type TextRunDetail } from './text-run.ts';

/** A run that holds some of the texts of a list. */
export interface TextsInRun {
  readonly run: RunSummary;
  /** How many texts of the list it holds: same number, same text. */
  readonly count: number;
}

/** Which texts a new run is about to send, and what it may ignore. */
export interface NewTexts {
  readonly texts: readonly Pick<TextPayload, 'to' | 'text'>[];
  /** Runs that were created after this moment count even when they are finished: nobody could have seen them. */
  readonly since: number;
  /** Ids of runs that count even when they are finished. */
  readonly alsoRuns?: readonly string[];
  /** Under the same key no text goes out twice, whichever run it is in. */
  readonly dedupeKey: string | undefined;
}

/** The runs of this profile that hold one of these texts: the open ones, and what was started meanwhile. Newest first. */
export function runsWithTexts(
  ctx: Pick<Context, 'settings'>,
  journal: Journal,
  { texts, since, alsoRuns = [], dedupeKey }: NewTexts,
): readonly TextsInRun[] {
  const keys = new Set(texts.map(textKey));
  const counting = new Set([...journal.listSince(since).map(({ id }) => id), ...alsoRuns]);
  const mayHold = ({ id, state }: RunSummary): boolean => state === 'open' || counting.has(id);
  return runsOf(ctx, journal, textRunKind, mayHold).flatMap((run): readonly TextsInRun[] => {
    const detail = journal.detail(run.id) as TextRunDetail;
    if (dedupeKey !== undefined && detail.dedupeKey === dedupeKey) return [];
    const items = journal.items<TextPayload>(run.id);
    const count = items.filter(({ payload }) => keys.has(textKey(payload))).length;
    return count > 0 ? [{ run, count }] : [];
  });
}

/** What makes two texts the same for the person who gets them. */
function textKey({ to, text }: Pick<TextPayload, 'to' | 'text'>): string {
  return JSON.stringify([to, text]);
}
