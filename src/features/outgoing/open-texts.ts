import { runsOf, type Journal, type JournalItem, type RunSummary } from '../bulk/index.ts';
import type { Context } from '../../runtime/context.ts';
import { textRunKind, type TextPayload, type TextRunDetail } from './text-run.ts';

/** A run that holds some of the texts of a list. */
export interface TextsInRun {
  readonly run: RunSummary;
  /** How many texts of the list it holds: same number, same text. */
  readonly count: number;
  /** It is open; another command sent them meanwhile; or it is finished and their outcome is unknown. */
  readonly why: 'open' | 'meanwhile' | 'unknown';
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
  /** Whether nobody has found out since what became of a text that the journal calls unknown. */
  isUnsettled(item: JournalItem<TextPayload>, run: RunSummary): boolean;
}

/**
 * The runs of this profile that hold one of these texts, newest first: the open ones, what was started meanwhile, and finished ones that do not
 * know whether they sent it. What a later run sent again knowingly counts there alone.
 */
export function runsWithTexts(
  ctx: Pick<Context, 'settings'>,
  journal: Journal,
  wanted: NewTexts,
): readonly TextsInRun[] {
  const { texts, since, alsoRuns = [], dedupeKey } = wanted;
  const keys = new Set(texts.map(textKey));
  const counting = new Set([...journal.listSince(since).map(({ id }) => id), ...alsoRuns]);
  const runs = runsOf(ctx, journal, textRunKind, () => true);
  const oldest = runs.findLastIndex((run) => reasonOf(run, counting) !== undefined);
  const later = new Set<string>();
  return runs.slice(0, oldest + 1).flatMap((run): readonly TextsInRun[] => {
    const items = journal.items<TextPayload>(run.id).filter(({ payload }) => keys.has(textKey(payload)));
    const own = items.filter(({ payload }) => !later.has(textKey(payload)));
    for (const { payload } of items) later.add(textKey(payload));
    const why = reasonOf(run, counting);
    const detail = journal.detail(run.id) as TextRunDetail;
    if (why === undefined || (dedupeKey !== undefined && detail.dedupeKey === dedupeKey)) return [];
    const held =
      why === 'unknown'
        ? own.filter((item) => item.status === 'unknown' && wanted.isUnsettled(item, run))
        : items;
    return held.length > 0 ? [{ run, count: held.length, why }] : [];
  });
}

/** Why the texts of a run may not be sent again; undefined when they may. */
function reasonOf(
  { id, state, counts }: RunSummary,
  counting: ReadonlySet<string>,
): TextsInRun['why'] | undefined {
  if (state === 'open') return 'open';
  if (counting.has(id)) return 'meanwhile';
  return state === 'done' && counts.unknown > 0 ? 'unknown' : undefined;
}

/** What makes two texts the same for the person who gets them. */
function textKey({ to, text }: Pick<TextPayload, 'to' | 'text'>): string {
  return JSON.stringify([to, text]);
}
