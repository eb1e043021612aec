/**
 * One step of the schema of the store. Released steps never change: their checksum is stored. A program rejects tables
 * with steps that it does not know, and works with tables that lack its newest step.
 */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** Statements that are executed in one transaction, with the schema of the store as the search path. */
  readonly sql: string;
  /**
   * Stable views, each with its query. A later step may define a view again, with additional columns at its end. The
   * views are created after the statements of the step. Each migration restores dropped views.
   */
  readonly views?: Readonly<Record<string, string>>;
  /** Tables of this or an earlier step whose rows the writer role may add, but not change or delete. */
  readonly appendTables?: readonly string[];
  /** Tables of this step that the reader role must not read. */
  readonly privateTables?: readonly string[];
}
