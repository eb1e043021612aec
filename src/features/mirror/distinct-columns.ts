import { usageError } from '../../errors/command.ts';

/**
 * Returns the names of the columns of a result. @throws {CommandError} `usage` if two columns have the same name,
 * because a row has only one value for each name.
 */
export function distinctColumns(columns: readonly string[]): readonly string[] {
  const repeated = columns.find((name, index) => columns.indexOf(name) !== index);
  if (repeated === undefined) return columns;
  throw usageError(
    `the result has several columns named "${repeated}"`,
    'give each column its own name with AS, such as "select count(*) as messages"',
  );
}
