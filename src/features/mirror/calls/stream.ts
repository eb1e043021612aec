import type { Database } from '../../../platform/sqlite.ts';
import type { CallStream } from '../../../store/call-store.ts';
import { hasTokens } from './schema.ts';
import { insertRow } from '../../../platform/named-statement.ts';
import { rowOfStream, type StreamRow, streamOfRow } from './stream-row.ts';

/** Reads the position of a scope. @returns undefined for a scope that was never copied. */
export function readStream(db: Database, scope: string): CallStream | undefined {
  const row = db.prepare('SELECT * FROM call_stream WHERE scope = ?').get(scope) as StreamRow | undefined;
  return row && streamOfRow(row, readToken(db, scope));
}

/** Replaces the position of a scope, within the transaction of the caller. */
export function saveStream(db: Database, scope: string, stream: CallStream): void {
  const { syncToken } = stream;
  insertRow(db, 'call_stream', { scope, ...rowOfStream(stream) }, 'REPLACE');
  if (syncToken === undefined) db.prepare('DELETE FROM call_sync_token WHERE scope = ?').run(scope);
  else insertRow(db, 'call_sync_token', { scope, token: syncToken }, 'REPLACE');
}

function readToken(db: Database, scope: string): string | undefined {
  if (!hasTokens(db)) return undefined;
  const row = db.prepare('SELECT token FROM call_sync_token WHERE scope = ?').get(scope);
  return (row as { readonly token: string } | undefined)?.token;
}
