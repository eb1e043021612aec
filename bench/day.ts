import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openReadOnly } from '../src/platform/sqlite/read-only.ts';
import { MemoryWatch } from './memory-watch.ts';
import { DayProgram } from './day-program.ts';
import type { Outcome, Result } from './report.ts';
import type { Note } from './results.ts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';
import { scale, scaled } from './scaled.ts';

const seconds = Math.max(30, 600 * scale);
const assignments = scaled(2000, 40);
const mailboxes = scaled(200, 5);
const eventsPerSecond = 50;
/** One change in forty is a text, the others change presence. */
const kinds = [...Array.from({ length: 39 }, () => 'presence'), 'sms'];
const changesPerMinute = Math.round((eventsPerSecond * 60 * 40) / 39);
const scripts = 3;
/** A shorter day may end before the assignments, which are delayed by the rate limits. */
const longEnough = 300;
/** Limit of the ratio of memory at the end of the day to memory after its first half. */
const flat = 1.3;

/**
 * A call center at work under the rate limits of the service: agents are assigned, scripts read the call log,
 * mailboxes are synced live, and events are received. All programs use the same user and app, so that they
 * share one rate limit.
 */
export async function day(note: (note: Note) => void): Promise<readonly Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-day-'));
  const database = join(folder, 'day.db');
  const sandbox = await startSandboxProcess([
    '--db',
    database,
    '--fixture',
    'call-center',
    '--rate-limits',
    'off',
  ]);
  let isStopped = false;
  const programs: DayProgram[] = [];
  const memory = new MemoryWatch();
  try {
    const people = await peopleOf(sandbox);
    const list = join(folder, 'list.csv');
    await writeFile(list, assignmentList(sandbox, people));
    await control(sandbox, 'POST', '/rate-limits', { mode: 'realistic' });
    const env = {
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_TOKEN: sandbox.token,
      HOME: folder,
      UCCTL_STATE_DIR: folder,
    };
    const start = (...args: readonly string[]): DayProgram => {
      const program = new DayProgram(args, env);
      programs.push(program);
      return program;
    };
    const copy = join(folder, 'copy.sqlite');
    const ready = join(folder, 'listener.json');
    const presence = ['--events', '/restapi/v1.0/account/~/presence', '--no-recover'];
    const listener = start('webhook', 'listen', ...presence, '--ready-file', ready, '-o', 'ndjson', '-q');
    await until(() => fileIsThere(ready), 60);
    // The file is read before the listener exits, because the listener then deletes the file.
    const { subscriptionId } = JSON.parse(await readFile(ready, 'utf8')) as {
      readonly subscriptionId: string;
    };
    const mirrored = people.slice(0, mailboxes).join(',');
    const canWatch = (await start('sync', '--help').ended).stdout.includes('--watch');
    const mirror = start(
      'sync',
      '--extension',
      mirrored,
      '--database',
      copy,
      ...(canWatch ? ['--watch'] : []),
      '-q',
    );
    if (!canWatch) mirror.repeat();
    const readers = Array.from({ length: scripts }, () =>
      start('calllog', 'list', '--all', '--since', '30d', '--per-page', '1000', '-o', 'ndjson').repeat(),
    );
    const administrator = start('queue', 'apply', '-f', list, '--yes', '-o', 'json');
    memory.watch('sandbox', () => sandbox.ready.pid);
    memory.watch('listener', () => listener.pid);
    if (canWatch) memory.watch('mirror', () => mirror.pid);
    await control(sandbox, 'POST', '/traffic', { perMinute: changesPerMinute, kinds, seconds });
    await delay(seconds * 1000);
    await control(sandbox, 'DELETE', '/traffic');
    memory.stop();
    for (const series of memory.series()) note(series);
    await until(async () => (await pendingDeliveries(sandbox)) === 0, 60);
    const counts = await requestCounts(sandbox);
    const ends = await Promise.all([...readers, mirror, listener].map((program) => program.interrupt()));
    const applied = await Promise.race([administrator.ended, delay(1, undefined)]);
    if (!applied) await administrator.interrupt();
    await sandbox.stop();
    isStopped = true;
    const received = await start('events', 'export', '-o', 'ndjson').ended;
    const events = compareEvents(database, subscriptionId, received.stdout);
    const read = ends.slice(0, scripts).reduce((sum, { completed }) => sum + completed, 0);
    if (counts.rejected > 0) process.stdout.write(`rejected: ${counts.rejectedBy}\n`);
    process.stdout.write(
      `${seconds} s: ${counts.all} requests, ${read} readings of the log completed, ` +
        `${countMailboxes(copy)} mailboxes in the copy${canWatch ? '' : ' (a loop of sync runs: there is no --watch)'}\n`,
    );
    return [
      atMost('requests rejected with 429', counts.rejected, 0, ''),
      atMost('events posted and not in the inbox', events.lost, 0, ''),
      atLeast('events received a second', events.stored / seconds, eventsPerSecond * 0.9, '/s'),
      !applied && seconds < longEnough
        ? { name: `${assignments} assignments applied in time`, skipped: `not finished after ${seconds} s` }
        : atMost(`${assignments} assignments applied in time: exit`, applied?.exit ?? 1, 0, ''),
      atLeast('mailboxes in the copy', countMailboxes(copy), mailboxes, ''),
      ...memory
        .growth()
        .map(({ name, ratio }) => atMost(`memory of the ${name}, last quarter to second`, ratio, flat, 'x')),
    ];
  } finally {
    memory.stop();
    for (const program of programs) program.kill();
    if (!isStopped) await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function atMost(name: string, value: number, goal: number, unit: string): Result {
  return { name, value, min: value, max: value, noise: 0, goal, sense: 'at most', unit };
}

function atLeast(name: string, value: number, goal: number, unit: string): Result {
  return { name, value, min: value, max: value, noise: 0, goal, sense: 'at least', unit };
}

/** Assigns the people to the queues in rotation. */
function assignmentList({ ready }: SandboxProcess, people: readonly string[]): string {
  const lines = Array.from({ length: assignments }, (_, at) => {
    const queue = ready.queues[at % ready.queues.length]?.extension;
    return `${queue},${people[Math.floor(at / ready.queues.length + at * 7) % people.length]},add`;
  });
  return `queue,extension,action\n${[...new Set(lines)].join('\n')}\n`;
}

/** Extension numbers of people with a mailbox; read before the rate limits are switched on. */
async function peopleOf({ url, token }: SandboxProcess): Promise<readonly string[]> {
  const address = `${url}/restapi/v1.0/account/~/extension?type=User&status=Enabled&perPage=1000`;
  const reply = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  const { records } = (await reply.json()) as {
    readonly records: readonly { readonly extensionNumber?: string }[];
  };
  return records.flatMap(({ extensionNumber }) => extensionNumber ?? []);
}

async function control(
  sandbox: SandboxProcess,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const reply = await fetch(`${sandbox.url}/sandbox/v1${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  if (!reply.ok) throw new Error(`bench: ${method} ${path}: ${await reply.text()}`);
  return reply.json();
}

async function pendingDeliveries(sandbox: SandboxProcess): Promise<number> {
  return ((await control(sandbox, 'GET', '/status')) as { readonly pendingDeliveries: number })
    .pendingDeliveries;
}

async function requestCounts({ url }: SandboxProcess) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const samples = text.matchAll(/^ucctl_sandbox_requests_total\{operation="(.*)",status="(\d+)"\} (\d+)$/gm);
  const all = [...samples].map(([, operation = '', status, count]) => ({
    operation,
    status,
    count: Number(count),
  }));
  const sum = (of: typeof all): number => of.reduce((total, { count }) => total + count, 0);
  const rejected = all.filter(({ status }) => status === '429');
  return {
    all: sum(all),
    rejected: sum(rejected),
    rejectedBy: rejected.map(({ operation, count }) => `${count} ${operation}`).join(', '),
  };
}

/** Compares the events that the sandbox posted with those in the inbox. */
function compareEvents(database: string, subscriptionId: string, exported: string) {
  const stored = new Set([...exported.matchAll(/"uuid":"([^"]+)"/g)].map(([, uuid]) => uuid));
  const db = openReadOnly(database);
  try {
    const posted = db
      .prepare("SELECT uuid FROM delivery WHERE subscriptionId = ? AND state <> 'pending'")
      .all(subscriptionId) as unknown as readonly { readonly uuid: string }[];
    return { stored: stored.size, lost: posted.filter(({ uuid }) => !stored.has(uuid)).length };
  } finally {
    db.close();
  }
}

function countMailboxes(copy: string): number {
  const db = openReadOnly(copy);
  try {
    const row = db
      .prepare('SELECT count(DISTINCT extension_id) AS count FROM stream JOIN run USING (stream_id)')
      .get();
    return Number(row?.['count'] ?? 0);
  } finally {
    db.close();
  }
}

async function fileIsThere(file: string): Promise<boolean> {
  return (await readFile(file, 'utf8').catch(() => '')) !== '';
}

async function until(holds: () => Promise<boolean>, most: number): Promise<void> {
  for (let tries = 0; tries < most * 20; tries += 1) {
    if (await holds()) return;
    await delay(50);
  }
  throw new Error(`bench: something did not happen within ${most} s`);
}
