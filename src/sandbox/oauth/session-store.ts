import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert, prepareCached } from '../world/sql.ts';

export interface SessionRow {
  readonly id: number;
  readonly clientId: string;
  readonly extensionId: number;
  readonly endpointId: string | null;
  readonly createdAt: number;
  /** A session of a user, or of an application without an account or for one account (OAUTH-30, OAUTH-32). */
  readonly kind: SessionKind;
}
export type SessionKind = 'user' | 'signup' | 'account';
export interface TokenRow extends SessionRow {
  readonly token: string;
  readonly tokenKind: 'access' | 'refresh';
  readonly expiresAt: number;
  readonly usedAt: number | null;
  /** The tokens for which a refresh token was exchanged. */
  readonly successor: string | null;
  readonly successorAccess: string | null;
}

/** Sessions and their tokens. Ending a session deletes its tokens. */
export class SessionStore {
  readonly #open;
  readonly #ofUser;
  readonly #has;
  readonly #end;
  readonly #endAll;
  readonly #addToken;
  readonly #find;
  readonly #use;
  readonly #dropAccess;

  constructor(db: Database) {
    this.#open = prepareInsert<Omit<SessionRow, 'id'>>(db, 'session', [
      'clientId',
      'extensionId',
      'endpointId',
      'createdAt',
      'kind',
    ]);
    this.#ofUser = prepare<{ id: number }>(
      db,
      "SELECT id FROM session WHERE extensionId = :extensionId AND clientId = :clientId AND kind = 'user' ORDER BY id DESC",
    );
    this.#has = prepare<{ readonly id: number }>(db, 'SELECT id FROM session WHERE id = :id');
    this.#end = prepare(db, 'DELETE FROM session WHERE id = :id');
    this.#endAll = prepare(db, "DELETE FROM session WHERE extensionId = :extensionId AND kind = 'user'");
    this.#addToken = prepareInsert(db, 'token', ['token', 'kind', 'sessionId', 'expiresAt']);
    this.#find = prepareCached<TokenRow>(
      db,
      'token',
      'SELECT token, token.kind AS tokenKind, expiresAt, usedAt, successor, successorAccess, session.* FROM token JOIN session ON session.id = sessionId WHERE token = :token',
    );
    this.#use = prepare(
      db,
      'UPDATE token SET usedAt = :usedAt, successor = :successor, successorAccess = :successorAccess WHERE token = :token',
    );
    this.#dropAccess = prepare(db, "DELETE FROM token WHERE sessionId = :sessionId AND kind = 'access'");
  }

  open(session: Omit<SessionRow, 'id' | 'kind'> & { readonly kind?: SessionKind }): number {
    const { clientId, extensionId, endpointId, createdAt, kind = 'user' } = session;
    return this.#open.run({ clientId, extensionId, endpointId, createdAt, kind }).id;
  }

  /** Ends all but the newest `count` sessions of a user with an app. */
  endOldest(extensionId: number, clientId: string, count: number): void {
    for (const { id } of this.#ofUser.all({ extensionId, clientId }).slice(count)) this.end(id);
  }

  has(sessionId: number): boolean {
    return this.#has.get({ id: sessionId }) !== undefined;
  }

  end(sessionId: number): void {
    this.#end.run({ id: sessionId });
  }

  addToken(token: string, kind: 'access' | 'refresh', sessionId: number, expiresAt: number): void {
    this.#addToken.run({ token, kind, sessionId, expiresAt });
  }

  find(token: string): TokenRow | undefined {
    return this.#find(token);
  }

  /** Records the first use of a token, and for a refresh token the tokens that replaced it. */
  markUsed(
    token: string,
    time: number,
    successor: string | null = null,
    successorAccess: string | null = null,
  ): void {
    this.#use.run({ usedAt: time, successor, successorAccess, token });
  }

  /** Ends all sessions of a user, with every app, and returns their number. Sessions of an app itself remain. */
  endAll(extensionId: number): number {
    return this.#endAll.run({ extensionId }).changes;
  }

  dropAccessTokens(sessionId: number): void {
    this.#dropAccess.run({ sessionId });
  }
}
