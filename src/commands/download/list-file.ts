import {
  columnFor,
  headingGroups,
  problemLines,
  readTable,
  type ListContent,
} from '../../features/bulk/index.ts';
import { usageError } from '../../errors/command.ts';

/** An item to download, as specified by the user. */
export interface Wanted {
  readonly kind: 'message' | 'recording' | 'uri';
  readonly id: string;
}

type Field = 'uri' | 'recording' | 'message' | 'id';

/** Columns that name an item, in the order of precedence. */
const itemFields = ['uri', 'recording', 'message'] as const;

/** Columns that occur only in lists of messages; in these lists `id` is a message ID. */
const ofMessages = ['messageStatus', 'readStatus', 'attachments'];

/**
 * Reads a list with an address, a recording or a message in each row. Accepts the CSV output of `calllog list`,
 * `message list`, `voicemail list`, `fax list`, `download`, and queries with such columns. A list that contains only such
 * headings is valid and has no items.
 * @throws {CommandError} `usage` with all problems of the file.
 */
export function readList(content: ListContent, file: string): readonly Wanted[] {
  const optional = { column: 'optional', cell: 'optional' } as const;
  const { rows, problems, headings } = readTable<Field>(content, file, {
    fields: [
      { name: 'uri', headings: headingGroups.uri, ...optional, freeText: true },
      { name: 'recording', headings: headingGroups.recording, ...optional },
      { name: 'message', headings: headingGroups.message, ...optional },
      { name: 'id', headings: headingGroups.id, ...optional },
    ],
    mayBeEmpty: true,
    // The list may be the long output of another ucctl command.
    maxRows: Number.POSITIVE_INFINITY,
  });
  const isMessages = ofMessages.some((heading) => headings.includes(heading));
  const wanted = rows.flatMap((row) => {
    const kind = itemFields.find((field) => row.value(field) !== '');
    if (kind !== undefined) return [{ kind, id: row.value(kind) }];
    return isMessages && row.value('id') !== '' ? [{ kind: 'message', id: row.value('id') } as const] : [];
  });
  if (problems.length > 0) {
    throw usageError(
      `${file} has invalid rows`,
      'fix these rows; nothing was downloaded',
      problemLines(problems),
    );
  }
  const namesItems = isMessages || itemFields.some((field) => columnFor(headings, field) >= 0);
  if (!namesItems || (wanted.length === 0 && rows.length > 0)) {
    throw usageError(
      `${file} has no column with items to download`,
      `add a uri, recording or message column; found: ${headings.join(', ')}`,
    );
  }
  // Duplicates are removed, because each item costs a request.
  return [...new Map(wanted.map((one) => [`${one.kind} ${one.id}`, one] as const)).values()];
}
