import type { Stream } from '../../store/mailbox.ts';
import type { MediaStore } from '../../store/media-store.ts';
import type { Check, ExcludableRecord, MessageStore } from '../../store/message-store.ts';
import { fileFailureReason, isFileError } from '../../platform/file-failure.ts';
import { parseJson } from '../../platform/json.ts';
import { fullSync } from './sync-scope.ts';
import { unknownOwner } from './other-mailbox.ts';
import { BadRecordError, readRecord } from './record.ts';
import type { OpenSync } from './reply.ts';
import type { FetchMessage } from './retry.ts';
import { openWholeScope, type ScopeSync } from './whole-scope.ts';

const shown = 20;

/**
 * Checks the archive without requests to the service: its structure, its full-text index, and the hash of every
 * attachment.
 */
export async function verifyLocal(store: MessageStore, media: MediaStore): Promise<readonly Check[]> {
  return [...(await store.check()), await verifyMedia(store, media)];
}

async function verifyMedia(store: MessageStore, media: MediaStore): Promise<Check> {
  const details: string[] = [];
  let checked = 0;
  let wrong = 0;
  for await (const sha256 of store.mediaHashes()) {
    checked += 1;
    const problem = await problemOf(media, sha256);
    if (problem === undefined) continue;
    wrong += 1;
    if (wrong <= shown) details.push(`${sha256}: ${problem}`);
  }
  return { check: 'attachments', checked, wrong, details };
}

/** Returns what is wrong with the content of an attachment. @throws if a place that is not a folder cannot be read. */
async function problemOf(media: MediaStore, sha256: string): Promise<string | undefined> {
  try {
    const found = await media.hash(sha256);
    if (found === sha256) return undefined;
    return found === undefined ? 'missing' : 'changed';
  } catch (error) {
    if (!isFileError(error)) throw error;
    return fileFailureReason(error);
  }
}

/** Compares every message of every scope with the service. Reads all messages again, and stores nothing. */
export async function verifyWhole(store: MessageStore, open: OpenSync): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const own = (await store.ownMailbox())?.extensionId;
  for (const stream of await store.streams()) {
    if (stream.syncToken === undefined || stream.extensionId === unknownOwner) continue;
    const path = stream.extensionId === own ? '~' : stream.extensionId;
    checks.push(await verifyStream(store, (request) => open(path, request), stream));
  }
  return checks;
}

async function verifyStream(store: MessageStore, open: ScopeSync['open'], stream: Stream): Promise<Check> {
  const seen = new Set<string>();
  const details: string[] = [];
  let wrong = 0;
  const note = (text: string): void => {
    wrong += 1;
    if (details.length < shown) details.push(text);
  };
  const { extensionId, messageType, direction, maxRecords } = stream;
  const isExcluded = await store.excluded(stream.extensionId);
  const request = fullSync({ messageType, direction, maxRecords }, stream.dateFrom);
  const read = await openWholeScope({ extensionId, request, open });
  const { isCut } = await read({
    async records(texts) {
      const byId = new Map<string, string>();
      for (const text of texts) {
        const id = idOf(text);
        if (id !== undefined) byId.set(id, text);
      }
      const copied = await store.copied(stream.extensionId, [...byId.keys()]);
      for (const [id, text] of byId) {
        seen.add(id);
        const row = copied.get(id);
        if (!row) {
          if (!isDeliberatelyMissing(text, isExcluded)) note(`${id}: not copied`);
        } else if (!sameRecord(row.raw, text)) note(`${id}: differs from the message on the service`);
        else if (row.availability !== 'Alive' || row.missingSince !== null)
          note(`${id}: deleted in the local mailbox copy, but available on the service`);
      }
    },
    problem: (id, problem) => note(`${id ?? 'a record'}: ${problem}`),
  });
  if (maxRecords === undefined && !isCut)
    for await (const id of store.aliveIds(stream)) if (!seen.has(id)) note(`${id}: not found on the service`);
  const scope = [stream.extensionId, messageType, direction].filter((part) => part !== undefined).join(' ');
  return { check: `mailbox ${scope}`, checked: seen.size, wrong, details };
}

/** Whether the archive must not have the message of this text. */
function isDeliberatelyMissing(text: string, isExcluded: (record: ExcludableRecord) => boolean): boolean {
  try {
    const record = readRecord(text);
    return record.kind === 'message' && isExcluded(record);
  } catch (error) {
    if (error instanceof BadRecordError) return false;
    throw error;
  }
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
export async function verifySample(
  store: Pick<MessageStore, 'sample'>,
  fetchMessage: FetchMessage,
  count: number,
): Promise<Check> {
  const rows = await store.sample(count);
  const details: string[] = [];
  for (const { extensionId, id, raw } of rows) {
    const text = await fetchMessage(extensionId, id);
    if (text === undefined) details.push(`${id}: not found on the service`);
    else if (!sameRecord(text, raw)) details.push(`${id}: differs from the message on the service`);
  }
  return { check: 'sample', checked: rows.length, wrong: details.length, details: details.slice(0, shown) };
}

/**
 * Members that are not compared: addresses, which may change (BASE-15), and a member that only the reply to a read of one
 * message has (CURRENT-21).
 */
const ignoredMembers = new Set(['uri', 'vmSideRecipients']);

/** Whether two records are equal, except for the members that are not compared and the order of members. */
function sameRecord(a: string, b: string): boolean {
  return a === b || canonical(parseJson(a)) === canonical(parseJson(b));
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => {
    if (ignoredMembers.has(key)) return undefined;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
