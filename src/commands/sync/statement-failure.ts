import { StatementError } from '../../features/mirror/index.ts';
import { type CommandError, usageError } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { unquoted, useSqlite } from './only-reads.ts';

/** Converts the error of a statement that the database rejected, and adds the next step for frequent mistakes. */
export function statementFailure(error: Error, statement: string): CommandError {
  return error instanceof StatementError ? postgresFailure(error, statement) : sqliteFailure(error);
}

function sqliteFailure({ message }: Error): CommandError {
  if (/^no such (?:table|column)\b/.test(message))
    return usageError(message, listTables('select name, type from sqlite_schema'));
  return usageError(message, message.includes('readonly database') ? useSqlite : undefined);
}

function postgresFailure({ message, code = '' }: StatementError, statement: string): CommandError {
  if (isOtherStatement(code, unquoted(statement)))
    return usageError(
      'sync sql accepts only read statements: select, with, values and explain',
      'for other statements, use psql with the address of the store',
    );
  // A table or column does not exist.
  if (['42P01', '42703'].includes(code)) {
    const tables = 'select table_name from information_schema.tables where table_schema = current_schema()';
    return usageError(message, listTables(tables));
  }
  // A function or operator does not exist for these types, whose names are the same in all languages of the server.
  const isOfText = code === '42883' && /\btext\b/.test(message);
  return usageError(
    message,
    isOfText
      ? 'times are text; to calculate with a time, convert it, such as start_time::timestamptz'
      : undefined,
  );
}

/** Statements that PostgreSQL rejects with a syntax error, because the rows of a statement are read through a cursor. */
const otherStatements =
  /^(?:insert|update|delete|merge|truncate|create|drop|alter|copy|grant|revoke|vacuum|analyze|call|do|set|begin|commit|lock|refresh|reindex|comment)\b/i;

/** Whether PostgreSQL rejected a statement because it writes, or is not a query. */
function isOtherStatement(code: string, text: string): boolean {
  if (code === '42601') return otherStatements.test(text);
  // A cursor does not support changes in `with`.
  if (code === '0A000') return /^with\b[\s\S]*\b(?:insert|update|delete|merge)\b/i.test(text);
  return code === '25006';
}

function listTables(statement: string): Hint {
  return nextStep`to list the tables and views: ${ucctl`sync sql ${statement}`}`;
}
