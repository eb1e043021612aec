import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultOf } from './measure.ts';
import type { Result } from './report.ts';
import { hasCommand, startMediaServer, timeCommand, timeUcctl, type Timed } from './timed.ts';

const mib = 1024 * 1024;
/** UCCTL_BENCH_SCALE reduces all sizes, to test the benchmark itself. */
const scale = Number(process.env['UCCTL_BENCH_SCALE'] ?? 1);
const large = Math.round(1024 * scale) * mib;
const small = Math.round(2000 * scale);
const rounds = 5;
const connections = 8;
/**
 * Latency of the service in the second row of small files, in milliseconds; the same as in the benchmark of the
 * client.
 */
const away = 20;
/** MB/s that the throttled server sends on each connection. */
const rate = 20;

/**
 * One large file, one large file from a server that limits each connection, and many small files, compared with curl
 * and aria2c.
 */
export async function download(): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-bench-download-'));
  const { url, child } = await startMediaServer();
  try {
    return [
      ...largeFile(folder, url),
      ...throttled(folder, url),
      smallFiles(folder, url, 0),
      smallFiles(folder, url, away),
    ];
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Deletes the files of the previous run before the time is measured, because freeing their memory takes time. */
function clean(folder: string): void {
  for (const name of ['own', 'aria', 'curl', 'small', 'peers'])
    rmSync(join(folder, name), { recursive: true, force: true });
  mkdirSync(join(folder, 'peers'));
}

function ours(folder: string, url: string, uri: string): Timed {
  clean(folder);
  const args = ['download', '--uri', uri, '--dir', join(folder, 'own'), '--clobber', '-q'];
  return timeUcctl(folder, url, [...args, '--connections', String(connections)]);
}

function aria(folder: string, uri: string): number {
  clean(folder);
  const args = [
    '-q',
    '--allow-overwrite=true',
    `-x${connections}`,
    `-s${connections}`,
    '-d',
    folder,
    '-o',
    'aria',
  ];
  return timeCommand(['aria2c', ...args, uri]);
}

function largeFile(folder: string, url: string): readonly Result[] {
  const uri = `${url}/content/${large}`;
  const hasAria = hasCommand('aria2c');
  const [toCurl, toAria, peaks]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const own = ours(folder, url, uri);
    clean(folder);
    toCurl.push(timeCommand(['curl', '-sS', '-o', join(folder, 'curl'), uri]) / own.seconds);
    if (hasAria) toAria.push(aria(folder, uri) / own.seconds);
    peaks.push(own.megabytes);
  }
  const size = `${Math.round(large / mib)} MiB`;
  return [
    resultOf(`${size}, throughput to curl`, toCurl, 0.8, 'at least', 'x'),
    ...(hasAria ? [resultOf(`${size}, throughput to aria2c -x8`, toAria, 1.2, 'at least', 'x')] : []),
    resultOf(`${size}, peak memory`, peaks, 160, 'at most', ' MB'),
  ];
}

function throttled(folder: string, url: string): readonly Result[] {
  const uri = `${url}/content/${large}?rate=${rate}`;
  const hasAria = hasCommand('aria2c');
  const [shares, toAria]: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round += 1) {
    const own = ours(folder, url, uri);
    shares.push(large / 1e6 / own.seconds / (connections * rate));
    if (hasAria) toAria.push(aria(folder, uri) / own.seconds);
  }
  return [
    resultOf(
      `${rate} MB/s a connection, of ${connections} connections' worth`,
      shares,
      0.95,
      'at least',
      'x',
    ),
    ...(toAria.length > 0 ? [resultOf('the same, to aria2c -x8', toAria, 1, 'at least', 'x')] : []),
  ];
}

function smallFiles(folder: string, url: string, delay: number): Result {
  const uris = Array.from({ length: small }, (_, index) => `${url}/content/${20_000 + index}?delay=${delay}`);
  const list = join(folder, 'list.csv');
  const config = join(folder, 'curl.txt');
  writeFileSync(list, `uri\n${uris.join('\n')}\n`);
  writeFileSync(
    config,
    uris.map((uri, index) => `url="${uri}"\noutput="${join(folder, 'peers', `c${index}`)}"\n`).join(''),
  );
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const args = [
      'download',
      '-f',
      list,
      '--dir',
      join(folder, 'small'),
      '--clobber',
      '-q',
      '--concurrency',
      '16',
    ];
    clean(folder);
    const own = timeUcctl(folder, url, args);
    ratios.push(
      timeCommand(['curl', '--no-progress-meter', '--parallel', '--parallel-max', '16', '-K', config]) /
        own.seconds,
    );
  }
  const where = delay > 0 ? `, each answered after ${delay} ms` : '';
  return resultOf(`${small} recordings, to curl --parallel${where}`, ratios, 0.8, 'at least', 'x');
}
