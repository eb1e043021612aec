import { readFileSync } from 'node:fs';
import { ownProcess } from '../own-process.ts';
import { entryAt } from '../entry-at.ts';
import { shellQuoted } from '../shell-quoted.ts';

/** The connection that a password is searched for. */
export interface PasswordQuery {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/**
 * Returns the password in a file of libpq (`PGPASSFILE`): lines `host:port:database:user:password`, where `*` matches
 * everything and a backslash precedes a colon or backslash. Undefined if the file does not exist or no line matches.
 * @throws {RangeError} if other users can read the file.
 */
export function passwordFromFile(file: string, query: PasswordQuery): string | undefined {
  const entry = entryAt(file);
  if (!entry?.isFile()) return undefined;
  if (ownProcess.userId !== undefined && (entry.mode & 0o077) !== 0) {
    throw new RangeError(
      `other users can read the password file ${file}: run chmod 600 ${shellQuoted(file)}`,
    );
  }
  const wanted = [query.host, String(query.port), query.database, query.user];
  for (const line of readFileSync(file, 'utf8').split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const [host, port, database, user, ...password] = fieldsOf(line);
    if (password.length === 0) continue;
    const isMatch = [host, port, database, user].every(
      (field, index) => field === '*' || field === wanted[index],
    );
    if (isMatch) return password.join(':');
  }
  return undefined;
}

/** Splits a line at colons that no backslash escapes, then unescapes the fields. */
function fieldsOf(line: string): readonly string[] {
  return line.split(/(?<=(?<!\\)(?:\\\\)*):/).map((field) => field.replaceAll(/\\([:\\])/g, '$1'));
}
