import { dayMilliseconds } from '../../../platform/day.ts';
import { sentFaxDays } from '../../../contract/limits.ts';
import type { Queries } from '../../../platform/postgres/postgres.ts';
import { unknownOwner } from '../other-mailbox.ts';
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
} from '../retention-limits.ts';
import { retentionStart } from '../sync-scope.ts';
import type { Hint } from '../../../errors/hint.ts';

/**
 * SQL condition that is true if another scope of the mailbox includes all messages of this scope and meets a further
 * condition.
 */
function isIncludedBy(further: string): string {
  return `exists (select 1 from stream as wide where wide.extension_id = stream.extension_id and wide.stream_id <> stream.stream_id
    and wide.sync_token is not null and wide.max_records is null and wide.date_from <= stream.date_from
    and (wide.message_type is null or wide.message_type = stream.message_type)
    and (wide.direction is null or wide.direction = stream.direction) and ${further})`;
}

/** The columns of `WarnedMailbox`. */
const mailboxColumns =
  'extension_id as id, mailbox.extension_number as number, coalesce(mailbox.own, false) as own';

/**
 * Warnings about messages that the service will soon delete and that are not copied. No sync updates the scopes of
 * `unknownOwner`, so the warnings ignore them. @throws {StoreError}
 */
export async function retentionWarnings(db: Queries, now: number): Promise<readonly Hint[]> {
  const stale = await db.query<WarnedMailbox>(
    `select distinct ${mailboxColumns} from stream left join mailbox using (extension_id) where sync_time < $1 and extension_id <> '${unknownOwner}' and not ${isIncludedBy('wide.sync_time >= $1')} order by 1`,
    [iso(now - (traceDays - graceDays) * dayMilliseconds)],
  );
  const older = await db.query<OlderMessages>(
    `select ${mailboxColumns}, bool_or(max_records is not null or date_from > $1) as "isLimited"
     from stream left join mailbox using (extension_id)
     where older_records and extension_id <> '${unknownOwner}' and not ${isIncludedBy('not coalesce(wide.older_records, false)')} group by 1, 2, 3 order by 1`,
    [retentionStart],
  );
  const crowded: string[] = [];
  for (const type of ['SMS', 'VoiceMail', 'Fax']) {
    const rows = await db.query<FolderCount>(
      `select ${mailboxColumns}, type, direction, count(*) as messages, count(*) filter (where read_status = 'Unread') as unread from
       (select * from message where type = $1 and availability = 'Alive' and missing_since is null order by created_key desc limit ${looked}) as latest
       left join mailbox using (extension_id) group by 1, 2, 3, type, direction order by 1`,
      [type],
    );
    crowded.push(...crowdedWarnings(rows));
  }
  const [faxes] = await db.query<{ count: number }>(
    `select count(*) as count from message where type = 'Fax' and direction = 'Outbound' and availability = 'Alive'
     and creation_time < $1 and media_wanted > (select count(*) from media where message_pk = pk)`,
    [iso(now - (sentFaxDays - graceDays) * dayMilliseconds)],
  );
  return [
    ...stale.map(staleWarning),
    ...older.map(olderThanScopeWarning),
    ...crowded,
    ...sentFaxWarning(faxes?.count ?? 0),
  ];
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
