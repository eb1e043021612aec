import type { Preparer } from '../../platform/named-statement.ts';
import type { OnDelete, SyncCounts } from '../../store/reply.ts';
import type { MessageTable } from './message-table.ts';

/** Numbers of removed messages that the service deleted or purged, or that a full sync did not return. */
export type RemovedCounts = Pick<SyncCounts, 'deleted' | 'purged' | 'vanished'>;

/** Applies the `OnDelete` policy to messages that the service no longer has. */
export interface Gone {
  /** Handles a message that the service reported as Deleted or Purged. */
  reported(pk: number, availability: string): void;
  /** Handles messages that a full sync did not return. */
  vanished(pks: readonly number[], now: string): void;
  /** Removes messages that an earlier run with another policy only marked. */
  removeMarked(extensionId: string): RemovedCounts;
}

/**
 * Creates the functions that handle messages which the service no longer has. `keep` marks a message and retains all
 * content. `mark` does the same for Deleted messages, but deletes text and attachments of Purged messages, as the
 * service does. `purge` removes both.
 */
export function goneMessages(db: Preparer, table: MessageTable, onDelete: OnDelete): Gone {
  return {
    reported(pk, availability) {
      if (onDelete === 'purge') {
        table.remove([pk]);
        return;
      }
      table.mark([pk], availability);
      if (onDelete === 'mark' && availability === 'Purged') table.empty([pk]);
    },
    vanished(pks, now) {
      if (pks.length === 0) return;
      if (onDelete === 'purge') table.remove(pks);
      else table.markMissing(pks, now);
    },
    removeMarked(extensionId) {
      const rows = db
        .prepare(
          `SELECT pk, availability FROM message WHERE (availability <> 'Alive' OR missing_since IS NOT NULL) AND extension_id = ?`,
        )
        .all(extensionId) as { readonly pk: number; readonly availability: string }[];
      table.remove(rows.map(({ pk }) => pk));
      const purged = rows.filter(({ availability }) => availability === 'Purged').length;
      const vanished = rows.filter(({ availability }) => availability === 'Alive').length;
      return { deleted: rows.length - purged - vanished, purged, vanished };
    },
  };
}
