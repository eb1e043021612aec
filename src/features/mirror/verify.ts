import { counted } from '../../platform/counted.ts';
import { iterateRows, type Database } from '../../platform/sqlite.ts';
import { parseJson } from '../../platform/json.ts';
import { fullSync } from './sync-scope.ts';
import { hashOf, mediaFile } from './media.ts';
import { BadRecordError, readRecord } from './record.ts';
import { readReply, type OpenSync } from './reply.ts';
import type { FetchMessage } from './retry.ts';
import { allStreams, type Stream } from './streams.ts';

/** The result of one check. */
export interface Check {
  readonly check: string;
  readonly checked: number;
  readonly wrong: number;
  readonly details: readonly string[];
}

const shown = 20;

/** Checks the database without the service: its structure, its full text, and the hash of every attachment. */
export async function verifyLocal(db: Database, file: string): Promise<readonly Check[]> {
  const problems = (db.prepare('PRAGMA integrity_check').all() as { readonly integrity_check: string }[])
    .map(({ integrity_check }) => integrity_check)
    .filter((text) => text !== 'ok');
  const { rows, words } = db
    .prepare(
      'SELECT (SELECT count(*) FROM message) AS rows, (SELECT count(*) FROM message_fts_docsize) AS words',
    )
    .get() as { readonly rows: number; readonly words: number };
  return [
    { check: 'database', checked: 1, wrong: problems.length, details: problems.slice(0, shown) },
    {
      check: 'full text',
      checked: rows,
      wrong: Math.abs(rows - words),
      details: rows === words ? [] : [`${counted(rows, 'message')}, ${words} indexed`],
    },
    await verifyMedia(db, file),
  ];
}

async function verifyMedia(db: Database, file: string): Promise<Check> {
  const details: string[] = [];
  let checked = 0;
  let wrong = 0;
  for (const { sha256 } of iterateRows<{ readonly sha256: string }>(
    db,
    'SELECT DISTINCT sha256 FROM media',
  )) {
    checked += 1;
    const found = await hashOf(mediaFile(file, sha256)).catch(() => undefined);
    if (found === sha256) continue;
    wrong += 1;
    if (wrong <= shown) details.push(`${sha256}: ${found === undefined ? 'missing' : 'changed'}`);
  }
  return { check: 'attachments', checked, wrong, details };
}

/** Compares every message of every scope with the service. Reads all messages again, and stores nothing. */
export async function verifyWhole(db: Database, open: OpenSync): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const stream of allStreams(db)) {
    if (stream.syncToken !== undefined) checks.push(await verifyStream(db, open, stream));
  }
  return checks;
}

async function verifyStream(db: Database, open: OpenSync, stream: Stream): Promise<Check> {
  const copied = db.prepare(
    'SELECT raw, availability, missing_since FROM message WHERE extension_id = ? AND message_id = ?',
  );
  const seen = new Set<string>();
  const details: string[] = [];
  let wrong = 0;
  const note = (text: string): void => {
    wrong += 1;
    if (details.length < shown) details.push(text);
  };
  const { messageType, direction, maxRecords } = stream;
  const request = fullSync({ messageType, direction, maxRecords }, stream.dateFrom);
  const isOwn =
    db.prepare('SELECT 1 AS n FROM mailbox WHERE extension_id = ? AND own = 1').get(stream.extensionId) !==
    undefined;
  await readReply(await open(isOwn ? '~' : stream.extensionId, request), {
    records(texts) {
      for (const text of texts) {
        const id = idOf(text);
        if (id === undefined) continue;
        seen.add(id);
        const row = copied.get(stream.extensionId, id) as
          | { readonly raw: string; readonly availability: string; readonly missing_since: string | null }
          | undefined;
        if (!row) note(`${id}: not copied`);
        else if (!sameRecord(row.raw, text)) note(`${id}: differs from the message at the service`);
        else if (row.availability !== 'Alive' || row.missing_since !== null)
          note(`${id}: deleted in the copy, but available at the service`);
      }
    },
    problem: (id, problem) => note(`${id ?? 'a record'}: ${problem}`),
  });
  if (maxRecords === undefined)
    for (const id of aliveIds(db, stream)) if (!seen.has(id)) note(`${id}: not found at the service`);
  const scope = [stream.extensionId, messageType, direction].filter((part) => part !== undefined).join(' ');
  return { check: `mailbox ${scope}`, checked: seen.size, wrong, details };
}

function* aliveIds(
  db: Database,
  { extensionId, messageType, direction, dateFrom }: Stream,
): Generator<string> {
  const rows = iterateRows<{ readonly id: string }>(
    db,
    `SELECT message_id AS id FROM message WHERE extension_id = ? AND type = coalesce(?, type)
     AND coalesce(direction, '') = coalesce(?, direction, '') AND creation_time >= ?
     AND availability = 'Alive' AND missing_since IS NULL`,
    [extensionId, messageType ?? null, direction ?? null, dateFrom],
  );
  for (const { id } of rows) yield id;
}

function idOf(text: string): string | undefined {
  try {
    return readRecord(text).id;
  } catch (error) {
    if (error instanceof BadRecordError) return error.id;
    throw error;
  }
}

/** Compares random messages with the service. */
export async function verifySample(db: Database, fetchMessage: FetchMessage, count: number): Promise<Check> {
  const rows = db
    .prepare(
      `SELECT extension_id AS extensionId, message_id AS id, raw FROM message WHERE pk IN
       (SELECT pk FROM message WHERE availability = 'Alive' AND missing_since IS NULL ORDER BY random() LIMIT ?)`,
    )
    .all(count) as { readonly extensionId: string; readonly id: string; readonly raw: string }[];
  const details: string[] = [];
  for (const { extensionId, id, raw } of rows) {
    const text = await fetchMessage(extensionId, id);
    if (text === undefined) details.push(`${id}: not found at the service`);
    else if (!sameRecord(text, raw)) details.push(`${id}: differs`);
  }
  return { check: 'sample', checked: rows.length, wrong: details.length, details: details.slice(0, shown) };
}

/** Whether two records are equal; addresses may change (BASE-15), and the order of members is ignored. */
function sameRecord(a: string, b: string): boolean {
  return a === b || canonical(parseJson(a)) === canonical(parseJson(b));
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => {
    if (key === 'uri') return undefined;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
