import type { ExportRow } from '../../../store/export-row.ts';
import { recipientsOf, type Recipient } from '../record.ts';

/** Returns the recipients of a message; those of its columns if the copy no longer has the record. */
export function recipientsOfRow({ raw, toNumbers, toNames }: ExportRow): readonly Recipient[] {
  const recipients = recipientsOf(raw);
  if (recipients.length > 0) return recipients;
  const numbers = (toNumbers ?? '').split(' ').filter((number) => number !== '');
  if (numbers.length > 1) return numbers.map((number) => ({ number }));
  const [number] = numbers;
  const name = toNames === null || toNames === '' ? undefined : toNames;
  return name === undefined && number === undefined ? [] : [{ name, number }];
}

/**
 * Returns the other party of a message: the recipients of a sent message, and the sender of any other. The recipients of
 * a pager message include its sender (PAGER-3), which this function omits.
 */
export function otherParty(row: ExportRow): string | undefined {
  const sender = [row.fromName, row.fromNumber, row.fromExtension].find(Boolean) ?? undefined;
  if (row.direction !== 'Outbound') return sender;
  const recipients = recipientsOfRow(row);
  const own = new Set([row.fromNumber, row.fromExtension]);
  const others = recipients.filter(({ number }) => number === undefined || !own.has(number));
  const shown = (others.length > 0 ? others : recipients).flatMap(({ name, number }) => name ?? number ?? []);
  return shown.length > 0 ? shown.join(', ') : sender;
}
