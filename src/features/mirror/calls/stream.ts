import type { Database } from '../../../platform/sqlite.ts';
import type { CallStream } from '../../../store/call-store.ts';
import { insertRow } from '../../../platform/named-statement.ts';

interface StreamRow {
  readonly owner: string | null;
  readonly date_from: string;
  readonly complete_to: string | null;
  readonly pending_from: string | null;
  readonly pending_to: string | null;
  readonly pending_target: string | null;
  readonly synced_at: string | null;
}

/** Reads the position of a scope. @returns undefined for a scope that was never copied. */
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

/** Replaces the position of a scope, within the transaction of the caller. */
export function saveStream(db: Database, scope: string, stream: CallStream): void {
  const { owner, dateFrom, completeTo, pending, syncedAt } = stream;
  const row: StreamRow = {
    owner: owner ?? null,
    date_from: new Date(dateFrom).toISOString(),
    complete_to: iso(completeTo),
    pending_from: iso(pending?.from),
    pending_to: iso(pending?.to),
    pending_target: iso(pending?.target),
    synced_at: syncedAt ?? null,
  };
  insertRow(db, 'call_stream', { scope, ...row }, 'REPLACE');
}

function moment(text: string | null): number | undefined {
  return text === null ? undefined : Date.parse(text);
}

function iso(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
