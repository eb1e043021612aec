import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { startProcess } from '../../test/support/process.ts';
import { signInAs } from '../../test/support/sandbox.ts';
import type { Result, Size } from './result.ts';

const from = '+16505550110';
const faultShare = 0.03;
const memoryLimitMegabytes = 150;
/** Each run ends when no row is left, or earlier when the connection is dead. */
const mostRuns = 60;

interface Ended {
  readonly exit: number | null;
  readonly stderr: string;
  readonly megabytes: number;
}

/**
 * Sends a list of texts with faults on: connections that break before and after the service has read the request, and
 * failures within it. The run is resumed until no row is left; then no text may exist twice, and every row must have
 * a final status.
 */
export async function run(size: Size): Promise<readonly Result[]> {
  const rows = size === 'full' ? 5000 : 150;
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-texts-'));
  const sandbox = await startSandbox({
    database: ':memory:',
    clock: 'real',
    settings: { mailboxMessages: 10_000 },
  });
  try {
    return await prove(sandbox, folder, rows);
  } finally {
    await sandbox.close().catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
}

async function prove(sandbox: Sandbox, folder: string, rows: number): Promise<readonly Result[]> {
  const list = join(folder, 'list.csv');
  const results = join(folder, 'done.csv');
  const lines = Array.from(
    { length: rows },
    (_, index) => `+1415${String(2_000_000 + index)},name-${index}\n`,
  );
  await writeFile(list, `to,name\n${lines.join('')}`);
  const token = await signInAs(sandbox, 'administrator');
  for (const fault of [{ kind: 'reset-before' }, { kind: 'reset-after' }, { kind: 'status', status: 503 }]) {
    await sandbox.control('POST', '/faults', {
      ...fault,
      operation: 'sendSms',
      probability: faultShare,
      times: 0,
    });
  }
  const env = {
    UCCTL_BASE_URL: sandbox.url,
    UCCTL_TOKEN: token,
    UCCTL_STATE_DIR: folder,
    UCCTL_CONFIG_DIR: folder,
  };
  const flags = ['--results', results, '--yes', '--concurrency', '4', '--quiet', '-o', 'csv'];
  let ended = await ucctl(
    ['sms', 'send', '--file', list, '--template', 'Hello {{name}}', '--from', from, ...flags],
    env,
  );
  let megabytes = ended.megabytes;
  let runs = 1;
  while (/not-sent/.test(await readFile(results, 'utf8').catch(() => 'not-sent')) && runs < mostRuns) {
    ended = await ucctl(['sms', 'send', '--resume', 'last', ...flags], env);
    megabytes = Math.max(megabytes, ended.megabytes);
    runs += 1;
  }
  const done = (await readFile(results, 'utf8')).trim().split(/\r?\n/).slice(1);
  const statuses = new Map(done.map((line) => [line.split(',')[1] ?? '', line.split(',')[2] ?? '']));
  const sent = sandbox.messages(171_857_100).map(({ subject }) => (subject ?? '').replace('Hello ', ''));
  const arrived = new Set(sent);
  const counted = (status: string): number => [...statuses.values()].filter((one) => one === status).length;
  const lost = [...statuses].filter(([name, status]) => status === 'sent' && !arrived.has(name)).length;
  return [
    {
      promise: 'no text is sent twice',
      figure: `${sent.length - arrived.size} of ${rows}`,
      holds: sent.length === arrived.size && sent.length > rows / 2,
    },
    {
      promise: 'every row is sent or unknown',
      figure: `${counted('sent')} sent, ${counted('unknown')} unknown, ${lost} reported as sent but missing, ${runs} runs, the last ended with ${ended.exit}`,
      holds: counted('sent') + counted('unknown') === rows && lost === 0,
    },
    {
      promise: `memory stays under ${memoryLimitMegabytes} MB`,
      figure: `${megabytes.toFixed(0)} MB at most`,
      holds: megabytes < memoryLimitMegabytes,
    },
  ];
}

/**
 * Runs the built program once and returns its peak memory as the kernel counts it for the running process: `maxRSS`
 * of a child starts with that of its parent.
 */
async function ucctl(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const report = `import { readFileSync } from 'node:fs';
    process.on('exit', () => process.stderr.write('peak ' + /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1] + '\\n'))`;
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  const { exit, stderr } = await startProcess(
    process.execPath,
    ['--import', preload, 'bin/ucctl.cjs', ...args],
    { env: { HOME: '/nonexistent', ...env } },
  ).ended;
  return { exit, stderr, megabytes: Number(/peak (\d+)/.exec(stderr)?.[1] ?? Number.NaN) / 1024 };
}
