import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  FolderMedia,
  mediaFolder,
  openMirror,
  SqliteMessages,
  syncScope,
  type FetchMedia,
  type OpenSync,
  type SyncReport,
} from '../../../src/features/mirror/index.ts';
import type { Database } from '../../../src/platform/sqlite.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { ApiError } from '../../../src/errors/service.ts';

/** A copy of its own for this test, and its file. */
export function newMirror(): { readonly db: Database; readonly file: string } {
  const file = join(temporaryFolder(), 'mirror.sqlite');
  const db = openMirror(file);
  onTestFinished(() => db.close());
  return { db, file };
}

/** The store of an open copy. */
export function messagesOf(db: Database): SqliteMessages {
  return new SqliteMessages(db, 'test.sqlite');
}

/** The folder with the attachments of a copy. */
export function mediaOf(file: string): FolderMedia {
  return new FolderMedia(mediaFolder(file));
}

/** What an export reads. */
export function sourceOf(db: Database, file: string) {
  return { messages: messagesOf(db), media: mediaOf(file) };
}

/** A message as the service gives it. */
export function message(id: number | string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    uri: `https://service.example/restapi/v1.0/account/1/extension/7/message-store/${id}`,
    id,
    to: [{ phoneNumber: '+16505550112', name: 'Alice Walker' }],
    from: { phoneNumber: '+15555550100' },
    type: 'SMS',
    creationTime: '2026-01-05T09:00:00.000Z',
    lastModifiedTime: '2026-01-05T09:00:00.000Z',
    readStatus: 'Unread',
    priority: 'Normal',
    attachments: [],
    direction: 'Inbound',
    availability: 'Alive',
    subject: `text ${id}`,
    messageStatus: 'Received',
    ...more,
  };
}

/** The reply of a sync as text. */
export function replyText(records: readonly object[], token = 'token-1', more: object = {}): string {
  return JSON.stringify({
    uri: 'https://service.example/restapi/v1.0/account/1/extension/7/message-sync',
    records,
    syncInfo: { syncType: 'FSync', syncToken: token, syncTime: '2026-01-05T09:00:00.000Z', ...more },
  });
}

/** Answers each sync with the next text, in small chunks, and remembers what was asked. */
export function replies(...texts: readonly (string | Error)[]) {
  const asked: Parameters<OpenSync>[1][] = [];
  const open: OpenSync = (_, request) => {
    asked.push(request);
    const text = texts[asked.length - 1];
    if (text === undefined) throw new Error('one sync too many');
    return text instanceof Error ? Promise.reject(text) : Promise.resolve(chunks(text));
  };
  return { open, asked };
}

/** A mailbox of a service that returns at most the newest `most` messages of the requested range in each reply. */
export function limitedService(all: readonly Message[], most: number) {
  const asked: Parameters<OpenSync>[1][] = [];
  const open: OpenSync = (_, request) => {
    asked.push(request);
    const { dateFrom = '', dateTo = '9' } = request;
    const inRange = all
      .filter(({ creationTime }) => creationTime >= dateFrom && creationTime <= dateTo)
      .toSorted((a, b) => (a.creationTime < b.creationTime ? 1 : -1));
    const info = { olderRecordsExist: inRange.length > most };
    return Promise.resolve(chunks(replyText(inRange.slice(0, most), `token-${asked.length}`, info)));
  };
  return { open, asked };
}

type Message = ReturnType<typeof message>;

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += 1000) yield bytes.subarray(from, from + 1000);
}

export function sync(
  db: Database,
  open: OpenSync,
  more: Partial<Parameters<typeof syncScope>[2]> = {},
): Promise<SyncReport> {
  return syncScope(messagesOf(db), open, {
    extensionId: '7',
    scope: {},
    onDelete: 'mark',
    now: () => Date.UTC(2026, 0, 5, 10),
    ...more,
  });
}

/** Every attachment has this content. */
export function givesMedia(content: string): FetchMedia {
  return (_, folder, name) => {
    const file = join(folder, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, content);
    return Promise.resolve({ file, bytes: content.length, sha256: undefined });
  };
}

/** The error for a rejected request, as the client throws it. */
export function rejection(status = 400): Error {
  return new ApiError({
    status,
    errorCode: 'MSG-333',
    message: 'full synchronization is required',
    request: { method: 'GET', path: '/restapi/v1.0/account/~/extension/~/message-sync' },
  });
}

export function rows(
  db: Database,
  sql: string,
  ...values: readonly string[]
): readonly Record<string, unknown>[] {
  return (db.prepare(sql).all(...values) as Record<string, unknown>[]).map((row) => Object.assign({}, row));
}

/** A database that notes the statements that are prepared. */
export function noting(db: Database): { readonly noted: Database; readonly statements: readonly string[] } {
  const statements: string[] = [];
  const noted: Database = {
    prepare(sql) {
      statements.push(sql);
      return db.prepare(sql);
    },
    exec: (sql) => db.exec(sql),
    close: () => db.close(),
  };
  return { noted, statements };
}
