import { hasColumn, readTable, type TableField, type TableRow } from '../bulk/index.ts';
import { readMatrix } from './matrix.ts';
import type { AssignmentAction, ReadResult, WantedQueue } from './request.ts';

/** The columns of an assignment list. */
type Field = 'queue' | 'extension' | 'action';

const actionField: TableField<Field> = {
  name: 'action',
  // The last is of a results file: given again, that of a wanted state too says what each row was.
  headings: ['action', 'change', 'operation', 'resultaction'],
  column: 'optional',
  cell: 'required',
};
const agentField: TableField<'extension'> = {
  name: 'extension',
  headings: ['extension', 'extensionnumber', 'ext', 'agent', 'agentid', 'extensionid', 'email', 'agentname'],
  column: 'required',
  cell: 'required',
  alias: 'agent',
};
const fields: readonly TableField<Field>[] = [
  {
    name: 'queue',
    headings: ['queue', 'queueid', 'queuenumber', 'callqueue', 'department', 'queuename'],
    column: 'required',
    cell: 'required',
  },
  agentField,
  actionField,
];

/**
 * Reads a list of assignments: CSV whose first line names the columns queue, extension (or agent) and action (add or remove). Without the
 * column action it says who is in the queues, as a table of agents down and queues across does. Finds every problem of the file, not only the first.
 */
export function readAssignments(
  text: string,
  file: string,
  map: ReadonlyMap<string, string> = new Map(),
): ReadResult {
  const hasAction = hasColumn(text, actionField, map);
  const [queueField] = fields;
  const isMatrix = !hasAction && queueField && !hasColumn(text, queueField, map);
  const matrix = isMatrix ? readMatrix(text, file, agentField, map) : undefined;
  if (matrix) return matrix;
  const used = hasAction ? fields : fields.filter(({ name }) => name !== 'action');
  const table = readTable<Field>(text, file, {
    fields: used,
    map: hasAction ? map : new Map([...map].filter(([, field]) => field !== 'action')),
    check: hasAction ? checkAction : () => [],
  });
  const indexes = new Map(table.rows.map((row, index) => [row, index]));
  const requests = table.readable.map((row) => ({
    queue: row.value('queue'),
    agent: row.value('extension'),
    action: hasAction ? (readAction(row.value('action')) ?? 'add') : ('add' as const),
    place: row.place,
    row: indexes.get(row) ?? 0,
  }));
  const wanted = new Map<string, WantedQueue>();
  if (!hasAction) {
    for (const { queue, place } of requests) if (!wanted.has(queue)) wanted.set(queue, { queue, place });
  }
  return {
    requests,
    wanted: [...wanted.values()],
    input: table.input,
    problems: table.problems,
  };
}

function checkAction(row: TableRow<Field>): readonly (readonly [Field, string])[] {
  const word = row.value('action');
  return readAction(word) ? [] : [['action', `"${word}" is not an action; write add or remove`]];
}

function readAction(word: string): AssignmentAction | undefined {
  const folded = word.toLowerCase();
  return folded === 'add' || folded === 'remove' ? folded : undefined;
}
