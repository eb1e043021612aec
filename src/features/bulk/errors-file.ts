import { resolve } from 'node:path';
import { replaceContent } from '../../platform/replace-content.ts';
import type { Context } from '../../runtime/context.ts';
import { distinctProblems, listError, type ListProblem, type RejectedListOptions } from './place.ts';
import { writeTable } from './write-table.ts';

/** The options that decide what happens to the invalid rows of a list. */
export interface InvalidRowOptions {
  readonly skipInvalid?: boolean;
  /** File for all problems of the rows. */
  readonly errors?: string;
}

const columns = ['file', 'line', 'column', 'problem', 'details'] as const;

/**
 * Writes all problems of a list to the file of `--errors`: a workbook for a name ending with .xlsx, NDJSON for .ndjson
 * and .jsonl, otherwise CSV. Without problems the file has no rows, so that a file of an earlier run cannot mislead.
 */
export async function writeErrorsFile(
  ctx: Pick<Context, 'cwd' | 'out'>,
  problems: readonly ListProblem[],
  { errors }: InvalidRowOptions,
): Promise<void> {
  if (errors === undefined) return;
  const file = resolve(ctx.cwd, errors);
  const rows = distinctProblems(problems).map(({ place, text, more = [] }) => ({
    file: place?.file ?? '',
    line: place?.line ?? null,
    column: place?.column ?? '',
    problem: text,
    details: more.map((line) => line.trim()).join('; '),
  }));
  if (/\.(ndjson|jsonl)$/i.test(errors)) {
    return replaceContent(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
  const lines = [columns, ...rows.map((row) => columns.map((name) => String(row[name] ?? '')))];
  return writeTable(file, { lines, dialect: undefined }, { raw: ctx.out.csvRaw, sheet: 'Errors' });
}

/** Rejects a list: writes its problems to the file of `--errors` and throws the error. @throws {CommandError} exit 2 */
export async function rejectList(
  ctx: Pick<Context, 'cwd' | 'out'>,
  problems: readonly ListProblem[],
  options: InvalidRowOptions & Pick<RejectedListOptions, 'canSkip'>,
): Promise<never> {
  await writeErrorsFile(ctx, problems, options);
  throw listError(problems, options);
}

/** Whether a list may be used without its invalid rows: --skip-invalid is set, and all problems concern single rows. */
export function maySkipRows(problems: readonly ListProblem[], { skipInvalid }: InvalidRowOptions): boolean {
  return problems.length === 0 || (skipInvalid === true && problems.every(({ isOfRow }) => isOfRow));
}
