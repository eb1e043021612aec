import {
  columnsOfList,
  headingGroups,
  isHeading,
  readTable,
  type ListContent,
  type TableField,
  type TableRow,
} from '../bulk/index.ts';
import { readMatrix } from './matrix.ts';
import { moveProblem } from './moves.ts';
import {
  invalidRequests,
  rowsOf,
  type AssignmentAction,
  type AssignmentRequest,
  type DesiredQueue,
  type ReadResult,
} from './request.ts';

/** The columns of an assignment list. */
type Field = 'queue' | 'extension' | 'action';

const actionField: TableField<Field> = {
  name: 'action',
  headings: headingGroups.action,
  column: 'optional',
  cell: 'required',
};
const agentField: TableField<'extension'> = {
  name: 'extension',
  headings: headingGroups.extension,
  column: 'required',
  cell: 'required',
  alias: 'agent',
};
const queueField: TableField<Field> = {
  name: 'queue',
  headings: headingGroups.queue,
  column: 'required',
  cell: 'required',
};
/** Headings of a queue that can also describe the agent, as in a matrix with a column of departments. */
const departmentHeadings: readonly string[] = headingGroups.queue.slice(2).flat();
const fields: readonly TableField<Field>[] = [queueField, agentField, actionField];

/**
 * Reads a list of assignments: a table whose first line names the columns queue, extension (or agent) and action (add
 * or remove). A list without the column action is a desired state, and so is a table of agents and queues. Finds all
 * problems of the file, not only the first.
 */
export function readAssignments(
  content: ListContent,
  file: string,
  map: ReadonlyMap<string, string> = new Map(),
): ReadResult {
  const { hasAction, mayBeMatrix, department, hasQueue } = formOf(content, map);
  const matrix = mayBeMatrix ? readMatrix(content, file, { agent: agentField, map, department }) : undefined;
  if (matrix) return matrix;
  const find = { map, required: [agentField], department };
  const move = hasQueue ? undefined : moveProblem(content, file, find);
  if (move) return { ...rowsOf([], []), problems: [move] };
  const used = hasAction ? fields : fields.filter(({ name }) => name !== 'action');
  const table = readTable<Field>(content, file, {
    fields: used,
    map,
    check: hasAction ? checkAction : () => [],
  });
  const indexes = new Map(table.rows.map((row, index) => [row, index]));
  const requestOf = (row: TableRow<Field>): AssignmentRequest => ({
    queue: row.value('queue'),
    agent: row.value('extension'),
    action: hasAction ? (readAction(row.value('action')) ?? 'add') : 'add',
    place: row.place,
    row: indexes.get(row) ?? 0,
  });
  const requests = table.readable.map(requestOf);
  const desired = new Map<string, DesiredQueue>();
  if (!hasAction) {
    for (const { queue, place } of requests) {
      if (!desired.has(queue)) desired.set(queue, { queue, ...(place && { place }) });
    }
  }
  return {
    requests,
    desired: [...desired.values()],
    input: table.input,
    problems: table.problems,
    invalid: invalidRequests(table.rows.map(requestOf), table.problems),
  };
}

/** Returns what the headings of a list say about its form. A column of departments alone does not decide between list and matrix. */
function formOf(
  content: ListContent,
  map: ReadonlyMap<string, string>,
): {
  readonly hasAction: boolean;
  readonly mayBeMatrix: boolean;
  /** The heading of the column of departments. */
  readonly department?: string;
  /** Whether a column certainly contains queues. */
  readonly hasQueue: boolean;
} {
  const find = { map, required: [agentField] };
  const mapped = new Set(map.values());
  const hasAction = mapped.has('action') || columnsOfList(content, actionField, find)?.length !== 0;
  const queues = columnsOfList(content, queueField, find);
  const [column] = queues ?? [];
  const isDepartment = column !== undefined && isHeading(column.heading, departmentHeadings);
  const hasQueue = mapped.has('queue') || (column !== undefined && !isDepartment);
  if (hasAction || !queues || mapped.has('queue')) return { hasAction, mayBeMatrix: false, hasQueue };
  const isMatrix = column === undefined || isDepartment;
  return { hasAction, mayBeMatrix: isMatrix, hasQueue, ...(isDepartment && { department: column.heading }) };
}

function checkAction(row: TableRow<Field>): readonly (readonly [Field, string])[] {
  const word = row.value('action');
  return readAction(word) ? [] : [['action', `"${word}" is not a valid action; use add or remove`]];
}

function readAction(word: string): AssignmentAction | undefined {
  const folded = word.toLowerCase();
  return folded === 'add' || folded === 'remove' ? folded : undefined;
}
