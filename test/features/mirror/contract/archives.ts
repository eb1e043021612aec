import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { FolderMedia, openMirror, sqliteArchive } from '../../../../src/features/mirror/index.ts';
import { PostgresCalls } from '../../../../src/features/mirror/postgres/calls.ts';
import { PostgresMessages } from '../../../../src/features/mirror/postgres/store.ts';
import type { Archive } from '../../../../src/store/archive.ts';
import { testStore } from '../../../support/postgres.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

/** The implementations that the contract is tested on. */
export const engines = ['sqlite', 'postgres'] as const;

/** An empty archive of this test. */
export async function newArchive(engine: (typeof engines)[number]): Promise<Archive> {
  const folder = temporaryFolder();
  if (engine === 'postgres') {
    const { db } = await testStore();
    const media = new FolderMedia(join(folder, 'media'));
    return {
      messages: new PostgresMessages(db),
      calls: new PostgresCalls(db),
      media,
    };
  }
  const file = join(folder, 'copy.sqlite');
  const db = openMirror(file);
  onTestFinished(() => db.close());
  return sqliteArchive(db, file);
}

/** The rows of a sequence. */
export async function listOf<T>(rows: Iterable<T> | AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
