import { shellWord } from '../../platform/shell-quoted.ts';
import { columnsOfList, type ListContent, type ListProblem, type TableField } from '../bulk/index.ts';

/** The columns of a list in which each row moves an agent from one queue to another. */
const fromField: TableField<'from'> = {
  name: 'from',
  headings: [
    ['from', 'fromqueue', 'oldqueue', 'currentqueue', 'previousqueue', 'fromdepartment', 'fromgroup'],
  ],
  column: 'optional',
  cell: 'optional',
};
const toField: TableField<'to'> = {
  name: 'to',
  headings: [['to', 'toqueue', 'newqueue', 'targetqueue', 'todepartment', 'togroup']],
  column: 'optional',
  cell: 'optional',
};

/**
 * Returns the problem of a list with columns for the queue to leave and the queue to join; undefined for other lists. A
 * list has one change in each row: if one queue of a move was not found, `--skip-invalid` would make only half of the move.
 */
export function moveProblem(
  content: ListContent,
  file: string,
  { department, ...find }: Parameters<typeof columnsOfList>[2] & { readonly department: string | undefined },
): ListProblem | undefined {
  const [from] = columnsOfList(content, fromField, find) ?? [];
  const [to] = columnsOfList(content, toField, find) ?? [];
  if (!from || !to) return undefined;
  // The columns may also be the first and last day of a row.
  const other =
    department === undefined
      ? ''
      : `; to use only "${department}": --map ${shellWord(`${department}=queue`)}`;
  const text = `columns "${from.heading}" and "${to.heading}" describe moves, but a row can contain only one change; write two rows for each move, with the columns queue, extension and action: one with the action remove, one with the action add${other}`;
  return { place: { file, line: 1, column: from.heading }, text };
}
