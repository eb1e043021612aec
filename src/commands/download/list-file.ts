import { readTable } from '../../features/bulk/index.ts';
import { usageError } from '../../runtime/errors.ts';

/** One thing named by the user. */
export interface Wanted {
  readonly kind: 'message' | 'recording' | 'uri';
  readonly id: string;
}

type Field = 'uri' | 'recording' | 'message';

/**
 * Reads a list of what to download: in each row an address, a recording or a message. The output of `calllog list -o csv` and of this command fit.
 * @throws {CommandError} `usage` with all problems of the file.
 */
export function readList(text: string, file: string): readonly Wanted[] {
  const optional = { column: 'optional', cell: 'optional' } as const;
  const { rows, problems, headings } = readTable<Field>(text, file, {
    fields: [
      { name: 'uri', headings: ['uri', 'contenturi', 'address'], ...optional, freeText: true },
      { name: 'recording', headings: ['recording', 'recordingid', 'recording.id'], ...optional },
      { name: 'message', headings: ['message', 'messageid'], ...optional },
    ],
  });
  const wanted = rows.flatMap((row) => {
    const kind = (['uri', 'recording', 'message'] as const).find((field) => row.value(field) !== '');
    return kind === undefined ? [] : [{ kind, id: row.value(kind) }];
  });
  if (problems.length > 0) {
    throw usageError(`there are problems in ${file}`, 'nothing was downloaded', problems);
  }
  if (wanted.length === 0) {
    throw usageError(
      `${file} names nothing to download`,
      `a column uri, recording or message is needed; there are: ${headings.join(', ')}`,
    );
  }
  return wanted;
}
