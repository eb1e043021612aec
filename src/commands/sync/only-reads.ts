import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/** String literals, quoted names and comments of SQL, whose content is not part of a statement. */
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const readingPragmas = new Set([
  'collation_list',
  'compile_options',
  'database_list',
  'foreign_key_list',
  'function_list',
  'index_info',
  'index_list',
  'index_xinfo',
  'integrity_check',
  'module_list',
  'page_count',
  'page_size',
  'quick_check',
  'table_info',
  'table_list',
  'table_xinfo',
  'user_version',
]);

/** Returns a statement without comments. Each string literal and quoted name is replaced by `x`. */
export function unquoted(statement: string): string {
  return statement.replaceAll(quoted, (part) => (/^(?:--|\/\*)/.test(part) ? ' ' : 'x')).trim();
}

/** The next step for a statement that `sync sql` does not accept. */
export const useSqlite = nextStep`for other statements, use sqlite3 with the database file; to show its path: ${ucctl('sync status')}`;

/**
 * Rejects a statement that could write. The read-only connection prevents changes of the local mailbox copy, but not a
 * new file by `vacuum into`, access to other databases by `attach`, or changed settings by `pragma`.
 * @throws {CommandError} `usage`.
 */
export function assertOnlyReads(statement: string): void {
  const text = unquoted(statement);
  if (/;\s*[^\s;]/.test(text)) {
    throw usageError(
      'sync sql accepts only one statement at a time',
      'run one statement per call, or combine the statements with union',
    );
  }
  const [, word = ''] = /^(\w+)/.exec(text) ?? [];
  if (['select', 'with', 'values', 'explain'].includes(word.toLowerCase())) return;
  const [, pragma = ''] = /^pragma\s+(?:\w+\.)?(\w+)\s*(?:\(|;|$)/i.exec(text) ?? [];
  if (readingPragmas.has(pragma.toLowerCase()) && !/^pragma\s+(?:\w+\.)?user_version\s*\(/i.test(text))
    return;
  throw usageError(
    'sync sql accepts only read statements: select, with, values, explain, and pragmas such as table_info',
    useSqlite,
  );
}
