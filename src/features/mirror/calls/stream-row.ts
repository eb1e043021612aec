import { earliestData } from '../../../contract/limits.ts';
import type { CallStream, CopiedCalls } from '../../../store/call-store.ts';

/** The position of a scope as columns, the same on both stores. The sync token is stored separately. */
export interface StreamRow {
  readonly owner: string | null;
  readonly date_from: string;
  readonly complete_to: string | null;
  readonly pending_from: string | null;
  readonly pending_to: string | null;
  readonly pending_target: string | null;
  readonly synced_at: string | null;
}

/** Returns the columns of a position. */
export function rowOfStream({ owner, dateFrom, completeTo, pending, syncedAt }: CallStream): StreamRow {
  return {
    owner: owner ?? null,
    date_from: new Date(dateFrom).toISOString(),
    complete_to: iso(completeTo),
    pending_from: iso(pending?.from),
    pending_to: iso(pending?.to),
    pending_target: iso(pending?.target),
    synced_at: syncedAt ?? null,
  };
}

/** Returns the position that the columns contain. */
export function streamOfRow(row: StreamRow, syncToken: string | undefined): CallStream {
  const [from, to, target] = [row.pending_from, row.pending_to, row.pending_target].map(moment);
  return {
    owner: row.owner ?? undefined,
    dateFrom: Date.parse(row.date_from),
    completeTo: moment(row.complete_to),
    pending:
      from === undefined || to === undefined || target === undefined ? undefined : { from, to, target },
    syncedAt: row.synced_at ?? undefined,
    syncToken,
  };
}

/** Columns of a scope and the number of its calls, the same on both stores. */
export interface CopiedCallsRow extends Pick<StreamRow, 'date_from' | 'synced_at'> {
  readonly scope: string;
  readonly calls: number;
}

/** Reads the columns of `CopiedCallsRow`. The statement is valid on both stores. */
export const copiedCallsSql = `SELECT scope, date_from, synced_at,
    (SELECT count(*) FROM call_record WHERE call_record.scope = call_stream.scope) AS calls
  FROM call_stream ORDER BY scope`;

/** Returns the copied calls of a scope. */
export function copiedCallsOf(
  { scope, calls, date_from, synced_at }: CopiedCallsRow,
  now: number,
): CopiedCalls {
  const isAll = Date.parse(date_from) === earliestData;
  const syncedAt = moment(synced_at);
  return {
    scope,
    calls,
    dateFrom: isAll ? null : date_from,
    syncTime: synced_at,
    lagSeconds: syncedAt === undefined ? null : Math.max(0, Math.round((now - syncedAt) / 1000)),
  };
}

function moment(text: string | null): number | undefined {
  return text === null ? undefined : Date.parse(text);
}

function iso(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
