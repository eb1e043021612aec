import { DatabaseError, databaseProblemOf, named } from '../database-error.ts';
import { loadSqlite, type Database } from './connection.ts';
import { integrityProblems, isUnreadable } from './integrity.ts';

/**
 * Adds the file name to later errors of this database that concern the file, because SQLite errors do not contain the
 * name. Damage is reported only if the file is damaged, because SQLite also reports damage if the disk cannot read a
 * page (EIO).
 * @param isOther whether to leave an error unchanged
 */
export function nameFailures(
  db: Database,
  file: string,
  isOther: (error: unknown) => boolean = () => false,
): void {
  const report = (error: unknown): unknown => (isOther(error) ? error : namedByCause(error, file));
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw report(error);
    }
  };
  const [exec, prepare] = [db.exec.bind(db), db.prepare.bind(db)];
  replace(db, 'exec', (sql) => attempt(() => exec(sql)));
  replace(db, 'prepare', (...args) => {
    const statement = attempt(() => prepare(...args));
    const run = statement.run.bind(statement);
    const get = statement.get.bind(statement);
    const all = statement.all.bind(statement);
    const iterate = statement.iterate.bind(statement);
    replace(statement, 'run', (...values) => attempt(() => run(...values)));
    replace(statement, 'get', (...values) => attempt(() => get(...values) as never));
    replace(statement, 'all', (...values) => attempt(() => all(...values) as never));
    replace(statement, 'iterate', (...values) => reportingRows(iterate(...values), report) as never);
    return statement;
  });
}

/** Replaces a method with `defineProperty`, because methods of native classes cannot be assigned. */
function replace<T extends object, K extends keyof T>(target: T, name: K, value: T[K]): void {
  Object.defineProperty(target, name, { value, configurable: true });
}

function* reportingRows(
  rows: Iterable<unknown>,
  report: (error: unknown) => unknown,
): Generator<unknown, void, undefined> {
  try {
    yield* rows;
  } catch (error) {
    throw report(error);
  }
}

function namedByCause(error: unknown, file: string): unknown {
  const found = named(error, file);
  const isReportedDamage = found instanceof DatabaseError && found !== error && found.problem === 'damaged';
  return isReportedDamage && !isDamaged(file) ? new DatabaseError(file, 'broken', error) : found;
}

/** The files that were examined. A program that repeats its work must not read the whole file each time. */
const examined = new Map<string, boolean>();

/** Whether a file that SQLite reported as damaged is damaged. If this is unknown, the report of SQLite counts. */
function isDamaged(file: string): boolean {
  const known = examined.get(file);
  if (known !== undefined) return known;
  const found = examine(file);
  examined.set(file, found);
  return found;
}

function examine(file: string): boolean {
  if (isUnreadable(file)) return false;
  try {
    const { DatabaseSync } = loadSqlite(file);
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      return integrityProblems(db, file, 1).length > 0;
    } finally {
      db.close();
    }
  } catch (error) {
    return databaseProblemOf(error) !== 'broken';
  }
}
