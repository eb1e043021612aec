import { prepareNamed, type NamedStatement, type Preparer, type Statement } from './named-statement.ts';
import type { Database } from './sqlite.ts';

/**
 * Prepares each text of a statement once. The texts must be constant, because statements are cached as long as this
 * object exists. The database must not refer to this object: on Node 22, a statement keeps its database in memory.
 */
export class CachedStatements implements Preparer {
  readonly #db: Database;
  readonly #statements = new Map<string, Statement>();
  readonly #named = new Map<string, NamedStatement<unknown>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** @throws {DatabaseError} */
  prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Like `prepareNamed`, but reads the parameters of each text once. */
  named<Row = never>(sql: string): NamedStatement<Row> {
    let statement = this.#named.get(sql);
    if (!statement) {
      statement = prepareNamed<unknown>(this.#db, sql);
      this.#named.set(sql, statement);
    }
    return statement as NamedStatement<Row>;
  }
}
