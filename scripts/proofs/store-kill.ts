import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { connectStore, initializeStore, type Postgres } from '../../src/store/index.ts';
import { Dice } from '../../test/support/dice.ts';
import { startPostgres, type PostgresCluster } from '../../test/support/postgres-cluster.ts';
import { startUcctl } from '../../test/support/process.ts';
import { signInAs } from '../../test/support/sandbox.ts';
import type { Result, Size } from './result.ts';
import { followChanges, feedUnderWriters } from './store-feed.ts';

/** Machines that sync the same mailboxes at the same time. */
const workers = 3;
const sizes = {
  full: { kills: 1000, stops: 20, changes: 400 },
  reduced: { kills: 6, stops: 1, changes: 40 },
} as const;

interface Tally {
  kills: number;
  stops: number;
  runs: number;
  lost: number;
  doubled: number;
  compared: number;
}

/**
 * Several processes sync all mailboxes of an office into one store and are ended by SIGKILL at random times, while
 * messages arrive, change and are deleted; the server is stopped as by a crash. Afterwards, each mailbox must equal the
 * service row by row, and a reader of the change feed must have seen each change once.
 */
export async function run(size: Size = 'full'): Promise<readonly Result[]> {
  const wanted = sizes[size === 'full' ? 'full' : 'reduced'];
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-store-kill-'));
  // A commit must survive the immediate stop of the server.
  const server = await startPostgres({ settings: { synchronous_commit: 'on' } });
  const sandbox = await startSandbox({
    clock: 'real',
    settings: { mailboxMessages: 100_000 },
  });
  const url = `${server.url}/postgres`;
  const db = connectStore({ url, source: 'the proof', env: {} });
  try {
    await initializeStore(db, {});
    const tally: Tally = { kills: 0, stops: 0, runs: 0, lost: 0, doubled: 0, compared: 0 };
    const feed = followChanges(db);
    const stage: Stage = { sandbox, server, url, folder, wanted, tally };
    await Promise.all([
      ...Array.from({ length: workers }, (_, worker) => work(stage, worker)),
      stopServer(stage),
    ]);
    await sync(stage, 'last', undefined);
    await compare(stage, db);
    const followed = await feed.end();
    const { safe, naive, changes } = await feedUnderWriters(db, wanted.changes);
    const { kills, stops, runs, lost, doubled, compared } = tally;
    return [
      {
        promise: 'syncs that are killed, and a database server that crashes, lose and duplicate nothing',
        figure: `${kills} kills in ${runs} runs and ${stops} immediate stops of the server: ${lost} lost, ${doubled} duplicated; ${compared} messages equal to the service`,
        holds: kills >= wanted.kills && stops >= wanted.stops && lost + doubled === 0 && compared > 0,
      },
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

interface Stage {
  readonly sandbox: Sandbox;
  readonly server: PostgresCluster;
  readonly url: string;
  readonly folder: string;
  readonly wanted: { readonly kills: number; readonly stops: number };
  readonly tally: Tally;
}

/** Starts and kills syncs until all workers together have made enough kills. */
async function work(stage: Stage, worker: number): Promise<void> {
  const { tally, wanted, sandbox } = stage;
  const dice = new Dice(42 + worker);
  const token = await signInAs(sandbox, 'administrator');
  while (tally.kills < wanted.kills && tally.runs < wanted.kills * 4) {
    await change(sandbox, token, dice);
    tally.runs += 1;
    // The start takes most of the time of a run, but the kills must occur during requests and transactions.
    const killed = await sync(stage, String(worker), 300 + dice.next() * 1500, token);
    if (killed) tally.kills += 1;
  }
}

/** Stops the server as a crash does, spread over the kills, and starts it again. */
async function stopServer({ server, tally, wanted }: Stage): Promise<void> {
  while (tally.stops < wanted.stops) {
    const due = (wanted.kills * (tally.stops + 1)) / (wanted.stops + 1);
    while (tally.kills < due && tally.runs < wanted.kills * 4) await pause(20);
    await server.kill();
    await server.start();
    tally.stops += 1;
    const { kills, runs, stops } = tally;
    process.stderr.write(`${kills} kills in ${runs} runs, ${stops} stops of the server\n`);
  }
}

/** One sync of all mailboxes. @returns whether it was killed. A run without a kill must succeed, unless the server was stopped. */
async function sync(
  { sandbox, url, folder, tally }: Stage,
  name: string,
  killAfter: number | undefined,
  known?: string,
): Promise<boolean> {
  const token = known ?? (await signInAs(sandbox, 'administrator'));
  const before = tally.stops;
  const words = ['sync', '--extension', 'all', '--on-delete', 'purge', '--store', url, '-q'];
  const { child, ended } = startUcctl(words, {
    env: { HOME: join(folder, name), UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token },
  });
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  const { exit, signal, stderr } = await ended;
  clearTimeout(timer);
  if (signal === 'SIGKILL') return true;
  const isOfStop = tally.stops !== before || /connection was lost|no server replies/.test(stderr);
  if (exit !== 0 && !isOfStop) throw new Error(`ucctl sync: ${stderr}`);
  return false;
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

/** Compares every mailbox of the store with the service, row by row. */
async function compare({ sandbox, tally }: Stage, db: Postgres): Promise<void> {
  const rows = await db.query<{ mailbox: string; id: string; status: string | null }>(
    'select extension_id as mailbox, message_id as id, read_status as status from message',
  );
  const stored = new Map<string, number>();
  for (const { mailbox, id, status } of rows) {
    const key = `${mailbox} ${id} ${status}`;
    stored.set(key, (stored.get(key) ?? 0) + 1);
  }
  const mailboxes = await db.query<{ id: string }>('select extension_id as id from mailbox');
  for (const { id: mailbox } of mailboxes) {
    const alive = sandbox.messages(Number(mailbox)).filter(({ availability }) => availability === 'Alive');
    for (const { id, readStatus } of alive) {
      const key = `${mailbox} ${String(id)} ${readStatus ?? null}`;
      if (stored.delete(key)) tally.compared += 1;
      else tally.lost += 1;
    }
  }
  tally.doubled += stored.size;
}
