import type { Check } from '../../store/message-store.ts';
import { recordColumns } from './message-table.ts';
import { BadRecordError, type MessageColumns, readRecord, type Tombstone } from './record.ts';

/** Maximum number of differences that a check lists. */
const shownProblems = 20;

/** A stored message: its columns by their names in the database. */
export interface StoredRow {
  readonly extension_id: string;
  readonly message_id: string;
  readonly availability: string;
  readonly raw: string;
  readonly [column: string]: unknown;
}

/** The names of the columns of `StoredRow`, for an SQL statement. */
export const storedRowColumns = `extension_id, message_id, ${Object.keys(recordColumns).join(', ')}`;

const columns = Object.entries(recordColumns);

/** Collects the differences of a check. */
export class Differences {
  readonly #details: string[] = [];
  wrong = 0;

  add(text: string): void {
    this.wrong += 1;
    if (this.wrong <= shownProblems) this.#details.push(text);
  }

  check(name: string, checked: number): Check {
    return { check: name, checked, wrong: this.wrong, details: this.#details };
  }
}

/** Returns the text that identifies a message in the details of a check. */
export function messageLabel({
  extension_id: mailbox,
  message_id: id,
}: Pick<StoredRow, 'extension_id' | 'message_id'>): string {
  return `message ${id} of mailbox ${mailbox}`;
}

/** Returns the record of a stored message; undefined if it is not readable. */
export function storedRecord({ raw }: Pick<StoredRow, 'raw'>): MessageColumns | Tombstone | undefined {
  try {
    return readRecord(raw);
  } catch (error) {
    if (error instanceof BadRecordError) return undefined;
    throw error;
  }
}

/** Describes the columns of a stored message that differ from its record; undefined if there are none. */
export function wrongColumns(row: StoredRow, record = storedRecord(row)): string | undefined {
  const names = record ? differentColumns(row, record) : ['raw'];
  if (names.length === 0) return undefined;
  return `${messageLabel(row)}: ${names.join(', ')} ${names.length === 1 ? 'differs' : 'differ'} from its record`;
}

/** Returns the names of the columns of a stored message that differ from its record. */
export function differentColumns(row: StoredRow, record: MessageColumns | Tombstone): readonly string[] {
  const names = record.id === row.message_id ? [] : ['message_id'];
  if (record.kind === 'tombstone') {
    // A sync has removed the content of this message, and left the sender and the recipients.
    return [...names, ...(row['subject'] === null ? [] : ['subject'])];
  }
  for (const [name, valueOf] of columns) {
    // A later tombstone of the service changes only this column.
    if (name === 'availability' && row.availability !== 'Alive') continue;
    if (row[name] !== valueOf(record)) names.push(name);
  }
  return names.toSorted();
}
