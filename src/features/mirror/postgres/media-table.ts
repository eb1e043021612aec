import type { Message } from '../../../contract/message.ts';
import { parseJson } from '../../../platform/json.ts';
import type { Postgres, Queries } from '../../../platform/postgres/postgres.ts';
import type { MissingMedia, SavedMedia } from '../../../store/message-store.ts';
import { wantedAttachments } from '../record.ts';

/** Maximum number of rows in memory at the same time. */
const some = 1000;

/** Yields the attachments of a mailbox that are not copied, oldest message first. @throws {StoreError} */
export async function* missingMedia(
  db: Postgres,
  extensionId: string,
): AsyncGenerator<MissingMedia, void, undefined> {
  let after: readonly [number, number] = [-1, -1];
  for (;;) {
    const rows = await db.query<{ pk: number; key: number; raw: string; have: readonly string[] }>(
      `select pk, created_key as key, raw, array(select attachment_id from media where message_pk = pk) as have from message
       where media_wanted > 0 and extension_id = $1 and (created_key, pk) > ($2, $3) and availability = 'Alive' and missing_since is null
       and media_wanted > (select count(*) from media where message_pk = pk) order by created_key, pk limit ${some}`,
      [extensionId, ...after],
    );
    for (const { pk, key, raw, have } of rows) {
      const message = parseJson(raw) as Partial<Message>;
      for (const { id, uri, contentType, fileName, size } of wantedAttachments(message)) {
        if (!have.includes(String(id))) yield { pk, id: String(id), uri, contentType, fileName, size };
      }
      after = [key, pk];
    }
    if (rows.length < some) return;
  }
}

/** Stores the row of a copied attachment. @throws {StoreError} */
export async function saveMedia(
  db: Queries,
  { pk, id, contentType, fileName, bytes, sha256 }: SavedMedia,
): Promise<void> {
  await db.run(
    `insert into media (message_pk, attachment_id, content_type, file_name, bytes, sha256) values ($1, $2, $3, $4, $5, $6)
     on conflict (message_pk, attachment_id) do update set content_type = excluded.content_type, file_name = excluded.file_name,
       bytes = excluded.bytes, sha256 = excluded.sha256`,
    [pk, id, contentType ?? null, fileName ?? null, bytes, sha256],
  );
}

/** Returns the hashes of all copied attachments, or of the attachments of one mailbox. @throws {StoreError} */
export async function* mediaHashes(
  db: Postgres,
  extensionId: string | undefined,
): AsyncGenerator<string, void, undefined> {
  let after = '';
  for (;;) {
    const rows = await db.query<{ sha256: string }>(
      `select distinct sha256 from media where sha256 > $1
       and ($2::text is null or message_pk in (select pk from message where extension_id = $2)) order by sha256 limit ${some}`,
      [after, extensionId ?? null],
    );
    for (const { sha256 } of rows) yield sha256;
    after = rows.at(-1)?.sha256 ?? after;
    if (rows.length < some) return;
  }
}
