import {
  columnsOf,
  inFileOrder,
  isHeading,
  readTable,
  type ListContent,
  type ListProblem,
  type TableField,
  type TableRow,
} from '../bulk/index.ts';
import {
  invalidRequests,
  rowsOf,
  type AssignmentRequest,
  type ReadResult,
  type DesiredQueue,
} from './request.ts';
import { shellWord } from '../../platform/shell-quoted.ts';

/** A column of the table for a queue. */
interface QueueColumn {
  readonly heading: string;
  readonly index: number;
  /** The queue in the directory. */
  readonly queue: string;
}

const crosses = new Set(['x', '✓', '✔']);
const inside = new Set([...crosses, '1', 'yes', 'y', 'true']);
const outside = new Set(['', '0', 'no', 'n', 'false', '-']);
/** Headings of columns that describe the agent, in addition to those of the agent's column. */
const agentColumns = ['name', 'status'];
/** Matches a heading of `queue export --matrix`, such as `201 Support`. */
const exported = /^(\d+)\s+\S/;

/** How the columns of a matrix are found. */
interface MatrixSpec {
  readonly agent: TableField<'extension'>;
  readonly map: ReadonlyMap<string, string>;
  /** The heading of a column of departments, which also can be the queues of a list. */
  readonly department: string | undefined;
}

/**
 * Reads a matrix: a row for each agent, a column for each queue, and a mark for each queue of the agent. The matrix
 * is a desired state of these queues.
 * @returns undefined if the table is not a matrix: it has no columns of `queue export --matrix`, and other values than
 * marks, or a column of departments.
 */
export function readMatrix(
  content: ListContent,
  file: string,
  { agent, map, department }: MatrixSpec,
): ReadResult | undefined {
  const table = readTable<'extension'>(content, file, { fields: [agent], map });
  const { columns, unread } = queueColumns(table.headings, table.rows, agent, map);
  if (columns.length === 0) return undefined;
  if (department !== undefined) {
    const numbered = columns.filter(({ heading }) => exported.test(heading));
    const [first] = numbered;
    if (!first) return undefined;
    if (!areMarks(numbered, table.rows)) return ambiguous(file, department, first.heading);
  }
  const desired = new Map<string, DesiredQueue>();
  const problems = [...table.problems];
  for (const { queue, heading } of columns) {
    if (desired.has(queue)) {
      problems.push({ place: { file, line: 1, column: heading }, text: 'duplicate column for this queue' });
    }
    desired.set(queue, { queue, place: { file, line: 1, headings: { queue: heading } }, isWhole: true });
  }
  for (const row of table.rows) problems.push(...columns.flatMap((column) => markProblem(row, column)));
  const marked = new Set(problems.map(({ place }) => place?.line));
  const readable = table.readable.filter(({ place }) => !marked.has(place.line));
  const list = {
    ...rowsOf(
      readable.flatMap((row) => requestsOf(row, columns)),
      [...desired.values()],
    ),
    agents: readable.map((row) => ({
      agent: row.value('extension'),
      place: row.place,
      queues: markedQueues(row, columns),
    })),
    warnings: unread.map((heading) => unclearColumnText(file, heading)),
  };
  if (problems.length === 0) return list;
  const invalid = invalidRequests(table.rows.map(requestOfRow), problems);
  return { ...list, problems: inFileOrder(problems), invalid };
}

/** Returns the result for a table that can be a list or a matrix. */
function ambiguous(file: string, department: string, numbered: string): ReadResult {
  const text = `columns "${department}" and "${numbered}" both specify queues; to use only "${department}": --map ${shellWord(`${department}=queue`)}; to use the columns of queues, delete "${department}"`;
  return { ...rowsOf([], []), problems: [{ place: { file, line: 1, column: department }, text }] };
}

/** The columns of a matrix. */
interface MatrixColumns {
  readonly columns: readonly QueueColumn[];
  /** Headings of other columns with marks, which may be meant as queues. */
  readonly unread: readonly string[];
}

function queueColumns(
  headings: readonly string[],
  rows: readonly TableRow<'extension'>[],
  agent: TableField<'extension'>,
  map: ReadonlyMap<string, string>,
): MatrixColumns {
  const all = headings.map((heading, index) => ({ heading, index }));
  const numbered = all.flatMap((column) => {
    const queue = exported.exec(column.heading)?.[1];
    return queue === undefined ? [] : [{ ...column, queue }];
  });
  const agents = columnsOf(headings, map, agent);
  const ofAgent = [...agent.headings.flat(), ...agentColumns];
  const others = all
    .filter(
      ({ heading, index }) =>
        !isHeading(heading, ofAgent) && ![...agents, ...numbered].some((column) => column.index === index),
    )
    .map(({ heading, index }) => ({ heading, index, queue: heading }));
  if (numbered.length === 0) return { columns: areMarks(others, rows) ? others : [], unread: [] };
  const kinds = others.map((column) => ({ column, kind: kindOf(column, rows) }));
  const added = kinds.flatMap(({ column, kind }) => (kind === 'queue' ? [column] : []));
  return {
    columns: [...numbered, ...added].toSorted((one, other) => one.index - other.index),
    unread: kinds.flatMap(({ column, kind }) => (kind === 'unclear' ? [column.heading] : [])),
  };
}

/**
 * Classifies a column that somebody has added. Its filled cells are mainly marks, and at least one is a cross, if the
 * column has the name or number of a queue. A column with other marks may also be a queue. All other columns are notes.
 */
function kindOf(
  { index }: QueueColumn,
  rows: readonly TableRow<'extension'>[],
): 'queue' | 'unclear' | 'note' {
  const cells = rows.map((row) => markOf(row, index)).filter((cell) => cell !== '');
  const hasCross = cells.some((cell) => crosses.has(cell));
  const isMarked = cells.filter(isMark).length > cells.length / 2;
  if (hasCross) return isMarked ? 'queue' : 'unclear';
  return isMarked && cells.some((cell) => inside.has(cell)) ? 'unclear' : 'note';
}

function unclearColumnText(file: string, heading: string): string {
  return `${file}: column "${heading}" is not read as a queue; to read it, mark its agents with x and leave all other cells empty`;
}

/** Whether all cells of columns are marks, and at least one of them is a mark of a member. */
function areMarks(columns: readonly QueueColumn[], rows: readonly TableRow<'extension'>[]): boolean {
  const cells = columns.flatMap(({ index }) => rows.map((row) => markOf(row, index)));
  return cells.every(isMark) && cells.some((mark) => inside.has(mark));
}

function markOf(row: TableRow<'extension'>, index: number): string {
  return (row.cells[index] ?? '').trim().toLowerCase();
}

function isMark(mark: string): boolean {
  return inside.has(mark) || outside.has(mark);
}

function markProblem(row: TableRow<'extension'>, { heading, index }: QueueColumn): readonly ListProblem[] {
  const covered = row.covered(index);
  if (isMark(markOf(row, index)) && covered === undefined) return [];
  const { file, line } = row.place;
  const text = covered ?? `"${row.cells[index]}" is not a valid mark; use x or an empty cell`;
  return [{ place: { file, line, column: heading }, text, isOfRow: true }];
}

/** Returns the agent of a row, for the report of an invalid row. */
function requestOfRow(row: TableRow<'extension'>): AssignmentRequest {
  return { queue: '', agent: row.value('extension'), action: 'add', place: row.place };
}

function requestsOf(
  row: TableRow<'extension'>,
  columns: readonly QueueColumn[],
): readonly AssignmentRequest[] {
  return markedQueues(row, columns).map((queue) => ({
    queue,
    agent: row.value('extension'),
    action: 'add',
    place: row.place,
  }));
}

function markedQueues(row: TableRow<'extension'>, columns: readonly QueueColumn[]): readonly string[] {
  return columns.filter(({ index }) => inside.has(markOf(row, index))).map(({ queue }) => queue);
}
