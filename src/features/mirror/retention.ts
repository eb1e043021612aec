import { counted } from '../../platform/counted.ts';
import type { Database } from '../../platform/sqlite.ts';

/** The service stores sent faxes this long (MESSAGE-31). */
const sentFaxDays = 30;
/** Unread voicemails and faxes beyond this number replace the oldest (MESSAGE-31). */
const unreadLimit = 200;
/** Texts in one folder beyond this number replace the oldest (MESSAGE-31). */
const textLimit = 5000;
/** A deleted message disappears after this time at the earliest (MESSAGE-27, MESSAGE-28). */
const traceDays = 5;
/** How near a limit deserves a word. */
const nearly = 0.9;
const graceDays = 3;
/** Newest messages of a type that are counted. */
const looked = 20_000;
const day = 86_400_000;

/** What the service is about to delete by itself and is not copied, or will be missed, a sentence each. */
export function retentionWarnings(db: Database, now: number): readonly string[] {
  return [...staleness(db, now), ...olderThanFrame(db), ...crowded(db), ...sentFaxes(db, now)];
}

/** Another frame of the mailbox holds everything of this one too, on a further condition. */
function isHeldBy(further: string): string {
  return `EXISTS (SELECT 1 FROM stream AS wide WHERE wide.extension_id = stream.extension_id AND wide.stream_id <> stream.stream_id
    AND wide.sync_token IS NOT NULL AND wide.max_records IS NULL AND wide.date_from <= stream.date_from
    AND (wide.message_type IS NULL OR wide.message_type = stream.message_type)
    AND (wide.direction IS NULL OR wide.direction = stream.direction) AND ${further})`;
}

function staleness(db: Database, now: number): readonly string[] {
  const limit = new Date(now - (traceDays - graceDays) * day).toISOString();
  const rows = db
    .prepare(
      `SELECT DISTINCT extension_id AS id FROM stream WHERE sync_time < ?1 AND NOT ${isHeldBy('wide.sync_time >= ?1')}`,
    )
    .all(limit) as { readonly id: string }[];
  return rows.map(
    ({ id }) =>
      `mailbox ${id} was last copied more than ${traceDays - graceDays} days ago; the service purges deleted messages, attachments first, after ${traceDays} days`,
  );
}

function olderThanFrame(db: Database): readonly string[] {
  const rows = db
    .prepare(
      `SELECT DISTINCT extension_id AS id FROM stream WHERE older_records = 1 AND NOT ${isHeldBy('coalesce(wide.older_records, 0) = 0')}`,
    )
    .all() as { readonly id: string }[];
  return rows.map(
    ({ id }) =>
      `mailbox ${id} has older messages that are not copied; the service deletes the oldest first: sync without --since and --max-records`,
  );
}

function crowded(db: Database): readonly string[] {
  // Bounded: a copy may hold far more than the service ever does at once.
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
        `mailbox ${id} holds ${unread} unread of ${unreadLimit} ${type}; new ones replace the oldest: sync often, with --media`,
      ];
    }
    if (type === 'SMS' && messages >= textLimit * nearly) {
      return [
        `mailbox ${id} holds ${messages} of ${textLimit} ${direction ?? ''} texts; new ones replace the oldest: sync often`,
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
        `the pages of ${counted(faxes, 'sent fax', 'sent faxes')} are not copied, and the service deletes them ${sentFaxDays} days after sending: ucctl sync --media`,
      ];
}
