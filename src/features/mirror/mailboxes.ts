import type { CachedStatements } from '../../platform/cached-statements.ts';
import type { Database } from '../../platform/sqlite.ts';
import { insertText, prepareNamed } from '../../platform/named-statement.ts';
import type { Mailbox, StreamStatus } from '../../store/mailbox.ts';
import type { MessageStore } from '../../store/message-store.ts';
import { unknownOwner } from './other-mailbox.ts';
import { readReply, type OpenSync } from './reply.ts';

const mailboxInsert = insertText(
  'mailbox',
  ['extension_id', 'extension_number', 'name', 'own'],
  `ON CONFLICT DO UPDATE SET extension_number = coalesce(excluded.extension_number, extension_number),
   name = coalesce(excluded.name, name), own = max(own, excluded.own)`,
);

/** Records a mailbox of the copy. */
export function saveMailbox(
  db: CachedStatements,
  { extensionId, extensionNumber, name, own }: Mailbox,
): void {
  db.named(mailboxInsert).run({
    extension_id: extensionId,
    extension_number: extensionNumber ?? null,
    name: name ?? null,
    own: Number(own),
  });
}

/** Returns the mailboxes of which `saveMailbox` would change something. */
export function changedMailboxes(db: Database, mailboxes: readonly Mailbox[]): readonly Mailbox[] {
  const rows = db
    .prepare(
      `SELECT extension_id AS id, extension_number AS number, name, own FROM mailbox
       WHERE extension_id IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(mailboxes.map(({ extensionId }) => extensionId))) as SavedMailbox[];
  const saved = new Map(rows.map((row) => [row.id, row]));
  return mailboxes.filter(({ extensionId, extensionNumber, name, own }) => {
    const row = saved.get(extensionId);
    return (
      !row ||
      row.number !== (extensionNumber ?? row.number) ||
      row.name !== (name ?? row.name) ||
      row.own < Number(own)
    );
  });
}

interface SavedMailbox {
  readonly id: string;
  readonly number: string | null;
  readonly name: string | null;
  readonly own: number;
}

/** Returns the signed-in user's mailbox of the copy; undefined if there is none. */
export function storedOwnMailbox(db: Database): Mailbox | undefined {
  const known = db
    .prepare(
      `SELECT extension_id AS extensionId, extension_number AS number, name FROM mailbox
       WHERE own = 1 AND extension_id <> '${unknownOwner}'`,
    )
    .get() as
    | { readonly extensionId: string; readonly number: string | null; readonly name: string | null }
    | undefined;
  if (!known) return undefined;
  const { extensionId, number, name } = known;
  return { extensionId, extensionNumber: number ?? undefined, name: name ?? undefined, own: true };
}

/**
 * Returns the signed-in user's mailbox: from the archive if the archive contains it, otherwise from one small sync,
 * which needs no further permission, or from `owner` if the reply does not name the mailbox.
 */
export async function ownMailbox(
  store: Pick<MessageStore, 'ownMailbox'> | undefined,
  open: OpenSync,
  { now, owner }: { readonly now: number; readonly owner: () => Promise<string> },
): Promise<Mailbox> {
  const known = await store?.ownMailbox();
  if (known) return known;
  const dateFrom = new Date(now).toISOString();
  const body = await open('~', { syncType: 'FSync', dateFrom, recordCount: 1 });
  const { extensionId } = await readReply(body, { records: () => undefined, problem: () => undefined });
  return { extensionId: extensionId ?? (await owner()), own: true };
}

/**
 * Returns all sync scopes with their message counts and the time since the last sync, without those of `unknownOwner`,
 * which no sync updates.
 */
export function mirrorStatus(db: Database, now: number): readonly StreamStatus[] {
  const rows = prepareNamed<Omit<StreamStatus, 'lagSeconds'>>(
    db,
    `SELECT coalesce(mailbox.extension_number, mailbox.name, stream.extension_id) AS mailbox, stream.extension_id AS extensionId,
       message_type AS type, stream.direction, date_from AS dateFrom, sync_time AS syncTime, full_sync_time AS fullSyncTime,
       (SELECT count(*) FROM message WHERE message.extension_id = stream.extension_id
        AND (message_type IS NULL OR type = message_type) AND (stream.direction IS NULL OR message.direction = stream.direction)) AS messages,
       (SELECT count(*) FROM message INDEXED BY message_gone WHERE (availability <> 'Alive' OR missing_since IS NOT NULL)
        AND message.extension_id = stream.extension_id
        AND (message_type IS NULL OR type = message_type) AND (stream.direction IS NULL OR message.direction = stream.direction)) AS deleted,
       (SELECT count(*) FROM sync_error WHERE sync_error.stream_id = stream.stream_id) AS errors
       FROM stream LEFT JOIN mailbox USING (extension_id) WHERE stream.extension_id <> '${unknownOwner}'
       ORDER BY stream.extension_id, stream_id`,
  ).all();
  return rows.map((row) =>
    Object.assign(row, {
      messages: row.messages - row.deleted,
      lagSeconds:
        row.syncTime === null ? null : Math.max(0, Math.round((now - Date.parse(row.syncTime)) / 1000)),
    }),
  );
}
