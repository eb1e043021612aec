import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spread } from './measure.ts';
import type { Result } from './report.ts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';

const rounds = 3;

/** `sync --extension all` with several mailboxes at a time, compared with one at a time, on an unlimited sandbox. */
export async function mailboxes(): Promise<readonly Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-mailboxes-'));
  const sandbox = await startSandboxProcess(['--fixture', 'call-center', '--rate-limits', 'off']);
  try {
    const ratios: number[] = [];
    await secondsOf(sandbox, folder, 'warm-up', ['--concurrency', '1']);
    for (let round = 0; round < rounds; round += 1) {
      const one = await secondsOf(sandbox, folder, `one-${round}`, ['--concurrency', '1']);
      const several = await secondsOf(sandbox, folder, `several-${round}`, []);
      ratios.push(one / several);
    }
    const { median, min, max, noise } = spread(ratios);
    return [
      {
        name: 'sync --extension all, 2,000 mailboxes, speed compared with one mailbox at a time',
        value: median,
        min,
        max,
        noise,
        goal: 1.5,
        sense: 'at least',
        unit: 'x',
      },
    ];
  } finally {
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function secondsOf(
  sandbox: SandboxProcess,
  folder: string,
  name: string,
  args: readonly string[],
): Promise<number> {
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [
      'bin/ucctl.cjs',
      'sync',
      '--extension',
      'all',
      '--database',
      join(folder, `${name}.sqlite`),
      '-q',
      ...args,
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        UCCTL_BASE_URL: sandbox.url,
        UCCTL_TOKEN: sandbox.token,
      },
    },
  );
  const [exit] = (await once(child, 'exit')) as [number | null];
  if (exit !== 0) throw new Error(`ucctl sync ended with ${exit}`);
  return (performance.now() - start) / 1000;
}
