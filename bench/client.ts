import { spread } from './measure.ts';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleUndici } from './limits.ts';
import type { Outcome, Result } from './report.ts';
import { scaled } from './scaled.ts';
import type { Timed } from './timed.ts';

const latencyMilliseconds = 20;
const posts = scaled(2000, 50);
const pages = scaled(1000, 20);
const atOnce = 16;
const rounds = 3;

/** A bare server in a separate process: answers POSTs with 528 bytes and pages with 33 KB, each after 20 ms. */
const serverSource = `
const { createServer } = require('node:http');
const message = JSON.stringify({ id: 1, subject: 'x'.repeat(507) });
const record = 'y'.repeat(300);
const page = (n) => JSON.stringify({ records: Array.from({ length: 100 }, (_, i) => ({ id: n * 100 + i, record })), paging: { page: n, perPage: 100, totalPages: ${pages} } });
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => setTimeout(() => {
    const n = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 0);
    response.setHeader('content-type', 'application/json');
    response.end(n ? page(n) : message);
  }, ${latencyMilliseconds}));
});
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => process.stdout.write(server.address().port + '\\n'));
`;

/** The client as a library in a separate process; prints milliseconds and its peak memory. */
const clientSource = `
const { createClient } = await import(process.env.CLIENT);
const client = createClient({ baseUrl: process.env.BASE, token: 't', connections: 32 });
const kind = process.env.KIND;
const call = kind === 'fresh'
  ? { method: 'POST', path: '/restapi/v1.0/account/~/extension/~/sms', body: { text: 'x'.repeat(60) }, once: true }
  : { method: 'POST', path: '/restapi/v1.0/account/~/department/bulk-assign', body: { text: 'x'.repeat(60) } };
const start = performance.now();
if (kind === 'pages') {
  let count = 0;
  for await (const record of client.pages({ method: 'GET', path: '/restapi/v1.0/account/~/extension' }, { perPage: 100 })) count += record.id > 0 ? 1 : 0;
  if (count !== ${pages * 100}) throw new Error('read ' + count);
} else {
  let next = 0;
  await Promise.all(Array.from({ length: ${atOnce} }, async () => { while (next++ < ${posts}) await client.transport.send(call); }));
}
console.log(JSON.stringify({ milliseconds: performance.now() - start }));
await client.close();
`;

/** Only undici, on pooled or on new connections: what the client could reach without its own work. */
const bareSource = `
const { createRequire } = await import('node:module');
const { createPool, send } = createRequire(process.cwd() + '/')(process.env.BARE);
const pool = createPool(process.env.BASE);
const options = {
  origin: process.env.BASE,
  path: '/restapi/v1.0/account/~/extension/~/sms',
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer t' },
  body: JSON.stringify({ text: 'x'.repeat(60) }),
  reset: process.env.KIND === 'bare fresh',
};
const start = performance.now();
let next = 0;
await Promise.all(Array.from({ length: ${atOnce} }, async () => { while (next++ < ${posts}) await send(pool, options); }));
console.log(JSON.stringify({ milliseconds: performance.now() - start }));
await pool.close();
`;

interface Measured extends Pick<Timed, 'megabytes'> {
  readonly milliseconds: number;
}

/**
 * Small POSTs, 16 at a time, compared with curl in the same run, pooled and on new connections; and pages in order
 * with prefetch.
 */
export async function client(): Promise<readonly Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-bench-'));
  const server = spawn('node', ['-e', serverSource], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const base = `http://127.0.0.1:${line.toString().trim()}`;
    const url = (path: string): string => `${base}/restapi/v1.0${path}`;
    const list = Array.from({ length: pages }, (_, index) => url(`/extension?page=${index + 1}&perPage=100`));
    const bulk = Array.from({ length: posts }, () => url('/bulk'));
    const ours = (kind: string): Measured => runClient(folder, base, kind);
    const pooled = compare(
      rounds,
      () => ours('pooled'),
      () => curl(folder, bulk, ['-d', 'x'.repeat(90)]),
    );
    const fresh = compare(
      rounds,
      () => ours('fresh'),
      () => curl(folder, bulk, ['-d', 'x'.repeat(90)]),
    );
    await bundleUndici(folder);
    const barePooled = compare(
      rounds,
      () => ours('bare pooled'),
      () => curl(folder, bulk, ['-d', 'x'.repeat(90)]),
    );
    const bareFresh = compare(
      rounds,
      () => ours('bare fresh'),
      () => curl(folder, bulk, ['-d', 'x'.repeat(90)]),
    );
    // curl also requests one page after another, on one keep-alive connection.
    const ordered = compare(
      rounds,
      () => ours('pages'),
      () => curl(folder, list, [], 1),
    );
    const peak = [...pooled.megabytes, ...fresh.megabytes, ...ordered.megabytes];
    return [
      {
        name: `${posts} POSTs, ${atOnce} at a time, pooled, to curl`,
        ...figures(pooled.ratios),
        goal: 0.97,
        sense: 'at least',
        unit: 'x',
      },
      {
        name: 'pooled, minimal program with undici, to curl',
        ...figures(barePooled.ratios),
        unit: 'x',
        isLimit: true,
      },
      {
        name: 'the same on fresh connections',
        ...figures(fresh.ratios),
        goal: 0.8,
        sense: 'at least',
        unit: 'x',
      },
      {
        name: 'fresh connections, minimal program with undici, to curl',
        ...figures(bareFresh.ratios),
        unit: 'x',
        isLimit: true,
      },
      {
        name: `${pages} pages of 33 KB in order, to curl`,
        ...figures(ordered.ratios),
        goal: 0.8,
        sense: 'at least',
        unit: 'x',
      },
      {
        name: 'peak memory',
        ...figures(peak),
        value: Math.max(...peak),
        goal: 110,
        sense: 'at most',
        unit: ' MB',
      },
    ];
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs both programs alternately, after one warm-up of each. */
function compare(times: number, mine: () => Measured, other: () => number) {
  mine();
  other();
  const pairs = Array.from({ length: times }, () => [mine(), other()] as const);
  return {
    ratios: pairs.map(([own, reference]) => reference / own.milliseconds),
    megabytes: pairs.map(([own]) => own.megabytes),
  };
}

/** The figures of a row of `printResults`. */
function figures(values: readonly number[]): Pick<Result, 'value' | 'min' | 'max' | 'noise'> {
  const { median: value, min, max, noise } = spread(values);
  return { value, min, max, noise };
}

function runClient(folder: string, base: string, kind: string): Measured {
  const file = join(folder, 'client.mjs');
  writeFileSync(file, kind.startsWith('bare') ? bareSource : clientSource);
  const peak = join(folder, 'peak');
  const result = spawnSync('node', ['--liftoff-only', file], {
    encoding: 'utf8',
    env: {
      ...process.env,
      NODE_OPTIONS: '--require=./bench/peak-memory.cjs',
      UCCTL_BENCH_PEAK: peak,
      BASE: base,
      KIND: kind,
      BARE: join(folder, 'bare-undici.cjs'),
      CLIENT: join(process.cwd(), 'dist/lib/client.js'),
    },
  });
  if (result.status !== 0) throw new Error(`bench: ${result.stderr}`);
  const { milliseconds } = JSON.parse(result.stdout) as Pick<Measured, 'milliseconds'>;
  return { milliseconds, megabytes: Number(readFileSync(peak, 'utf8')) };
}

function curl(folder: string, urls: readonly string[], more: readonly string[], parallel = atOnce): number {
  const file = join(folder, 'curl.txt');
  writeFileSync(file, urls.map((url) => `url = "${url}"\noutput = "/dev/null"\n`).join(''));
  const start = performance.now();
  const many = parallel > 1 ? ['--parallel', '--parallel-max', String(parallel)] : [];
  const result = spawnSync('curl', ['-s', '-S', ...many, ...more, '-K', file], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  if (result.status !== 0) throw new Error(`bench: curl: ${result.stderr}`);
  return performance.now() - start;
}
