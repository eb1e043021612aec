import { prepareNamed, type SqlValues } from '../../platform/named-statement.ts';
import type { Database } from '../../platform/sqlite.ts';

/**
 * The status of one item of a run. An item stays `sent` only if the run was interrupted before it recorded the reply.
 */
export type ItemStatus = 'planned' | 'sent' | 'ok' | 'failed' | 'unknown';

export interface RunHead {
  readonly id: string;
  /** The kind of run, such as `queue.assign`. It determines which commands resume and undo the run. */
  readonly kind: string;
  /** Short description of the run for people. */
  readonly title: string;
  readonly baseUrl: string;
  /** Start of the run in milliseconds since 1970. */
  readonly started: number;
  readonly ended: number | undefined;
  /** State of the run. An `abandoned` run cannot be resumed: it was replaced by another run, never started, or was an undo without effect. */
  readonly state: 'open' | 'done' | 'undone' | 'abandoned';
}

/** A run in a list, with the number of items in each status. */
export interface RunSummary extends RunHead {
  readonly counts: Readonly<Record<ItemStatus, number>>;
  /** Number of changes with status `ok` that an earlier run had made, such as texts with the same dedupe key. */
  readonly earlier: number;
}

/** Which runs of the journal are listed. */
export interface RunFilter {
  readonly kind?: string;
  readonly isOpen?: boolean;
  /** IDs of the runs. */
  readonly ids?: readonly string[];
  /** Milliseconds since 1970 after which the runs were started. */
  readonly startedAfter?: number;
  /** Maximum number of runs. */
  readonly limit?: number | undefined;
}

/** A row of the table `run`, in which SQL NULL is null. */
type RunRow = Omit<RunHead, 'ended'> & { readonly ended: number | null };

/** The order of runs, newest first. */
const newestFirst = 'ORDER BY started DESC, rowid DESC';

/** Returns the condition of SQL for the runs of a filter, with its values. */
export function conditionOf({ kind, isOpen, ids, startedAfter, limit }: RunFilter): {
  readonly condition: string;
  readonly values: SqlValues;
} {
  const among = ids === undefined ? '' : ' AND id IN (SELECT value FROM json_each(:ids))';
  const all = `(:kind IS NULL OR kind = :kind) AND (:isOpen IS NULL OR (state = 'open') = :isOpen)
    AND (:startedAfter IS NULL OR started > :startedAfter)${among}`;
  return {
    condition:
      limit === undefined ? all : `rowid IN (SELECT rowid FROM run WHERE ${all} ${newestFirst} LIMIT :limit)`,
    values: {
      kind: kind ?? null,
      isOpen: isOpen === undefined ? null : Number(isOpen),
      startedAfter: startedAfter ?? null,
      ...(ids && { ids: JSON.stringify(ids) }),
      ...(limit !== undefined && { limit }),
    },
  };
}

/** Returns the runs that meet a condition of SQL, newest first. */
export function headsOf(db: Database, condition: string, values: SqlValues = {}): readonly RunHead[] {
  return prepareNamed<RunRow>(
    db,
    `SELECT id, kind, title, baseUrl, started, ended, state FROM run WHERE ${condition} ${newestFirst}`,
  )
    .all(values)
    .map((row) => headOf(row));
}

/** Like `headsOf`, with the numbers of items. Counts only the items of these runs. */
export function summariesOf(db: Database, condition: string, values: SqlValues = {}): readonly RunSummary[] {
  const heads = headsOf(db, condition, values);
  if (heads.length === 0) return [];
  const counts = new Map<string, Record<ItemStatus, number>>();
  const earlier = new Map<string, number>();
  const rows = prepareNamed<{
    readonly run: string;
    readonly status: ItemStatus;
    readonly n: number;
    readonly duplicates: number;
  }>(
    db,
    `SELECT run, status, count(*) AS n, sum(coalesce(code, '') = 'duplicate') AS duplicates
     FROM item WHERE run IN (SELECT id FROM run WHERE ${condition}) GROUP BY run, status`,
  ).all(values);
  for (const { run, status, n, duplicates } of rows) {
    if (status === 'ok') earlier.set(run, duplicates);
    const entry = counts.get(run) ?? noCounts();
    entry[status] = n;
    counts.set(run, entry);
  }
  return heads.map((head) =>
    Object.assign({}, head, {
      counts: counts.get(head.id) ?? noCounts(),
      earlier: earlier.get(head.id) ?? 0,
    }),
  );
}

function headOf({ id, kind, title, baseUrl, started, ended, state }: RunRow): RunHead {
  return { id, kind, title, baseUrl, started, ended: ended ?? undefined, state };
}

function noCounts(): Record<ItemStatus, number> {
  return { planned: 0, sent: 0, ok: 0, failed: 0, unknown: 0 };
}

/** Returns the number of items in each status. */
export function countItems(
  items: readonly { readonly status: ItemStatus }[],
): Readonly<Record<ItemStatus, number>> {
  const counts = noCounts();
  for (const { status } of items) counts[status] += 1;
  return counts;
}
