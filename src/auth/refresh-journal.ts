import { createHash } from 'node:crypto';
import { insertRow } from '../platform/named-statement.ts';
import type { Database } from '../platform/sqlite.ts';

/** A renewal that was started and whose result is unknown. */
export interface RefreshIntent {
  readonly startedAt: string;
  readonly pid: number;
  /** The host of the process; undefined for this machine. */
  readonly machine?: string | undefined;
}

type Awaitable<T> = T | Promise<T>;

/** What a renewal records under the lock of the session. */
export interface RenewalJournal {
  /** Returns the unfinished renewal with this token, if there is one. */
  unfinished(refreshToken: string): Awaitable<RefreshIntent | undefined>;
  begin(refreshToken: string, startedAt: string, pid: number): Awaitable<void>;
  /** Records that the service did not process the request. An earlier unfinished renewal stays unfinished. */
  unused(refreshToken: string, earlier: RefreshIntent | undefined): Awaitable<void>;
  /** Records that the renewal is finished and its result is stored. */
  end(refreshToken: string): Awaitable<void>;
  /** Returns the reason for a permanent rejection of this token by the service; undefined if there was none. */
  rejection(refreshToken: string): Awaitable<string | undefined>;
  /** Records that the service rejected this token permanently. */
  reject(refreshToken: string, reason: string): Awaitable<void>;
  /** Checks that rows can be written. @throws if writing fails. */
  prove(): Awaitable<void>;
  /** Deletes the records of former sessions. */
  clear(): Awaitable<void>;
}

/**
 * Records in the lock database which refresh token is in use, and which refresh token was rejected. A refresh token is
 * single use: if a process ends between the reply and the storing of the new session, only this record explains why the
 * session is lost. The records contain hashes, not tokens.
 */
export class RefreshJournal implements RenewalJournal {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    db.exec(
      `CREATE TABLE IF NOT EXISTS intent (token TEXT PRIMARY KEY, started_at TEXT NOT NULL, pid INTEGER NOT NULL) STRICT;
       CREATE TABLE IF NOT EXISTS refused (token TEXT PRIMARY KEY, reason TEXT NOT NULL) STRICT;`,
    );
  }

  /** Returns the unfinished renewal with this token, if there is one. */
  unfinished(refreshToken: string): RefreshIntent | undefined {
    const row = this.#db
      .prepare('SELECT started_at AS startedAt, pid FROM intent WHERE token = ?')
      .get(tokenHash(refreshToken));
    return row as RefreshIntent | undefined;
  }

  begin(refreshToken: string, startedAt: string, pid: number): void {
    insertRow(this.#db, 'intent', { token: tokenHash(refreshToken), started_at: startedAt, pid }, 'REPLACE');
  }

  /** Records that the service did not process the request. An earlier unfinished renewal stays unfinished. */
  unused(refreshToken: string, earlier: RefreshIntent | undefined): void {
    if (earlier) this.begin(refreshToken, earlier.startedAt, earlier.pid);
    else this.end(refreshToken);
  }

  /** Records that the renewal is finished and its result is stored. */
  end(refreshToken: string): void {
    this.#db.prepare('DELETE FROM intent WHERE token = ?').run(tokenHash(refreshToken));
  }

  /** Returns the reason for a permanent rejection of this token by the service; undefined if there was none. */
  rejection(refreshToken: string): string | undefined {
    const row = this.#db.prepare('SELECT reason FROM refused WHERE token = ?').get(tokenHash(refreshToken));
    return (row as { readonly reason: string } | undefined)?.reason;
  }

  /** Records that the service rejected this token permanently. */
  reject(refreshToken: string, reason: string): void {
    insertRow(this.#db, 'refused', { token: tokenHash(refreshToken), reason }, 'REPLACE');
    this.end(refreshToken);
  }

  /** Checks that rows can be written. @throws if writing fails. */
  prove(): void {
    this.begin('', '', 0);
    this.end('');
  }

  /** Deletes the records of former sessions. Rows that remain are harmless, because they belong to other tokens. */
  clear(): void {
    try {
      this.#db.exec('DELETE FROM intent; DELETE FROM refused;');
    } catch {
      // A write failure is ignored here, because the next renewal reports it.
    }
  }
}

/** Identifies a refresh token without revealing it. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 16);
}
