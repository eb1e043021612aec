/** The columns of an assignment list. */
export type Field = 'queue' | 'agent' | 'action';

/** Accepted headings, the best first: a list with `queue` and `queueName` means the former. */
const headings: Readonly<Record<Field, readonly string[]>> = {
  queue: ['queue', 'queueid', 'queuenumber', 'callqueue', 'department', 'queuename'],
  agent: ['extension', 'extensionnumber', 'ext', 'agent', 'agentid', 'extensionid', 'email', 'agentname'],
  action: ['action', 'change', 'operation'],
};

/** Where a field stands: its heading as written, and its index in the row. */
interface HeaderColumn {
  readonly heading: string;
  readonly index: number;
}

export interface Header {
  readonly columns: Partial<Readonly<Record<Field, HeaderColumn>>>;
  readonly problems: readonly string[];
}

/** Finds the fields by their headings, whatever their case, order and spacing; other columns are left alone. */
export function readHeader(cells: readonly string[]): Header {
  const columns: Partial<Record<Field, HeaderColumn>> = {};
  const problems: string[] = [];
  for (const field of ['queue', 'agent', 'action'] as const) {
    const same = headings[field]
      .map((heading) => columnsNamed(cells, heading))
      .find((named) => named.length > 0);
    const [first, second] = same ?? [];
    if (!first) problems.push(missing(field));
    if (second) problems.push(`the column "${second.heading}" is there twice`);
    if (first) columns[field] = first;
  }
  return { columns, problems };
}

function columnsNamed(cells: readonly string[], heading: string): readonly HeaderColumn[] {
  return cells
    .map((cell, index) => ({ heading: cell.trim(), index }))
    .filter((column) => column.heading.toLowerCase().replace(/[\s_-]/g, '') === heading);
}

function missing(field: Field): string {
  const [first, ...others] = headings[field];
  const alias = field === 'agent' ? ` (or ${others[2]})` : '';
  return `there is no column "${first}"${alias}; the first line names the columns queue, extension, action`;
}
