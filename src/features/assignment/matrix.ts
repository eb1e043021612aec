import { inFileOrder, readTable, type ListProblem, type TableField, type TableRow } from '../bulk/index.ts';
import { rowsOf, type AssignmentRequest, type ReadResult, type WantedQueue } from './request.ts';

/** A column of the table that stands for a queue. */
interface QueueColumn {
  readonly heading: string;
  readonly index: number;
  /** The queue as the directory knows it. */
  readonly queue: string;
}

const inside = new Set(['x', '1', 'yes', 'y', 'true', '✓', '✔']);
const outside = new Set(['', '0', 'no', 'n', 'false', '-']);
/** What the columns of a matrix may be called that are no queues. */
const ofPeople = new Set(['agentname', 'name', 'email', 'agentid', 'extensionid', 'status']);
/** `201 Support`, as `queue export --matrix` heads its columns. */
const exported = /^(\d+)\s+\S/;

/**
 * Reads agents down and queues across, with a mark where an agent is in a queue; says who is in each of these queues.
 * @returns undefined for a table that is none: it has no columns like those of `queue export --matrix`, nor marks alone beside the agents.
 */
export function readMatrix(
  text: string,
  file: string,
  agent: TableField<'extension'>,
  map: ReadonlyMap<string, string>,
): ReadResult | undefined {
  const own = new Map([...map].filter(([, field]) => field === 'extension'));
  const table = readTable<'extension'>(text, file, { fields: [agent], map: own });
  const columns = queueColumns(table.headings, table.rows, agent, own);
  if (columns.length === 0) return undefined;
  const wanted = new Map<string, WantedQueue>();
  const problems = [...table.problems];
  for (const { queue, heading } of columns) {
    if (wanted.has(queue)) {
      problems.push({ place: { file, line: 1, column: heading }, text: 'the queue has two columns' });
    }
    wanted.set(queue, { queue, place: { file, line: 1 } });
  }
  for (const row of table.rows) problems.push(...columns.flatMap((column) => markProblem(row, column)));
  const list = rowsOf(
    table.readable.flatMap((row) => requestsOf(row, columns)),
    [...wanted.values()],
  );
  if (problems.length === 0) return list;
  return { ...list, problems: inFileOrder(problems) };
}

function queueColumns(
  headings: readonly string[],
  rows: readonly TableRow<'extension'>[],
  agent: TableField<'extension'>,
  map: ReadonlyMap<string, string>,
): readonly QueueColumn[] {
  const all = headings.map((heading, index) => ({ heading, index }));
  const numbered = all.flatMap((column) => {
    const queue = exported.exec(column.heading)?.[1];
    return queue === undefined ? [] : [{ ...column, queue }];
  });
  if (numbered.length > 0) return numbered;
  const others = all.filter(({ heading }) => {
    const folded = heading.toLowerCase().replaceAll(/[\s_-]/g, '');
    return !agent.headings.includes(folded) && !ofPeople.has(folded) && !map.has(heading);
  });
  const isMarked = others.every(({ index }) => rows.every((row) => isMark(markOf(row, index))));
  const isUsed = others.some(({ index }) => rows.some((row) => inside.has(markOf(row, index))));
  return isMarked && isUsed ? others.map(({ heading, index }) => ({ heading, index, queue: heading })) : [];
}

function markOf(row: TableRow<'extension'>, index: number): string {
  return (row.cells[index] ?? '').trim().toLowerCase();
}

function isMark(mark: string): boolean {
  return inside.has(mark) || outside.has(mark);
}

function markProblem(row: TableRow<'extension'>, { heading, index }: QueueColumn): readonly ListProblem[] {
  if (isMark(markOf(row, index))) return [];
  const { file, line } = row.place;
  const text = `"${row.cells[index]}" is not a mark; write x, or leave it empty`;
  return [{ place: { file, line, column: heading }, text }];
}

function requestsOf(
  row: TableRow<'extension'>,
  columns: readonly QueueColumn[],
): readonly AssignmentRequest[] {
  return columns
    .filter(({ index }) => inside.has(markOf(row, index)))
    .map(({ queue }) => ({ queue, agent: row.value('extension'), action: 'add', place: row.place }));
}
