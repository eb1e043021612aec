import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/** Texts, names in quotes, and comments of SQL: what stands in them is no statement. */
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

/**
 * Lets one statement through that can only read. The connection refuses changes of the copy by itself, but not the file that `vacuum into` makes,
 * other databases by `attach`, or the settings of a `pragma`.
 * @throws {CommandError} `usage`.
 */
export function assertOnlyReads(statement: string): void {
  const text = statement.replaceAll(quoted, (part) => (/^(?:--|\/\*)/.test(part) ? ' ' : 'x')).trim();
  if (/;\s*[^\s;]/.test(text)) {
    throw usageError('sync sql takes one statement at a time', 'one select each, or a union of them');
  }
  const [, word = ''] = /^(\w+)/.exec(text) ?? [];
  if (['select', 'with', 'values', 'explain'].includes(word.toLowerCase())) return;
  const [, pragma = ''] = /^pragma\s+(?:\w+\.)?(\w+)\s*(?:\(|;|$)/i.exec(text) ?? [];
  if (readingPragmas.has(pragma.toLowerCase()) && !/^pragma\s+(?:\w+\.)?user_version\s*\(/i.test(text))
    return;
  throw usageError(
    'sync sql only reads: select, with, values, explain, and pragma table_info and the like',
    nextStep`sqlite3 on the file that ${ucctl('sync status')} names, for anything else`,
  );
}
