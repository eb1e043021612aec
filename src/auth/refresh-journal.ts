import { createHash } from 'node:crypto';
import type { Database } from '../platform/sqlite.ts';

/** A renewal that was begun and whose end is not known. */
export interface RefreshIntent {
  readonly startedAt: string;
  readonly pid: number;
}

/**
 * Rows beside the lock: which refresh token is being used, and which was refused. A refresh token is single use, so a process that dies between
 * the reply and the store leaves a session that only this can explain. Holds hashes, no tokens.
 */
export class RefreshJournal {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    db.exec(
      `CREATE TABLE IF NOT EXISTS intent (token TEXT PRIMARY KEY, started_at TEXT NOT NULL, pid INTEGER NOT NULL) STRICT;
       CREATE TABLE IF NOT EXISTS refused (token TEXT PRIMARY KEY, reason TEXT NOT NULL) STRICT;`,
    );
  }

  /** The unfinished attempt with this token, if there is one. */
  unfinished(refreshToken: string): RefreshIntent | undefined {
    const row = this.#db
      .prepare('SELECT started_at AS startedAt, pid FROM intent WHERE token = ?')
      .get(hash(refreshToken));
    return row as RefreshIntent | undefined;
  }

  begin(refreshToken: string, startedAt: string, pid: number): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO intent (token, started_at, pid) VALUES (?, ?, ?)')
      .run(hash(refreshToken), startedAt, pid);
  }

  /** The attempt was surely not processed. What an earlier one left open stays open. */
  unused(refreshToken: string, earlier: RefreshIntent | undefined): void {
    if (earlier) this.begin(refreshToken, earlier.startedAt, earlier.pid);
    else this.end(refreshToken);
  }

  /** The attempt ended: what it brought is stored. */
  end(refreshToken: string): void {
    this.#db.prepare('DELETE FROM intent WHERE token = ?').run(hash(refreshToken));
  }

  /** Why the service refused this token for good, if it did. */
  refusal(refreshToken: string): string | undefined {
    const row = this.#db.prepare('SELECT reason FROM refused WHERE token = ?').get(hash(refreshToken));
    return (row as { readonly reason: string } | undefined)?.reason;
  }

  refuse(refreshToken: string, reason: string): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO refused (token, reason) VALUES (?, ?)')
      .run(hash(refreshToken), reason);
    this.end(refreshToken);
  }

  /** Proves that rows can be kept here. @throws when they cannot. */
  prove(): void {
    this.begin('', '', 0);
    this.end('');
  }

  /** A new session has nothing to do with what went before. Rows that stay after all hurt nobody: they are of other tokens. */
  clear(): void {
    try {
      this.#db.exec('DELETE FROM intent; DELETE FROM refused;');
    } catch {
      // Where nothing can be written, the next renewal says so.
    }
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 16);
}
