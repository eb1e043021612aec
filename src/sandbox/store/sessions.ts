import type { Database } from '../../platform/sqlite.ts';
import { prepare } from './sql.ts';

export interface SessionRow {
  readonly id: number;
  readonly clientId: string;
  readonly extensionId: number;
  readonly endpointId: string | null;
  readonly createdAt: number;
}
export interface TokenRow extends SessionRow {
  readonly token: string;
  readonly kind: 'access' | 'refresh';
  readonly expiresAt: number;
  readonly usedAt: number | null;
  /** Refresh token that took its place. */
  readonly successor: string | null;
}

/** Sessions and their tokens. A session ends with all its tokens. */
export class SessionStore {
  readonly #open;
  readonly #ofUser;
  readonly #end;
  readonly #addToken;
  readonly #find;
  readonly #use;
  readonly #dropAccess;
  readonly #all;

  constructor(db: Database) {
    this.#open = prepare(
      db,
      'INSERT INTO session (clientId, extensionId, endpointId, createdAt) VALUES (?, ?, ?, ?)',
    );
    this.#ofUser = prepare<{ id: number }>(
      db,
      'SELECT id FROM session WHERE extensionId = ? AND clientId = ? ORDER BY id DESC',
    );
    this.#end = prepare(db, 'DELETE FROM session WHERE id = ?');
    this.#addToken = prepare(db, 'INSERT INTO token (token, kind, sessionId, expiresAt) VALUES (?, ?, ?, ?)');
    this.#find = prepare<TokenRow>(
      db,
      'SELECT token, kind, expiresAt, usedAt, successor, session.* FROM token JOIN session ON session.id = sessionId WHERE token = ?',
    );
    this.#use = prepare(db, 'UPDATE token SET usedAt = ?, successor = ? WHERE token = ?');
    this.#dropAccess = prepare(db, "DELETE FROM token WHERE sessionId = ? AND kind = 'access'");
    this.#all = prepare<SessionRow>(db, 'SELECT * FROM session ORDER BY id');
  }

  open(session: Omit<SessionRow, 'id'>): number {
    return this.#open.run(session.clientId, session.extensionId, session.endpointId, session.createdAt).id;
  }

  /** Ends all but the newest `keep` sessions of a user with an app. */
  endOldest(extensionId: number, clientId: string, keep: number): void {
    for (const { id } of this.#ofUser.all(extensionId, clientId).slice(keep)) this.end(id);
  }

  end(sessionId: number): void {
    this.#end.run(sessionId);
  }

  addToken(token: string, kind: 'access' | 'refresh', sessionId: number, expiresAt: number): void {
    this.#addToken.run(token, kind, sessionId, expiresAt);
  }

  find(token: string): TokenRow | undefined {
    return this.#find.get(token);
  }

  markUsed(refreshToken: string, time: number, successor: string | null): void {
    this.#use.run(time, successor, refreshToken);
  }

  dropAccessTokens(sessionId: number): void {
    this.#dropAccess.run(sessionId);
  }

  all(): readonly SessionRow[] {
    return this.#all.all();
  }
}
