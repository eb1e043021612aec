import { runsOf, type Journal, type JournalItem, type RunSummary, readDetail } from '../bulk/index.ts';
import type { Context } from '../../runtime/context.ts';
import { dedupeKeyMilliseconds } from '../../runtime/outgoing-options.ts';
import { contentDigest, textRunKind, type TextPayload, type TextRunDetail } from './text-run.ts';

/** A run that contains some of the texts of a list. */
export interface TextsInRun {
  readonly run: RunSummary;
  /** Number of texts of the list, with the same number and text, that the run contains. */
  readonly count: number;
  /**
   * Why the run is in the list: it is open, another command has just created it, or it is finished and the outcome of
   * these texts is unknown.
   */
  readonly why: 'open' | 'meanwhile' | 'unknown';
}

/** The outcome of a text according to the outcome journal. */
export type TextOutcome = 'unknown' | 'sent' | 'not-sent';

/** The texts of a new run, and the criteria for earlier runs. */
export interface NewTexts {
  readonly texts: readonly Pick<TextPayload, 'to' | 'text'>[];
  /** Finished runs that were created after this moment also count, because the earlier check could not find them. */
  readonly since: number;
  /** IDs of runs that count even if they are finished. */
  readonly alsoRuns?: readonly string[];
  /** Runs with this key that are less than 24 hours old do not count, because the key prevents a second send for that time. */
  readonly dedupeKey: string | undefined;
  /**
   * Looks up a text that has an unknown outcome in the run journal: its outcome may have been resolved since. Returns
   * undefined if its record is too old to be stored.
   */
  outcomeOf(item: JournalItem<TextPayload>, run: RunSummary): TextOutcome | undefined;
}

/**
 * Returns the runs of this profile that contain one of these texts, newest first. Includes open runs, runs that were
 * created after `wanted.since`, and finished runs with an unknown outcome. If a later run deliberately sent a text
 * again, the text counts only for that run.
 */
export function runsWithTexts(
  ctx: Pick<Context, 'settings' | 'now'>,
  journal: Journal,
  wanted: NewTexts,
): readonly TextsInRun[] {
  const { texts, since, alsoRuns = [], dedupeKey } = wanted;
  const keyedSince = ctx.now() - dedupeKeyMilliseconds;
  const digests = new Set(texts.map(contentDigest));
  const counting = new Set([...journal.listSince(since).map(({ id }) => id), ...alsoRuns]);
  const ids = journal.runsWithContent(textRunKind, [...digests]);
  const runs = runsOf(ctx, journal, { kind: textRunKind, ids });
  const oldest = runs.findLastIndex((run) => reasonOf(run, counting) !== undefined);
  const isSameKey = ({ started }: RunSummary, detail: TextRunDetail): boolean =>
    dedupeKey !== undefined && detail.dedupeKey === dedupeKey && started > keyedSince;
  const later = new Set<string>();
  return runs.slice(0, oldest + 1).flatMap((run): readonly TextsInRun[] => {
    const items = journal
      .items<TextPayload>(run.id)
      .map((item) => ({ item, digest: contentDigest(item.payload) }))
      .filter(({ digest }) => digests.has(digest));
    const own = items.filter(({ digest }) => !later.has(digest));
    for (const { item, digest } of items) if (wasSent.has(item.status)) later.add(digest);
    const why = reasonOf(run, counting);
    const detail = readDetail(journal, run.id) as TextRunDetail;
    if (why === undefined || isSameKey(run, detail)) return [];
    const found =
      why === 'unknown'
        ? own.filter(({ item }) => item.status === 'unknown' && wanted.outcomeOf(item, run) === 'unknown')
        : items;
    return found.length > 0 ? [{ run, count: found.length, why }] : [];
  });
}

/** The statuses of texts that were sent or may have been sent. */
const wasSent: ReadonlySet<JournalItem<unknown>['status']> = new Set(['ok', 'sent', 'unknown']);

/** Returns the reason why the texts of a run must not be sent again; undefined if they may be sent again. */
function reasonOf(
  { id, state, counts }: RunSummary,
  counting: ReadonlySet<string>,
): TextsInRun['why'] | undefined {
  if (state === 'open') return 'open';
  if (counting.has(id)) return 'meanwhile';
  return state === 'done' && counts.unknown > 0 ? 'unknown' : undefined;
}

/** A finished run that has already sent some of the texts of a list. */
export interface SentInRun {
  readonly run: RunSummary;
  /** Number of texts of the list, with the same number and text, that the run has sent. */
  readonly count: number;
}

/**
 * Returns the finished runs of the last 24 hours that sent some of these texts, newest first. Texts that a run with the
 * same dedupe key sent do not count, because the key prevents a second send.
 */
export function runsThatSent(
  ctx: Pick<Context, 'settings' | 'now'>,
  journal: Journal,
  { texts, dedupeKey, outcomeOf }: Pick<NewTexts, 'texts' | 'dedupeKey' | 'outcomeOf'>,
): readonly SentInRun[] {
  const startedAfter = ctx.now() - dedupeKeyMilliseconds;
  const runs = runsOf(ctx, journal, { kind: textRunKind, startedAfter });
  const digests = new Set(texts.map(contentDigest));
  const sent = journal.sentContents(
    runs.map(({ id }) => id),
    [...digests],
  );
  const hasKey = ({ id }: RunSummary): boolean =>
    dedupeKey !== undefined && (readDetail(journal, id) as TextRunDetail).dedupeKey === dedupeKey;
  const withKey = new Set(runs.filter(hasKey));
  for (const run of withKey) {
    const prevented = openContents(journal, run, digests, (item) => outcomeOf(item, run) !== 'not-sent');
    for (const digest of [...(sent.get(run.id) ?? []), ...prevented]) digests.delete(digest);
  }
  return runs.flatMap((run) => {
    if (run.state === 'open' || withKey.has(run)) return [];
    const resolved = openContents(journal, run, digests, (item) => outcomeOf(item, run) === 'sent');
    const contents = new Set([...(sent.get(run.id) ?? []), ...resolved]);
    const count = [...contents].filter((digest) => digests.has(digest)).length;
    return count > 0 ? [{ run, count }] : [];
  });
}

/** Returns which of these digests belong to texts of a run that have no outcome in the run journal, but may have been sent. */
function openContents(
  journal: Journal,
  run: RunSummary,
  digests: ReadonlySet<string>,
  isIncluded: (item: JournalItem<TextPayload>) => boolean,
): readonly string[] {
  if (run.counts.unknown + run.counts.sent === 0) return [];
  const open = journal
    .items<TextPayload>(run.id)
    .filter(({ status }) => status === 'unknown' || status === 'sent');
  return open.flatMap((item) => {
    const digest = contentDigest(item.payload);
    // Each lookup of an outcome reads the outcome journal.
    return digests.has(digest) && isIncluded(item) ? [digest] : [];
  });
}
