import { counted } from '../../platform/counted.ts';
import type { Database } from '../../platform/sqlite.ts';

/** Days for which the service stores sent faxes (MESSAGE-31). */
const sentFaxDays = 30;
/** Maximum number of unread voicemails or faxes; further messages replace the oldest (MESSAGE-31). */
const unreadLimit = 200;
/** Maximum number of texts in one folder; further texts replace the oldest (MESSAGE-31). */
const textLimit = 5000;
/** Minimum number of days after which a deleted message disappears (MESSAGE-27, MESSAGE-28). */
const traceDays = 5;
/** Share of a limit above which a warning is shown. */
const nearly = 0.9;
const graceDays = 3;
/** Maximum number of the newest messages of a type that are counted. */
const looked = 20_000;
const day = 86_400_000;

/** Warnings about messages that the service will soon delete and that are not copied. */
export function retentionWarnings(db: Database, now: number): readonly string[] {
  return [...staleness(db, now), ...olderThanScope(db), ...crowded(db), ...sentFaxes(db, now)];
}

/** An SQL condition: another scope of the mailbox includes all messages of this scope, and meets a further condition. */
function isIncludedBy(further: string): string {
  return `EXISTS (SELECT 1 FROM stream AS wide WHERE wide.extension_id = stream.extension_id AND wide.stream_id <> stream.stream_id
    AND wide.sync_token IS NOT NULL AND wide.max_records IS NULL AND wide.date_from <= stream.date_from
    AND (wide.message_type IS NULL OR wide.message_type = stream.message_type)
    AND (wide.direction IS NULL OR wide.direction = stream.direction) AND ${further})`;
}

function staleness(db: Database, now: number): readonly string[] {
  const limit = new Date(now - (traceDays - graceDays) * day).toISOString();
  const rows = db
    .prepare(
      `SELECT DISTINCT extension_id AS id FROM stream WHERE sync_time < ?1 AND NOT ${isIncludedBy('wide.sync_time >= ?1')}`,
    )
    .all(limit) as { readonly id: string }[];
  return rows.map(
    ({ id }) =>
      `mailbox ${id} was last synced more than ${traceDays - graceDays} days ago; the service purges deleted messages after ${traceDays} days, attachments first`,
  );
}

function olderThanScope(db: Database): readonly string[] {
  const rows = db
    .prepare(
      `SELECT DISTINCT extension_id AS id FROM stream WHERE older_records = 1 AND NOT ${isIncludedBy('coalesce(wide.older_records, 0) = 0')}`,
    )
    .all() as { readonly id: string }[];
  return rows.map(
    ({ id }) =>
      `mailbox ${id} has older messages that the copy lacks, and the service deletes the oldest first; sync without --since and --max-records`,
  );
}

function crowded(db: Database): readonly string[] {
  // The count is limited, because a copy can have far more messages than the service ever stores.
  const rows = ['SMS', 'VoiceMail', 'Fax'].flatMap(
    (type) =>
      db
        .prepare(
          `SELECT extension_id AS id, type, direction, count(*) AS messages, sum(read_status = 'Unread') AS unread FROM
           (SELECT * FROM message WHERE type = ? AND availability = 'Alive' AND missing_since IS NULL ORDER BY pk DESC LIMIT ${looked})
           GROUP BY extension_id, direction`,
        )
        .all(type) as {
        readonly id: string;
        readonly type: string;
        readonly direction: string | null;
        readonly messages: number;
        readonly unread: number;
      }[],
  );
  return rows.flatMap(({ id, type, direction, messages, unread }) => {
    if (['VoiceMail', 'Fax'].includes(type) && unread >= unreadLimit * nearly) {
      return [
        `mailbox ${id} has ${unread} unread ${type} messages of at most ${unreadLimit}; new messages replace the oldest, so sync often with --media`,
      ];
    }
    if (type === 'SMS' && messages >= textLimit * nearly) {
      return [
        `mailbox ${id} has ${messages} ${direction ?? ''} texts of at most ${textLimit}; new texts replace the oldest, so sync often`,
      ];
    }
    return [];
  });
}

function sentFaxes(db: Database, now: number): readonly string[] {
  const { faxes } = db
    .prepare(
      `SELECT count(*) AS faxes FROM message WHERE type = 'Fax' AND direction = 'Outbound' AND availability = 'Alive'
       AND creation_time < ? AND media_wanted > (SELECT count(*) FROM media WHERE message_pk = pk)`,
    )
    .get(new Date(now - (sentFaxDays - graceDays) * day).toISOString()) as { readonly faxes: number };
  return faxes === 0
    ? []
    : [
        `the pages of ${counted(faxes, 'sent fax', 'sent faxes')} are not copied, and the service deletes them ${sentFaxDays} days after sending; run ucctl sync --media`,
      ];
}
