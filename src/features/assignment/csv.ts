import { readHeader, type Field, type Header } from './header.ts';
import { mangledBy } from './mangled.ts';
import { atPlace, type AssignmentAction, type AssignmentRequest, type ReadResult } from './request.ts';
import { readRows, type BrokenRow, type CsvRow } from './rows.ts';

/**
 * Reads a list of assignments: CSV whose first line names the columns queue, extension (or agent) and action (add or remove).
 * Finds every problem of the file, not only the first.
 */
export function readAssignments(text: string, file: string): ReadResult {
  const { rows, broken } = readRows(text);
  const [head, ...body] = rows;
  if (!head) {
    const problems = broken.map((row) => brokenText(row, file, []));
    return { requests: [], problems: problems.length > 0 ? problems : [`${file}:1:1: the file is empty`] };
  }
  const header = readHeader(head.cells);
  if (header.problems.length > 0) {
    return { requests: [], problems: header.problems.map((text) => `${file}:${head.line}:1: ${text}`) };
  }
  const read = body.map((row) => readRow(row, header, { file, width: head.cells.length }));
  const problems = [
    ...read.flatMap(({ row, problems }) => problems.map((text) => ({ line: row.line, text }))),
    ...broken.map((row) => ({ line: row.line, text: brokenText(row, file, head.cells) })),
  ].sort((a, b) => a.line - b.line);
  if (body.length === 0 && broken.length === 0) {
    return { requests: [], problems: [`${file}:${head.line + 1}:1: there is no row below the headings`] };
  }
  return {
    requests: read.flatMap(({ request }) => request ?? []),
    // The parser may stumble over one row more than once.
    problems: [...new Set(problems.map((problem) => problem.text))],
  };
}

function brokenText(row: BrokenRow, file: string, headings: readonly string[]): string {
  return `${file}:${row.line}:${headings[row.index]?.trim() || row.index + 1}: ${row.text}`;
}

interface ReadRow {
  readonly row: CsvRow;
  readonly request?: AssignmentRequest;
  readonly problems: readonly string[];
}

function readRow(
  row: CsvRow,
  header: Header,
  { file, width }: { readonly file: string; readonly width: number },
): ReadRow {
  const place = { file, line: row.line };
  const problems: string[] = [];
  const stray = row.cells.findIndex((cell, index) => index >= width && cell.trim() !== '');
  if (stray >= 0)
    problems.push(`${file}:${row.line}:${stray + 1}: "${row.cells[stray]}" stands under no heading`);
  const cell = (field: Field): string => {
    const column = header.columns[field];
    const value = (column && row.cells[column.index])?.trim() ?? '';
    const problem = value === '' ? 'is empty' : mangledBy(value);
    if (problem) problems.push(atPlace(place, column?.heading ?? field, problem));
    return value;
  };
  const queue = cell('queue');
  const agent = cell('agent');
  const word = cell('action');
  const action = readAction(word);
  if (word !== '' && !action) {
    const heading = header.columns.action?.heading ?? 'action';
    problems.push(atPlace(place, heading, `"${word}" is no action; write add or remove`));
  }
  if (!action || problems.length > 0) return { row, problems };
  return { row, request: { queue, agent, action, place }, problems };
}

function readAction(word: string): AssignmentAction | undefined {
  const folded = word.toLowerCase();
  return folded === 'add' || folded === 'remove' ? folded : undefined;
}
