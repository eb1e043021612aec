import type { Database } from '../../platform/sqlite.ts';
import type { MessageTable } from './message-table.ts';

/** What becomes of the copy of a message that the service deleted or purged. */
export type OnDelete = 'keep' | 'mark' | 'purge';

/** What happens to the copy of messages that the service no longer has. */
export interface Gone {
  /** The service told that a message is Deleted or Purged. */
  told(pk: number, availability: string): void;
  /** A full sync no longer has these. */
  vanished(pks: readonly number[], now: string): void;
  /** Takes out what an earlier, gentler policy kept. */
  removeMarked(extensionId: string): void;
}

/**
 * `keep` notes it and keeps everything; `mark` does so for what is Deleted and drops text and attachments of what is Purged, as the service
 * does; `purge` removes both.
 */
export function goneMessages(db: Database, table: MessageTable, onDelete: OnDelete): Gone {
  return {
    told(pk, availability) {
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
          `SELECT pk FROM message WHERE (availability <> 'Alive' OR missing_since IS NOT NULL) AND extension_id = ?`,
        )
        .all(extensionId) as { readonly pk: number }[];
      table.remove(rows.map(({ pk }) => pk));
    },
  };
}
