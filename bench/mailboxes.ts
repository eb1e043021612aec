import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultOf } from './measure.ts';
import type { Result } from './report.ts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';
import { scaled } from './scaled.ts';

const rounds = scaled(3);
/** The fixture has 2,000 mailboxes; that of a reduced run is small. */
const fixture = scaled(2000) < 2000 ? 'small-office' : 'call-center';
/** The default of `sync`. */
const atOnce = '8';

/**
 * `sync --extension all` on an unlimited sandbox: with several mailboxes at a time compared with one at a time, and compared with a
 * bare program that makes the same requests. A minimal program that also stores the replies is compared with the bare program.
 */
export async function mailboxes(): Promise<readonly Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-mailboxes-'));
  const sandbox = await startSandboxProcess(['--fixture', fixture, '--rate-limits', 'off']);
  const copy = (name: string, ...args: string[]): Promise<number> =>
    secondsOf(sandbox, folder, [
      'bin/ucctl.cjs',
      'sync',
      '--extension',
      'all',
      '--database',
      join(folder, `${name}.sqlite`),
      '-q',
      ...args,
    ]);
  const bare = ['bench/bare-sync.mjs', sandbox.url, sandbox.token, atOnce];
  try {
    const minimal = (round: string): Promise<number> =>
      secondsOf(sandbox, folder, [
        'bench/bare-copy.mjs',
        ...bare.slice(1),
        join(folder, `minimal-${round}.sqlite`),
      ]);
    const [gains, costs, limits]: [number[], number[], number[]] = [[], [], []];
    await copy('warm-up');
    await secondsOf(sandbox, folder, bare);
    await minimal('warm-up');
    for (let round = 0; round < rounds; round += 1) {
      const one = await copy(`one-${round}`, '--concurrency', '1');
      const several = await copy(`several-${round}`);
      gains.push(one / several);
      const requests = await secondsOf(sandbox, folder, bare);
      costs.push(several / requests);
      limits.push((await minimal(`${round}`)) / requests);
    }
    const name = 'sync --extension all, 2,000 mailboxes';
    return [
      resultOf(`${name}, speed compared with one mailbox at a time`, gains, 1.5, 'at least', 'x'),
      resultOf(`${name}, time compared with the requests alone`, costs, 1.5, 'at most', 'x'),
      resultOf(
        'minimal copy of 2,000 mailboxes, time compared with the requests alone',
        limits,
        0,
        'no goal',
        'x',
      ),
    ];
  } finally {
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function secondsOf(sandbox: SandboxProcess, folder: string, args: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_TOKEN: sandbox.token,
    },
  });
  const [exit] = (await once(child, 'exit')) as [number | null];
  if (exit !== 0) throw new Error(`bench: ${args[0]} ended with ${exit}`);
  return (performance.now() - start) / 1000;
}
