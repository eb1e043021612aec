import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { fillLargeOffice, type LargeOffice } from '../../test/support/large-office.ts';
import { startUcctl } from '../../test/support/process.ts';
import { signInAs } from '../../test/support/sandbox.ts';
import { startCountingProxy } from './counting-proxy.ts';
import type { Result, Size } from './result.ts';

const rows = 500;
const queueCount = 10;

/**
 * Kills `queue apply` of 500 rows with SIGKILL at random times. Each time, `--resume` must reach the exact target,
 * the service must not have accepted any change twice, and undo must restore exactly the previous members.
 */
export async function run(size: Size): Promise<readonly Result[]> {
  const kills = size === 'full' ? 100 : 3;
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-kill-'));
  try {
    const office = fillLargeOffice(join(folder, 'sandbox.db'), {
      agents: rows,
      queues: queueCount,
      // The run removes the first agent of each queue, so that undo also has to add members.
      members: (queue) => [queue, queue + 100],
    });
    const sandbox = await startSandbox({
      database: join(folder, 'sandbox.db'),
      listen: false,
      clock: 'real',
    });
    try {
      return await prove(sandbox, office, folder, kills);
    } finally {
      await sandbox.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function prove(
  sandbox: Sandbox,
  office: LargeOffice,
  folder: string,
  kills: number,
): Promise<readonly Result[]> {
  const token = await signInAs(sandbox, 'administrator');
  const applied = new Map<string, number>();
  const methods: string[] = [];
  const isCounted = (method: string): boolean => {
    methods.push(method);
    return true;
  };
  // The service replies to each accepted change with 204.
  const server = await startCountingProxy(sandbox, isCounted, ({ status, body }) => {
    if (status === 204) count(body, applied);
  });
  const env = { HOME: folder, UCCTL_BASE_URL: server.url, UCCTL_TOKEN: token };
  const list = join(folder, 'list.csv');
  await writeFile(list, listOf(office));
  const state = (): string =>
    JSON.stringify(office.queues.map(({ id }) => sandbox.members(id).map((member) => member.id)));
  const before = state();
  const apply = ['queue', 'apply', '-f', list, '--yes', '-q', '--max-items', '25'];
  const figures = { inside: 0, late: 0 };
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  let target = '';
  let seed = 1;
  try {
    await ucctl(apply, { ...env, UCCTL_STATE_DIR: join(folder, 'first') });
    const total = methods.length;
    const firstWrite = methods.indexOf('POST') + 1;
    target = state();
    await ucctl(['history', 'undo', 'last', '--yes', '-q'], {
      ...env,
      UCCTL_STATE_DIR: join(folder, 'first'),
    });
    expectSame(state(), before, 'the first undo');
    for (let round = 0; round < kills; round += 1) {
      applied.clear();
      const own = { ...env, UCCTL_STATE_DIR: join(folder, `run-${round}`) };
      // A time between the first change and the last read-back: before, during or after the request with this number.
      const fatal = firstWrite + Math.floor(random() * (total - firstWrite + 1));
      const killed = await ucctl(
        apply,
        own,
        server.reached(fatal).then(() => delay(random() * 8)),
      );
      if (!killed) figures.late += 1;
      const started = await runs(own);
      if (started === 0) await ucctl(apply, own);
      else {
        figures.inside += killed && state() !== target ? 1 : 0;
        await ucctl(['queue', 'apply', '--resume', 'last', '--yes', '-q'], own);
      }
      expectSame(state(), target, `round ${round}`);
      const twice = [...applied].filter(([, count]) => count !== 1);
      if (twice.length > 0 || applied.size !== rows) {
        throw new Error(
          `round ${round}: ${twice.length} changes accepted twice, ${applied.size} of ${rows} at all`,
        );
      }
      await ucctl(['history', 'undo', 'last', '--yes', '-q'], own);
      expectSame(state(), before, `undo of round ${round}`);
      await rm(join(folder, `run-${round}`), { recursive: true, force: true });
    }
  } finally {
    await server.close();
  }
  const figure = `${kills} kills of a ${rows}-row run, ${figures.inside} in the middle of it, ${figures.late} after its end`;
  return [
    { promise: 'a resumed run reaches its target', figure: `wrong members 0 in ${figure}`, holds: true },
    { promise: 'no change is accepted twice', figure: '0 of them', holds: true },
    { promise: 'undo restores the previous members', figure: `${kills} of ${kills}`, holds: true },
  ];
}

/** Every agent joins one queue; a tenth of them leaves the queue where they are members. */
function listOf({ agents, queues }: LargeOffice): string {
  const lines = agents.map(({ number }, index) => {
    const leaves = index < queueCount;
    const queue = leaves ? queues[index] : queues[(index + 1) % queueCount];
    return `${queue?.number},${number},${leaves ? 'remove' : 'add'}`;
  });
  return `queue,extension,action\n${lines.join('\n')}\n`;
}

function count(body: string, applied: Map<string, number>): void {
  const { items } = JSON.parse(body) as {
    items: { departmentId: string; addedExtensionIds?: string[]; removedExtensionIds?: string[] }[];
  };
  for (const { departmentId, addedExtensionIds = [], removedExtensionIds = [] } of items) {
    for (const change of [
      ...addedExtensionIds.map((id) => `+${id}`),
      ...removedExtensionIds.map((id) => `-${id}`),
    ]) {
      const key = `${departmentId}${change}`;
      applied.set(key, (applied.get(key) ?? 0) + 1);
    }
  }
}

/** Runs a command and kills it with SIGKILL when `fatal` resolves. Returns whether it was killed. */
async function ucctl(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  fatal?: Promise<void>,
): Promise<boolean> {
  const { child, ended } = startUcctl(args, { env });
  if (fatal) {
    await Promise.race([ended, fatal]);
    child.kill('SIGKILL');
  }
  const { exit, stderr } = await ended;
  if (fatal && exit === null) return true;
  if (exit !== 0) throw new Error(`ucctl ${args.join(' ')} ended with ${exit}: ${stderr}`);
  return false;
}

async function runs(env: Readonly<Record<string, string>>): Promise<number> {
  const list = startUcctl(['history', 'list', '-o', 'json'], { env });
  return (JSON.parse((await list.ended).stdout) as unknown[]).length;
}

function expectSame(now: string, wanted: string, when: string): void {
  if (now !== wanted) throw new Error(`${when}: the members are wrong`);
}
