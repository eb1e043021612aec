import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterSeconds } from '../scripts/proofs/cluster-seconds.ts';
import { connectStore, initializeStore } from '../src/store/index.ts';
import { startPostgres, type PostgresCluster } from '../test/support/postgres-cluster.ts';
import { startUcctl } from '../test/support/process.ts';
import { processorSeconds } from '../test/support/processor-seconds.ts';
import { spread, type Spread } from './measure.ts';
import type { Outcome } from './report.ts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';
import { scaled } from './scaled.ts';

const counts = [1, 2, 4];
const rounds = scaled(3);
/** Mailboxes of the fixture that are copied. */
const mailboxes = scaled(800, 20);
/** Processor time of a mailbox that several workers may need, relative to one worker. */
const mostGrowth = 1.25;
/** Processors for two workers, the sandbox and the database. */
const neededProcessors = 6;

let databases = 0;

interface Run {
  /** Wall seconds from the start of the workers until no task is left. */
  readonly seconds: number;
  /** Processor seconds of the workers and of the database. */
  readonly processor: number;
}

/** 1, 2 and 4 workers copy the same mailboxes from a service without rate limits, each time into an empty store. */
export async function fleet(): Promise<readonly Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-fleet-'));
  const sandbox = await startSandboxProcess(['--fixture', 'call-center', '--rate-limits', 'off']);
  const server = await startPostgres({ below: tmpdir() });
  try {
    const runs = new Map<number, Run[]>(counts.map((count) => [count, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const [count, found] of runs) found.push(await copyAll(server, sandbox, folder, count));
    const single = runs.get(1) ?? [];
    return counts.slice(1).flatMap((count) => comparisons(count, single, runs.get(count) ?? []));
  } finally {
    await server.stop();
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function comparisons(count: number, single: readonly Run[], several: readonly Run[]): readonly Outcome[] {
  const ratios = (of: (run: Run) => number) =>
    spread(several.map((run, round) => of(run) / of(single[round] ?? run)));
  const middle = (of: (run: Run) => number, runs: readonly Run[]) => spread(runs.map(of)).median.toFixed(1);
  const processor = ratios((run) => run.processor);
  const each = (run: Run): number => (run.processor / mailboxes) * 1000;
  return [
    {
      name: `processor time of a mailbox with ${count} workers (${middle(each, several)} ms), of that with one (${middle(each, single)} ms)`,
      value: processor.median,
      ...processor,
      goal: mostGrowth,
      sense: 'at most',
      unit: 'x',
    },
    ...(count === 2 ? [speedOf(ratios((run) => 1 / run.seconds))] : []),
  ];
}

/** Workers share the processors of this machine with the sandbox and the database, so few processors show nothing. */
function speedOf(ratio: Spread): Outcome {
  const name = 'speed of 2 workers, of one';
  const processors = availableParallelism();
  if (processors < neededProcessors)
    return {
      name,
      skipped: `not shown, because sandbox, database and workers share ${processors} processors; measured: ${ratio.median.toFixed(2)}x`,
    };
  return { name, value: ratio.median, ...ratio, goal: 1.8, sense: 'at least', unit: 'x' };
}

async function copyAll(
  server: PostgresCluster,
  sandbox: SandboxProcess,
  folder: string,
  count: number,
): Promise<Run> {
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
    return { seconds, processor };
  } finally {
    await db.close();
  }
}

/** Runs `ucctl`. @throws if it fails. */
async function succeed(words: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const { exit, stderr } = await startUcctl(words, { env }).ended;
  if (exit !== 0) throw new Error(`bench: ucctl ${words.join(' ')} ended with ${exit}: ${stderr}`);
}
