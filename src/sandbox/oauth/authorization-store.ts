import type { Database } from '../../platform/sqlite.ts';
import { prepare } from '../world/sql.ts';

/** An authorization under way: waiting for consent, or a code waiting for its exchange. */
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

/** The authorizations under way. */
export class AuthorizationStore {
  readonly #find;
  readonly #add;
  readonly #remove;
  readonly #use;

  constructor(db: Database) {
    this.#find = prepare<AuthorizationRow>(db, 'SELECT * FROM authorization WHERE code = ?');
    this.#add = prepare(db, 'INSERT INTO authorization VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#remove = prepare(db, 'DELETE FROM authorization WHERE code = ?');
    this.#use = prepare(db, "UPDATE authorization SET stage = 'used', sessionId = ? WHERE code = ?");
  }

  find(code: string): AuthorizationRow | undefined {
    return this.#find.get(code);
  }

  add(row: AuthorizationRow): void {
    this.#add.run(
      row.code,
      row.stage,
      row.clientId,
      row.redirectUri,
      row.extensionId,
      row.codeChallenge,
      row.codeChallengeMethod,
      row.expiresAt,
      row.sessionId,
    );
  }

  remove(code: string): void {
    this.#remove.run(code);
  }

  markUsed(code: string, sessionId: number): void {
    this.#use.run(sessionId, code);
  }
}
