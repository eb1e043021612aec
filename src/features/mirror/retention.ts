import { dayMilliseconds } from '../../platform/day.ts';
import { sentFaxDays } from '../../contract/limits.ts';
import type { Database } from '../../platform/sqlite.ts';
import { unknownOwner } from './other-mailbox.ts';
import {
  crowdedWarnings,
  graceDays,
  looked,
  olderThanScopeWarning,
  type OlderMessages,
  sentFaxWarning,
  staleWarning,
  traceDays,
  type FolderCount,
  type WarnedMailbox,
} from './retention-limits.ts';
import { retentionStart } from './sync-scope.ts';
import type { Hint } from '../../errors/hint.ts';

/**
 * Warnings about messages that the service will soon delete and that are not copied. No sync updates the scopes of
 * `unknownOwner`, so the warnings ignore them.
 */
export function retentionWarnings(db: Database, now: number): readonly Hint[] {
  return [...staleness(db, now), ...olderThanScope(db), ...crowded(db), ...sentFaxes(db, now)];
}

/**
 * Returns an SQL condition that is true if another scope of the mailbox includes all messages of this scope and meets a
 * further condition.
 */
function isIncludedBy(further: string): string {
  return `EXISTS (SELECT 1 FROM stream AS wide WHERE wide.extension_id = stream.extension_id AND wide.stream_id <> stream.stream_id
    AND wide.sync_token IS NOT NULL AND wide.max_records IS NULL AND wide.date_from <= stream.date_from
    AND (wide.message_type IS NULL OR wide.message_type = stream.message_type)
    AND (wide.direction IS NULL OR wide.direction = stream.direction) AND ${further})`;
}

/** The columns of `WarnedMailbox`. */
const mailboxColumns =
  'extension_id AS id, mailbox.extension_number AS number, coalesce(mailbox.own, 0) AS own';

function staleness(db: Database, now: number): readonly Hint[] {
  const limit = new Date(now - (traceDays - graceDays) * dayMilliseconds).toISOString();
  const rows = db
    .prepare(
      `SELECT DISTINCT ${mailboxColumns} FROM stream LEFT JOIN mailbox USING (extension_id) WHERE sync_time < ?1 AND extension_id <> '${unknownOwner}' AND NOT ${isIncludedBy('wide.sync_time >= ?1')} ORDER BY 1`,
    )
    .all(limit) as WarnedMailbox[];
  return rows.map(staleWarning);
}

function olderThanScope(db: Database): readonly Hint[] {
  const rows = db
    .prepare(
      `SELECT ${mailboxColumns}, max(max_records IS NOT NULL OR date_from > ?) AS isLimited
       FROM stream LEFT JOIN mailbox USING (extension_id)
       WHERE older_records = 1 AND extension_id <> '${unknownOwner}' AND NOT ${isIncludedBy('coalesce(wide.older_records, 0) = 0')} GROUP BY extension_id`,
    )
    .all(retentionStart) as OlderMessages[];
  return rows.map(olderThanScopeWarning);
}

function crowded(db: Database): readonly string[] {
  // The count is limited, because a copy can have far more messages than the service ever stores.
  return ['SMS', 'VoiceMail', 'Fax'].flatMap((type) =>
    crowdedWarnings(
      db
        .prepare(
          `SELECT ${mailboxColumns}, type, direction, count(*) AS messages, sum(read_status = 'Unread') AS unread FROM
           (SELECT * FROM message WHERE type = ? AND availability = 'Alive' AND missing_since IS NULL ORDER BY pk DESC LIMIT ${looked}) LEFT JOIN mailbox USING (extension_id)
           GROUP BY extension_id, direction`,
        )
        .all(type) as FolderCount[],
    ),
  );
}

function sentFaxes(db: Database, now: number): readonly Hint[] {
  const { faxes } = db
    .prepare(
      `SELECT count(*) AS faxes FROM message WHERE type = 'Fax' AND direction = 'Outbound' AND availability = 'Alive'
       AND creation_time < ? AND media_wanted > (SELECT count(*) FROM media WHERE message_pk = pk)`,
    )
    .get(new Date(now - (sentFaxDays - graceDays) * dayMilliseconds).toISOString()) as {
    readonly faxes: number;
  };
  return sentFaxWarning(faxes);
}
