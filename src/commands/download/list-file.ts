import { problemLines, readTable } from '../../features/bulk/index.ts';
import { usageError } from '../../errors/command.ts';

/** One thing named by the user. */
export interface Wanted {
  readonly kind: 'message' | 'recording' | 'uri';
  readonly id: string;
}

type Field = 'uri' | 'recording' | 'message' | 'id';

/** Columns that only a list of messages has, whose `id` is that of a message. */
const ofMessages = ['messageStatus', 'readStatus', 'attachments'];

/**
 * Reads a list of what to download: in each row an address, a recording or a message. The CSV of `calllog list`, `message list`, `voicemail list`,
 * `fax list`, of a query with such columns, and of this command fit.
 * Headings alone name nothing, as a query that finds nothing writes it.
 * @throws {CommandError} `usage` with all problems of the file.
 */
export function readList(text: string, file: string): readonly Wanted[] {
  const optional = { column: 'optional', cell: 'optional' } as const;
  const { rows, problems, headings } = readTable<Field>(text, file, {
    fields: [
      { name: 'uri', headings: ['uri', 'contenturi', 'address'], ...optional, freeText: true },
      {
        name: 'recording',
        headings: ['recording', 'recordingid', 'recording_id', 'recording.id'],
        ...optional,
      },
      { name: 'message', headings: ['message', 'messageid', 'message_id'], ...optional },
      { name: 'id', headings: ['id'], ...optional },
    ],
    mayBeEmpty: true,
  });
  const isMessages = ofMessages.some((heading) => headings.includes(heading));
  const wanted = rows.flatMap((row) => {
    const kind = (['uri', 'recording', 'message'] as const).find((field) => row.value(field) !== '');
    if (kind !== undefined) return [{ kind, id: row.value(kind) }];
    return isMessages && row.value('id') !== '' ? [{ kind: 'message', id: row.value('id') } as const] : [];
  });
  if (problems.length > 0) {
    throw usageError(`there are problems in ${file}`, 'nothing was downloaded', problemLines(problems));
  }
  if (wanted.length === 0 && rows.length > 0) {
    throw usageError(
      `${file} names nothing to download`,
      `a column uri, recording or message is needed; there are: ${headings.join(', ')}`,
    );
  }
  // A request for each: what stands there twice is asked for once.
  return [...new Map(wanted.map((one) => [`${one.kind} ${one.id}`, one] as const)).values()];
}
