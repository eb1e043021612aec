import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterSeconds } from '../scripts/proofs/cluster-seconds.ts';
import { connectStore, initializeStore } from '../src/store/index.ts';
import { startPostgres, type PostgresCluster } from '../test/support/postgres-cluster.ts';
import { startUcctl } from '../test/support/process.ts';
import { processorSeconds } from '../test/support/processor-seconds.ts';
import type { Outcome } from './report.ts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';
import { scaled } from './scaled.ts';
import { scaling, type SharedWork } from './scaling.ts';

const rounds = scaled(3);
/** Mailboxes of the fixture that are copied. */
const mailboxes = scaled(800, 20);

let databases = 0;

/** 1, 2 and 4 workers copy the same mailboxes from a service without rate limits, each time into an empty store. */
export async function fleet(): Promise<readonly Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-fleet-'));
  const sandbox = await startSandboxProcess(['--fixture', 'call-center', '--rate-limits', 'off']);
  const server = await startPostgres({ below: tmpdir() });
  try {
    return await scaling({
      rounds,
      names: { processes: 'workers', item: 'a mailbox' },
      shown: (middle) => `${(middle * 1000).toFixed(1)} ms`,
      goal: 1.8,
      sharers: 'sandbox, database and workers',
      measure: (count) => copyAll(server, sandbox, folder, count),
    });
  } finally {
    await server.stop();
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyAll(
  server: PostgresCluster,
  sandbox: SandboxProcess,
  folder: string,
  count: number,
): Promise<SharedWork> {
  databases += 1;
  const url = `${server.url}/run_${databases}`;
  const administrator = connectStore({ url: `${server.url}/postgres`, source: 'the benchmark', env: {} });
  await administrator.script(`create database run_${databases}`);
  await administrator.close();
  const db = connectStore({ url, source: 'the benchmark', env: {} });
  try {
    await initializeStore(db, {});
    const env = {
      HOME: folder,
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_TOKEN: sandbox.token,
      UCCTL_STORE: url,
    };
    await succeed(['fleet', 'enroll', '--extension', 'all', '--every', '1h', '-q'], env);
    await db.run(
      'delete from fleet_task where task_id not in (select task_id from fleet_task order by task_id limit $1)',
      [mailboxes],
    );
    const before = { processor: processorSeconds() + clusterSeconds(server.data), wall: performance.now() };
    await Promise.all(Array.from({ length: count }, () => succeed(['fleet', 'worker', '--once', '-q'], env)));
    const seconds = (performance.now() - before.wall) / 1000;
    const processor = processorSeconds() + clusterSeconds(server.data) - before.processor;
    const [row] = await db.query<{ done: number }>('select count(*) as done from fleet_task where runs > 0');
    if (row?.done !== mailboxes) throw new Error(`bench: ${row?.done} of ${mailboxes} mailboxes were copied`);
    return { rate: mailboxes / seconds, processor: processor / mailboxes };
  } finally {
    await db.close();
  }
}

/** Runs `ucctl`. @throws if it fails. */
async function succeed(words: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const { exit, stderr } = await startUcctl(words, { env }).ended;
  if (exit !== 0) throw new Error(`bench: ucctl ${words.join(' ')} ended with ${exit}: ${stderr}`);
}
