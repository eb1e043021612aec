import { timeOfDay } from '../../platform/moment.ts';
import type { View } from '../../runtime/output.ts';

/** What one frame of one mailbox came to. */
export interface SyncLine {
  readonly mailbox: string;
  readonly extensionId: string;
  readonly type: string | null;
  readonly syncType?: 'FSync' | 'ISync';
  readonly repaired?: boolean;
  readonly added?: number;
  readonly changed?: number;
  readonly deleted?: number;
  readonly purged?: number;
  readonly vanished?: number;
  readonly errors: number;
  /** Attachments that were copied; undefined where none were wanted. */
  readonly media?: number | undefined;
  readonly syncTime?: string;
  /** Why the service did not give this mailbox. */
  readonly refused?: string;
}

export const syncView: View<SyncLine> = {
  columns: [
    { key: 'mailbox', title: 'MAILBOX', kind: 'id', value: (row) => row.mailbox, priority: 9 },
    { key: 'type', title: 'TYPE', value: (row) => row.type ?? 'all', priority: 2 },
    { key: 'syncType', title: 'SYNC', value: (row) => row.syncType, priority: 3 },
    { key: 'added', title: 'ADDED', kind: 'number', value: (row) => row.added, priority: 8 },
    { key: 'changed', title: 'CHANGED', kind: 'number', value: (row) => row.changed, priority: 8 },
    { key: 'deleted', title: 'DELETED', kind: 'number', value: (row) => row.deleted, priority: 5 },
    { key: 'purged', title: 'PURGED', kind: 'number', value: (row) => row.purged, priority: 5 },
    { key: 'vanished', title: 'VANISHED', kind: 'number', value: (row) => row.vanished, priority: 4 },
    { key: 'errors', title: 'ERRORS', kind: 'number', value: (row) => row.errors, priority: 7 },
    { key: 'media', title: 'MEDIA', kind: 'number', value: (row) => row.media, priority: 1 },
    { key: 'refused', title: 'REFUSED', value: (row) => row.refused, priority: 6 },
  ],
  empty: 'No mailboxes.',
};

/** A live line: what one sync brought. */
export function syncLineText(row: SyncLine, zone?: string): string {
  if (row.refused !== undefined) return `mailbox ${row.mailbox}: ${row.refused}`;
  const type = row.type === null ? '' : ` ${row.type}`;
  const brought = (['added', 'changed', 'deleted', 'purged', 'vanished', 'errors', 'media'] as const)
    .filter((key) => (row[key] ?? 0) > 0)
    .map((key) => `${row[key]} ${key}`);
  const time = timeOfDay(row.syncTime ?? '', zone);
  return `${time}  mailbox ${row.mailbox}${type}: ${brought.join(', ') || 'nothing new'}`;
}
