import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMirror, sqliteArchive } from '../src/features/mirror/index.ts';
import { PostgresCalls } from '../src/features/mirror/postgres/calls.ts';
import { PostgresMessages } from '../src/features/mirror/postgres/store.ts';
import type { Archive } from '../src/store/archive.ts';
import { connectStore, initializeStore } from '../src/store/index.ts';
import { startPostgres } from '../test/support/postgres-cluster.ts';
import type { Result } from './report.ts';
import { copyRatios, loadCalls, reports } from './store-calls.ts';
import { fillMessages, searches } from './store-messages.ts';

/** The archive in PostgreSQL, compared with COPY alone and with SQLite. */
export async function store(): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-bench-store-'));
  chmodSync(folder, 0o777);
  const settings = {
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    shared_buffers: '256MB',
    max_wal_size: '4GB',
  };
  const server = await startPostgres({ below: tmpdir(), settings });
  const db = connectStore({ url: `${server.url}/postgres?statement_timeout=1800000`, source: '', env: {} });
  try {
    await initializeStore(db, {});
    const inStore: Archive = {
      messages: new PostgresMessages(db),
      calls: new PostgresCalls(db),
      media: undefined as never,
    };
    const file = join(folder, 'copy.sqlite');
    const sqlite = openMirror(file);
    const inFile = sqliteArchive(sqlite, file);
    await inFile.calls.prepare();
    const results: Result[] = [];
    results.push(...(await copyRatios(db, inStore.calls)));
    await loadCalls(inFile.calls);
    await db.script('analyze');
    sqlite.exec('ANALYZE');
    results.push(...(await reports(inStore, inFile)));
    sqlite.close();
    await fillMessages(inStore);
    await db.script('vacuum analyze message');
    results.push(...(await searches(inStore)));
    return results;
  } finally {
    await db.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
