import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

/** A pending authorization: it waits for consent, or its code waits for the exchange. */
export interface AuthorizationRow {
  readonly code: string;
  readonly stage: 'consent' | 'code' | 'used';
  readonly clientId: string;
  readonly redirectUri: string;
  readonly extensionId: number;
  readonly codeChallenge: string | null;
  readonly codeChallengeMethod: string | null;
  readonly expiresAt: number;
  /** The session that the code was exchanged for. */
  readonly sessionId: number | null;
}

/** Reads and writes the pending authorizations. */
export class AuthorizationStore {
  readonly #find;
  readonly #add;
  readonly #remove;
  readonly #use;
  readonly #endAll;

  constructor(db: Database) {
    this.#find = prepare<AuthorizationRow>(db, 'SELECT * FROM authorization WHERE code = :code');
    this.#add = prepareInsert<AuthorizationRow>(db, 'authorization', [
      'code',
      'stage',
      'clientId',
      'redirectUri',
      'extensionId',
      'codeChallenge',
      'codeChallengeMethod',
      'expiresAt',
      'sessionId',
    ]);
    this.#remove = prepare(db, 'DELETE FROM authorization WHERE code = :code');
    this.#use = prepare(
      db,
      "UPDATE authorization SET stage = 'used', sessionId = :sessionId WHERE code = :code",
    );
    this.#endAll = prepare(db, 'DELETE FROM authorization WHERE extensionId = :extensionId');
  }

  find(code: string): AuthorizationRow | undefined {
    return this.#find.get({ code });
  }

  add(row: AuthorizationRow): void {
    this.#add.run(row);
  }

  remove(code: string): void {
    this.#remove.run({ code });
  }

  /** Ends all pending authorizations of a user, with every app. */
  endAll(extensionId: number): void {
    this.#endAll.run({ extensionId });
  }

  markUsed(code: string, sessionId: number): void {
    this.#use.run({ sessionId, code });
  }
}
