import type { Database } from '../../platform/sqlite.ts';

/** How far the log of one scope is copied. Times are milliseconds since 1970. */
export interface CallStream {
  /** Beginning of the account or extension path in the addresses of the records; undefined before the first record. */
  readonly owner: string | undefined;
  readonly dateFrom: number;
  /** Everything from `dateFrom` to here is copied; undefined before the first reading ended. */
  readonly completeTo: number | undefined;
  readonly pending: PendingReading | undefined;
  readonly syncedAt: string | undefined;
}

/** A reading on its way, latest calls first: what is later than `to` is copied; at its end everything up to `target` is. */
export interface PendingReading {
  readonly from: number;
  readonly to: number;
  readonly target: number;
}

interface StreamRow {
  readonly owner: string | null;
  readonly date_from: string;
  readonly complete_to: string | null;
  readonly pending_from: string | null;
  readonly pending_to: string | null;
  readonly pending_target: string | null;
  readonly synced_at: string | null;
}

/** @returns undefined for a scope that was never copied. */
export function readStream(db: Database, scope: string): CallStream | undefined {
  const row = db.prepare('SELECT * FROM call_stream WHERE scope = ?').get(scope) as StreamRow | undefined;
  if (!row) return undefined;
  const from = moment(row.pending_from);
  const to = moment(row.pending_to);
  const target = moment(row.pending_target);
  return {
    owner: row.owner ?? undefined,
    dateFrom: Date.parse(row.date_from),
    completeTo: moment(row.complete_to),
    pending:
      from === undefined || to === undefined || target === undefined ? undefined : { from, to, target },
    syncedAt: row.synced_at ?? undefined,
  };
}

/** Replaces what is known of a scope; part of the caller's transaction. */
export function saveStream(db: Database, scope: string, stream: CallStream): void {
  const { owner, dateFrom, completeTo, pending, syncedAt } = stream;
  db.prepare('INSERT OR REPLACE INTO call_stream VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
    scope,
    owner ?? null,
    new Date(dateFrom).toISOString(),
    iso(completeTo),
    iso(pending?.from),
    iso(pending?.to),
    iso(pending?.target),
    syncedAt ?? null,
  );
}

function moment(text: string | null): number | undefined {
  return text === null ? undefined : Date.parse(text);
}

function iso(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
