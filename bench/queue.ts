import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultOf } from './measure.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import type { Result } from './report.ts';
import { scaled } from './scaled.ts';
import { timeUcctl, type Timed } from './timed.ts';

const queues = scaled(200, 2);
/** Numbers of the fixture `enterprise`: 9,700 people, 247 queues of 40. */
const firstAgent = 10_001;
const agents = 9700;
const firstQueue = 8001;
const assignments = scaled(10_000, 100);
const rounds = 3;

/** Planning and applying 10,000 assignments over 200 queues of the fixture `enterprise`, by the whole program. The sandbox is a separate process. */
export async function queue(): Promise<readonly Result[]> {
  return [...(await measureIn('spec')), ...(await measureIn('current'))];
}

async function measureIn(dialect: 'spec' | 'current'): Promise<readonly Result[]> {
  const suffix = dialect === 'spec' ? '' : `, dialect ${dialect}`;
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-'));
  try {
    const list = join(folder, 'list.csv');
    const lines = Array.from({ length: assignments }, (_, at) => {
      const queue = firstQueue + Math.floor(at / (assignments / queues));
      return `${queue},${firstAgent + ((at * 37) % agents)},add`;
    });
    await writeFile(list, `queue,extension,action\n${lines.join('\n')}\n`);
    const sandbox = await startSandboxProcess([
      '--fixture',
      'enterprise',
      '--rate-limits',
      'off',
      '--dialect',
      dialect,
    ]);
    const measure = (verb: string, ...more: readonly string[]): Timed =>
      timeUcctl(
        folder,
        sandbox.url,
        ['queue', verb, '-f', list, ...more, '-o', 'json', '--dialect', dialect],
        sandbox.token,
      );
    try {
      const plans: Timed[] = [];
      for (let round = 0; round < rounds; round += 1) {
        plans.push(measure('plan'));
      }
      const apply = measure('apply', '--yes');
      const again = measure('apply', '--yes');
      return [
        result(
          `plan of 10,000 assignments over 200 queues${suffix}`,
          plans.map(({ seconds }) => seconds),
          1.2,
          ' s',
        ),
        result(
          `its peak memory${suffix}`,
          plans.map(({ megabytes }) => megabytes),
          150,
          ' MB',
        ),
        result(
          `apply, ${dialect === 'spec' ? 10 : 200} requests and 400 readings of members${suffix}`,
          [apply.seconds],
          30,
          ' s',
        ),
        result(`its peak memory ${suffix}`, [apply.megabytes], 200, ' MB'),
        result(`apply again, nothing to change${suffix}`, [again.seconds], 10, ' s'),
      ];
    } finally {
      await sandbox.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function result(name: string, values: readonly number[], goal: number, unit: string): Result {
  return resultOf(name, values, goal, 'at most', unit);
}
