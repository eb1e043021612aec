import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { connectStore, initializeStore, type Postgres } from '../../src/store/index.ts';
import { Dice } from '../../test/support/dice.ts';
import { startPostgres, type PostgresCluster } from '../../test/support/postgres-cluster.ts';
import { startUcctl, type Ended } from '../../test/support/process.ts';
import { signInAs } from '../../test/support/sandbox.ts';
import type { Result, Size } from './result.ts';
import { followChanges, feedUnderWriters } from './store-feed.ts';
import { type Compared, ProofCalls, syncServedCalls } from './store-kill-calls.ts';

/** Processes that sync mailboxes, and processes that sync the call log, at the same time. */
const workers = { messages: 2, calls: 2 } as const;
const sizes = {
  full: { kills: 500, stops: 20, changes: 400, calls: 10_000 },
  reduced: { kills: 2, stops: 1, changes: 40, calls: 2000 },
} as const;

/** How often changes are written until the control misses one. */
const mostFeeds = 10;

/** Runs for each kill after which a campaign ends: a run that ends before its kill does not count. */
const mostRuns = 20;

/** The runs of one command. */
interface Campaign {
  kills: number;
  runs: number;
  /** Number of kills after which the campaign ends. */
  readonly wanted: number;
}

/**
 * Several processes sync all mailboxes of an office and a call log into one store and are ended by SIGKILL at random
 * times, while messages and calls arrive, change and are deleted; the server is stopped as by a crash. Afterwards, the
 * store must equal the service row by row, and a reader of the change feed must have seen each change once.
 */
export async function run(size: Size = 'full'): Promise<readonly Result[]> {
  const wanted = sizes[size === 'full' ? 'full' : 'reduced'];
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-store-kill-'));
  // A commit that waits for the disk must survive the immediate stop of the server, and only such a commit.
  const server = await startPostgres({ settings: { synchronous_commit: 'on', wal_writer_delay: '10s' } });
  const sandbox = await startSandbox({
    clock: 'real',
    settings: { mailboxMessages: 100_000 },
  });
  const url = `${server.url}/postgres`;
  const db = connectStore({ url, source: 'the proof', env: {} });
  try {
    await initializeStore(db, {});
    const begin = (): Campaign => ({ kills: 0, runs: 0, wanted: wanted.kills });
    const calls = new ProofCalls(await accountOf(sandbox), wanted.calls, new Dice(7));
    const stage: Stage = { sandbox, calls, server, url, folder, stops: 0, messages: begin(), log: begin() };
    const feed = followChanges(db);
    await Promise.all([
      ...Array.from({ length: workers.messages }, (_, worker) => syncMailboxes(stage, worker)),
      ...Array.from({ length: workers.calls }, (_, worker) => syncCallLog(stage, worker)),
      stopServer(stage, wanted.stops),
    ]);
    await sync(stage, 'last', undefined);
    await lastCallSync(stage);
    const [messages, archived] = [await compare(stage, db), await calls.compare(db)];
    const followed = await feed.end();
    const { safe, naive, changes } = await feedUntilMissed(db, wanted.changes);
    return [
      result(stage, wanted.stops, messages, archived),
      {
        promise: 'the change feed of the store reports each change once',
        figure: `${followed.changes} changes: ${followed.missed} missed, ${followed.doubled} duplicated`,
        holds: followed.changes > 0 && followed.missed + followed.doubled === 0,
      },
      {
        promise: 'the change feed stays in order with six writers; the control, a reader by ID, must fail',
        figure: `${changes} changes: ${safe} missed, control ${naive} missed`,
        holds: safe === 0 && naive > 0,
      },
    ];
  } finally {
    await db.close();
    await sandbox.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function result(
  { messages, log, stops }: Stage,
  wantedStops: number,
  mailboxes: Compared,
  calls: Compared,
): Result {
  const killed = ({ kills, runs }: Campaign): string => `${kills} kills in ${runs} runs`;
  const lost = mailboxes.lost + calls.lost;
  const doubled = mailboxes.doubled + calls.doubled;
  return {
    promise: 'syncs that are killed, and a database server that crashes, lose and duplicate nothing',
    figure: `${killed(messages)} of sync, ${killed(log)} of calllog sync, ${stops} immediate stops of the server: ${lost} lost, ${doubled} duplicated; ${mailboxes.equal} messages and ${calls.equal} calls equal to the service`,
    holds:
      [messages, log].every(({ kills, wanted }) => kills >= wanted) &&
      stops >= wantedStops &&
      lost + doubled === 0 &&
      mailboxes.equal > 0 &&
      calls.equal > 0,
  };
}

interface Stage {
  readonly sandbox: Sandbox;
  readonly calls: ProofCalls;
  readonly server: PostgresCluster;
  readonly url: string;
  readonly folder: string;
  stops: number;
  readonly messages: Campaign;
  readonly log: Campaign;
}

function isRunning({ kills, runs, wanted }: Campaign): boolean {
  return kills < wanted && runs < wanted * mostRuns;
}

/** Starts and kills syncs of mailboxes until all workers together have made enough kills. */
async function syncMailboxes(stage: Stage, worker: number): Promise<void> {
  const { messages, sandbox } = stage;
  const dice = new Dice(42 + worker);
  const token = await signInAs(sandbox, 'administrator');
  while (isRunning(messages)) {
    await change(sandbox, token, dice);
    messages.runs += 1;
    // The start takes most of the time of a run, but the kills must occur during requests and transactions.
    const killed = await sync(stage, String(worker), 300 + dice.next() * 1500, token);
    if (killed) messages.kills += 1;
  }
}

/** Starts and kills syncs of the call log until all workers together have made enough kills. */
async function syncCallLog(stage: Stage, worker: number): Promise<void> {
  const { calls, log, url, folder } = stage;
  const dice = new Dice(142 + worker);
  const service = await calls.serve();
  try {
    while (isRunning(log)) {
      calls.change(dice);
      log.runs += 1;
      const before = stage.stops;
      const kill = { page: dice.integer(1, calls.pages), dice };
      const ended = await syncServedCalls(service, { url, folder, name: `calls-${worker}` }, kill);
      if (isKilled(stage, 'calllog sync', before, ended)) log.kills += 1;
    }
  } finally {
    await service.close();
  }
}

/** A sync of the call log without a kill. */
async function lastCallSync(stage: Stage): Promise<void> {
  const { calls, url, folder } = stage;
  const service = await calls.serve();
  try {
    const ended = await syncServedCalls(service, { url, folder, name: 'calls-last' });
    isKilled(stage, 'calllog sync', stage.stops, ended);
  } finally {
    await service.close();
  }
}

/** Stops the server as a crash does, spread over the kills, and starts it again. */
async function stopServer(stage: Stage, wantedStops: number): Promise<void> {
  const { server, messages, log } = stage;
  const kills = (): number => messages.kills + log.kills;
  while (stage.stops < wantedStops) {
    const due = ((messages.wanted + log.wanted) * (stage.stops + 1)) / (wantedStops + 1);
    while (kills() < due && (isRunning(messages) || isRunning(log))) await pause(20);
    await server.kill();
    await server.start();
    stage.stops += 1;
    const runs = messages.runs + log.runs;
    process.stderr.write(`${kills()} kills in ${runs} runs, ${stage.stops} stops of the server\n`);
  }
}

/** One sync of all mailboxes. @returns whether it was killed. */
async function sync(
  stage: Stage,
  name: string,
  killAfter: number | undefined,
  known?: string,
): Promise<boolean> {
  const { sandbox, url, folder } = stage;
  const token = known ?? (await signInAs(sandbox, 'administrator'));
  const before = stage.stops;
  const words = ['sync', '--extension', 'all', '--on-delete', 'purge', '--store', url, '-q'];
  const { child, ended } = startUcctl(words, {
    env: { HOME: join(folder, name), UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token },
  });
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  const run = await ended;
  clearTimeout(timer);
  return isKilled(stage, 'sync', before, run);
}

/** Returns whether a run was killed. A run without a kill must succeed, unless the server was stopped. */
function isKilled(
  { stops }: Stage,
  command: string,
  before: number,
  { exit, signal, stderr }: Ended,
): boolean {
  if (signal === 'SIGKILL') return true;
  const isOfStop = stops !== before || /connection was lost|no server replies/.test(stderr);
  if (exit !== 0 && !isOfStop) throw new Error(`ucctl ${command}: ${stderr}`);
  return false;
}

/** The account of the sandbox. Calls of another account cannot be stored with its messages. */
async function accountOf(sandbox: Sandbox): Promise<string> {
  const authorization = `Bearer ${await signInAs(sandbox, 'administrator')}`;
  const reply = await fetch(`${sandbox.url}/restapi/v1.0/account/~`, { headers: { authorization } });
  return String(((await reply.json()) as { readonly id: number }).id);
}

/** Messages arrive, one is read, and one is purged. */
async function change(sandbox: Sandbox, token: string, dice: Dice): Promise<void> {
  for (const to of ['102', '103', '104']) {
    await sandbox.control('POST', '/triggers/sms', { to, text: `text ${Math.floor(dice.next() * 1e9)}` });
  }
  for (const [method, body, query] of [
    ['PUT', '{"readStatus":"Read"}', ''],
    ['DELETE', undefined, '?purge=true'],
  ] as const) {
    const mailbox = 171_857_102 + Math.floor(dice.next() * 3);
    const alive = sandbox.messages(mailbox).filter(({ availability }) => availability === 'Alive');
    const one = alive[Math.floor(dice.next() * alive.length)];
    if (!one || (method === 'DELETE' && alive.length < 20)) continue;
    const path = `${sandbox.url}/restapi/v1.0/account/~/extension/${mailbox}/message-store/${String(one.id)}${query}`;
    // On a busy machine, the sandbox may close an idle connection while a request is sent on it.
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      connection: 'close',
    };
    await (await fetch(path, { method, headers, ...(body !== undefined && { body }) })).text();
  }
}

/** Writes and reads changes until a reader misses one. Whether the control does depends on the timing of transactions. */
async function feedUntilMissed(db: Postgres, transactions: number): ReturnType<typeof feedUnderWriters> {
  let fed = await feedUnderWriters(db, transactions);
  for (let left = mostFeeds - 1; left > 0 && fed.safe + fed.naive === 0; left -= 1)
    fed = await feedUnderWriters(db, transactions);
  return fed;
}

/** Compares every mailbox of the store with the service, row by row. */
async function compare({ sandbox }: Stage, db: Postgres): Promise<Compared> {
  const rows = await db.query<{ mailbox: string; id: string; status: string | null }>(
    'select extension_id as mailbox, message_id as id, read_status as status from message',
  );
  const stored = new Map<string, number>();
  for (const { mailbox, id, status } of rows) {
    const key = `${mailbox} ${id} ${status}`;
    stored.set(key, (stored.get(key) ?? 0) + 1);
  }
  const mailboxes = await db.query<{ id: string }>('select extension_id as id from mailbox');
  let [equal, lost] = [0, 0];
  for (const { id: mailbox } of mailboxes) {
    const alive = sandbox.messages(Number(mailbox)).filter(({ availability }) => availability === 'Alive');
    for (const { id, readStatus } of alive) {
      const key = `${mailbox} ${String(id)} ${readStatus ?? null}`;
      if (stored.delete(key)) equal += 1;
      else lost += 1;
    }
  }
  return { equal, lost, doubled: stored.size };
}
