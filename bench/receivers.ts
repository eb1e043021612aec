import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { startListener } from '../scripts/proofs/listener-process.ts';
import { connectStore, initializeStore } from '../src/store/index.ts';
import { startNats } from '../test/support/nats.ts';
import { startPostgres } from '../test/support/postgres-cluster.ts';
import { requestsPerSecond, startServer } from './children.ts';
import { spread } from './measure.ts';
import { receiverCount } from './receiver-count.ts';
import { notification, startReceiver } from './receiver-process.ts';
import type { Outcome, Result } from './report.ts';

/** UCCTL_BENCH_SCALE reduces all sizes, to test the benchmark itself. */
const scale = Number(process.env['UCCTL_BENCH_SCALE'] ?? 1);
const rounds = Math.max(1, Math.round(5 * scale));
const saturatedSeconds = Math.max(1, 2 * scale);
const pacedSeconds = Math.max(2, 10 * scale);
const connections = 32;
/** Notifications per second of the paced runs. */
const rate = 1000;

/**
 * Durable acknowledgement of one receiver with a store or a stream: at saturation, compared with a bare server that
 * answers 200 and stores nothing, in the same round; then at a fixed rate, compared with the inbox of one machine.
 * Finally, several receivers with one store.
 */
export async function receivers(): Promise<readonly Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-receivers-'));
  const settings = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };
  const postgres = await startPostgres({ below: tmpdir(), settings });
  const nats = await startNats();
  const bare = await startServer('bare-server.mjs', JSON.stringify({ body: '', headers: {} }));
  const store = `${postgres.url}/postgres`;
  try {
    const db = connectStore({ url: store, source: 'the benchmark', env: {} });
    await initializeStore(db, {});
    await db.close();
    const results: Outcome[] = [];
    for (const [name, sink, goal] of [
      ['PostgreSQL', 'store', 0.28],
      ['JetStream', `${nats.url}/EVENTS`, 0.15],
    ] as const) {
      const receiver = await startReceiver(folder, store, sink);
      try {
        results.push(await saturated(name, goal, receiver.url, bare.url));
        results.push(await paced(folder, name, receiver.url));
      } finally {
        await receiver.stop();
      }
    }
    return [...results, ...(await receiverCount(folder, store, postgres.data))];
  } finally {
    await bare.stop();
    await nats.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function saturated(name: string, goal: number, url: string, bareUrl: string): Promise<Result> {
  const ratios: number[] = [];
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    const load = {
      method: 'POST',
      body: notification(`${name}-${round}`),
      connections,
      seconds: saturatedSeconds,
    } as const;
    const durable = await requestsPerSecond({ ...load, url });
    const limit = await requestsPerSecond({ ...load, url: bareUrl });
    if (round > 0) ratios.push(durable / limit);
  }
  const { min, median, max, noise } = spread(ratios);
  const title = `durable acknowledgement in ${name}, of a bare server`;
  return { name: title, value: median, min, max, noise, goal, sense: 'at least', unit: 'x' };
}

/** The 99th percentile at a fixed rate, as a multiple of that of the inbox of one machine. */
async function paced(folder: string, name: string, url: string): Promise<Result> {
  const inbox = await startListener(folder, 'ignore');
  try {
    const pairs: (readonly [own: number, inbox: number])[] = [];
    await p99(url, 'warm');
    await p99(inbox.url, 'warm');
    for (let piece = 0; piece < 3; piece += 1)
      pairs.push([await p99(url, `${name}-p${piece}`), await p99(inbox.url, `${name}-p${piece}`)]);
    const { min, median, max, noise } = spread(pairs.map(([own, other]) => own / other));
    const own = spread(pairs.map(([one]) => one)).median;
    const title = `99th percentile in ${name} at ${rate}/s (${own.toFixed(1)} ms), of the inbox`;
    return { name: title, value: median, min, max, noise, goal: 3, sense: 'at most', unit: 'x' };
  } finally {
    await inbox.kill();
  }
}

/** Milliseconds. */
async function p99(url: string, prefix: string): Promise<number> {
  const load = JSON.stringify({ url, body: notification(prefix), connections, rate, seconds: pacedSeconds });
  const child = spawn(execPath, ['bench/paced-load.mjs', load], { stdio: ['ignore', 'pipe', 'inherit'] });
  const found = JSON.parse(await text(child.stdout)) as {
    readonly p99: number;
    readonly statuses: Readonly<Record<string, number>>;
  };
  if (Object.keys(found.statuses).some((status) => status !== '200'))
    throw new Error(`bench: the receiver answered ${JSON.stringify(found.statuses)}`);
  return found.p99;
}
