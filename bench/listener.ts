import { spawn } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { startListener } from '../scripts/proofs/listener-process.ts';
import { requestsPerSecond, startServer } from './children.ts';
import { spread } from './measure.ts';
import type { Result } from './report.ts';

/** UCCTL_BENCH_SCALE reduces all sizes, to test the benchmark itself. */
const scale = Number(process.env['UCCTL_BENCH_SCALE'] ?? 1);
const rounds = Math.max(1, Math.round(5 * scale));
const saturatedSeconds = Math.max(1, 2 * scale);
const pacedSeconds = Math.max(2, 100 * scale);
const connections = 32;
/** Notifications per second of the paced runs. */
const rate = 2000;
/** Body of a notification, as large as the notifications of the service. */
const bodyBytes = 1489;

/**
 * Durable acknowledgement: at saturation, compared with a bare server that answers 200 and stores nothing, in the
 * same run; then at a fixed rate, the latencies, and the memory while stdout is not read.
 */
export async function listener(): Promise<readonly Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-listener-'));
  try {
    return [await saturated(folder), ...(await paced(folder))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function saturated(folder: string): Promise<Result> {
  const bare = await startBare();
  const ratios: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      // The output of the listener is discarded. In the paced runs, nothing reads the output.
      const own = await startListener(folder, 'ignore');
      const load = {
        method: 'POST',
        body: body(`s${round}`),
        connections,
        seconds: saturatedSeconds,
      } as const;
      try {
        const durable = await requestsPerSecond({ ...load, url: own.url });
        ratios.push(durable / (await requestsPerSecond({ ...load, url: bare.url })));
      } finally {
        await own.kill();
      }
    }
  } finally {
    await bare.stop();
  }
  const { min, median, max, noise } = spread(ratios);
  const name = 'durable acknowledgement, of a bare server';
  return { name, value: median, min, max, noise, goal: 0.25, sense: 'at least', unit: 'x' };
}

/** Percentiles of the latency, and the growth of memory after the warm-up. */
async function paced(folder: string): Promise<readonly Result[]> {
  const bare = await pacedBare();
  const sync = syncMilliseconds(folder).toFixed(2);
  const own = await startListener(folder, 'pipe');
  try {
    await pace(own.url, 'warm', 2);
    const before = own.megabytes();
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, own.megabytes())), 100);
    // The run is split into parts, to measure the spread of each percentile.
    const pieces: Paced[] = [];
    for (let piece = 0; piece < 5; piece += 1) {
      pieces.push(await pace(own.url, `p${piece}`, pacedSeconds / 5));
    }
    clearInterval(watch);
    const wait = (name: string, of: (one: Paced) => number, goal: number): Result => {
      const { min, median, max, noise } = spread(pieces.map(of));
      const title = `wait at ${rate}/s, ${name} (bare server ${of(bare).toFixed(2)} ms, one sync of the disk ${sync} ms)`;
      return { name: title, value: median, min, max, noise, goal, sense: 'at most', unit: ' ms' };
    };
    const growth = peak - before;
    const sent = pieces.reduce((sum, piece) => sum + piece.sent, 0);
    return [
      wait('50th percentile', ({ p50 }) => p50, 1),
      wait('99th percentile', ({ p99 }) => p99, 10),
      wait('99.9th percentile', ({ p999 }) => p999, 20),
      {
        name: `memory growth over ${sent} unread events`,
        value: growth,
        min: growth,
        max: growth,
        noise: 0,
        goal: 30,
        sense: 'at most',
        unit: ' MB',
      },
    ];
  } finally {
    await own.kill();
  }
}

/** Median time of a synced write as large as one notification; no latency can be shorter. */
function syncMilliseconds(folder: string): number {
  const file = openSync(join(folder, 'sync'), 'a');
  const times = Array.from({ length: 100 }, () => {
    writeSync(file, Buffer.alloc(bodyBytes));
    const start = performance.now();
    fdatasyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  return spread(times).median;
}

/** Latencies of a server that does nothing, as a reference for the machine. */
async function pacedBare(): Promise<Paced> {
  const bare = await startBare();
  try {
    return await pace(bare.url, 'bare', Math.min(2, pacedSeconds / 5));
  } finally {
    await bare.stop();
  }
}

function startBare() {
  const answer = JSON.stringify({ body: '', headers: { 'content-type': 'application/json' } });
  return startServer('bare-server.mjs', answer);
}

interface Paced {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly sent: number;
  readonly statuses: Readonly<Record<string, number>>;
}

async function pace(url: string, prefix: string, seconds: number): Promise<Paced> {
  const load = JSON.stringify({ url, body: body(prefix), connections, rate, seconds });
  const child = spawn(execPath, ['bench/paced-load.mjs', load], { stdio: ['ignore', 'pipe', 'inherit'] });
  const paced = JSON.parse(await text(child.stdout)) as Paced;
  if (Object.keys(paced.statuses).some((status) => status !== '200')) {
    throw new Error(`bench: the listener answered ${JSON.stringify(paced.statuses)}`);
  }
  return paced;
}

function body(prefix: string): string {
  const head = {
    uuid: `${prefix}-@COUNTER@@@@`,
    event: '/restapi/v1.0/account/1/extension/2/message-store',
    timestamp: 't',
  };
  const filler = 'x'.repeat(bodyBytes - JSON.stringify({ ...head, body: { text: '' } }).length);
  return JSON.stringify({ ...head, body: { text: filler } });
}
