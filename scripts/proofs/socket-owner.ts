import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { connectStore, initializeStore, type Postgres } from '../../src/store/index.ts';
import { Dice } from '../../test/support/dice.ts';
import { conditionLimit } from '../../test/support/limits.ts';
import { startPostgres, type PostgresCluster } from '../../test/support/postgres-cluster.ts';
import type { Started } from '../../test/support/process.ts';
import { signInAs } from '../../test/support/sandbox.ts';
import { namespacesMissing, openMachines, ownMachine, type Link, type Machine } from './machines.ts';
import { timeLimit, untilShown, type Result, type Size } from './result.ts';

/** What happens to the process with the WebSocket. */
type Fault = 'kill' | 'stall' | Link;

const sizes = {
  full: { processes: 3, rounds: 4, controlRounds: 2 },
  reduced: { processes: 2, rounds: 1, controlRounds: 1 },
} as const;
/** Milliseconds in which another process must store an event. */
const takeoverLimit = 10_000;
/** Milliseconds between two messages: of some, the service stores all that a takeover misses, of others only a part. */
const rests = [20, 150, 400] as const;
/** Milliseconds in which a process whose fault has ended could write late. */
const lateMilliseconds = 1000;
const mailbox = '101';

interface Campaign {
  readonly processes: number;
  /** How often each fault occurs. */
  readonly rounds: number;
  readonly faults: readonly Fault[];
  readonly isFenced: boolean;
}

/**
 * The owner of a WebSocket fails in every way that this machine allows. In the control, all owners have the same fence.
 * @returns the campaigns with their controls.
 */
export function socketCampaigns(size: Size): readonly (() => Promise<Result>)[] {
  const links: readonly Fault[] = namespacesMissing() === undefined ? ['database', 'service'] : [];
  const faults: readonly Fault[] = ['kill', 'stall', ...links];
  const { processes, rounds, controlRounds } = sizes[size === 'full' ? 'full' : 'reduced'];
  return [
    () => campaign({ processes, rounds, faults, isFenced: true }, size),
    () =>
      untilShown(() =>
        campaign({ processes, rounds: controlRounds, faults: ['stall'], isFenced: false }, size),
      ),
  ];
}

interface Receiver {
  readonly machine: Machine;
  readonly readyFile: string;
  started: Started;
}

/** A service, a store, and processes of one receiver with a WebSocket, each with its own address of the database. */
class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'ucctl-socket-owner-'));
  readonly receivers: Receiver[] = [];
  readonly sandbox: Sandbox;
  readonly db: Postgres;
  readonly #server: PostgresCluster;
  readonly #token: string;

  private constructor(parts: {
    readonly sandbox: Sandbox;
    readonly db: Postgres;
    readonly server: PostgresCluster;
    readonly token: string;
  }) {
    ({ sandbox: this.sandbox, db: this.db } = parts);
    this.#server = parts.server;
    this.#token = parts.token;
  }

  static async open({ processes, isFenced, faults }: Campaign): Promise<Stage> {
    const server = await startPostgres({ host: '*', settings: { synchronous_commit: 'on' } });
    const settings = { mailboxMessages: 1_000_000, requestLogRows: 100_000 };
    const sandbox = await startSandbox({ clock: 'real', dialect: 'current', rateLimits: 'off', settings });
    const url = `postgres://postgres@127.0.0.1:${server.port}/postgres`;
    const db = connectStore({ url, source: 'the proof', env: {} });
    await initializeStore(db, {});
    await recordAppends(db, isFenced);
    const token = await signInAs(sandbox, 'administrator');
    const stage = new Stage({ sandbox, db, server, token });
    await stage.#start(
      processes,
      faults.some((fault) => fault === 'database' || fault === 'service'),
    );
    return stage;
  }

  async #start(processes: number, hasLinks: boolean): Promise<void> {
    const { url } = this.sandbox;
    const machines = hasLinks
      ? await openMachines(processes, Number(new URL(url).port))
      : Array.from({ length: processes }, (_, index) => ownMachine(url, `127.0.0.${index + 1}`));
    for (const [index, machine] of machines.entries()) {
      const readyFile = join(this.folder, `ready-${index}.json`);
      this.receivers.push({ machine, readyFile, started: this.#receive(machine, readyFile) });
    }
    for (const receiver of this.receivers) await this.#ready(receiver);
  }

  #receive(machine: Machine, readyFile: string): Started {
    const words = ['--transport', 'websocket', '--sink', 'store', '--extension', mailbox];
    const store = `postgres://postgres@${machine.databaseHost}:${this.#server.port}/postgres?sslmode=disable`;
    return machine.start(
      [execPath, resolve('bin/ucctl.cjs'), 'webhook', 'listen', ...words, '--ready-file', readyFile],
      {
        HOME: this.folder,
        UCCTL_STORE: store,
        UCCTL_BASE_URL: machine.service,
        UCCTL_TOKEN: this.#token,
        UCCTL_DIALECT: 'current',
      },
    );
  }

  async #ready({ readyFile, started }: Receiver): Promise<void> {
    while (!existsSync(readyFile)) {
      if (started.child.exitCode !== null)
        throw new Error(`a receiver ended: ${(await started.ended).stderr}`);
      await pause(50);
    }
  }

  /** Starts a killed receiver again. */
  async restart(receiver: Receiver): Promise<void> {
    await receiver.started.ended;
    rmSync(receiver.readyFile, { force: true });
    receiver.started = this.#receive(receiver.machine, receiver.readyFile);
    await this.#ready(receiver);
  }

  /** The receiver that has the lease. */
  async owner(): Promise<Receiver> {
    for (;;) {
      const [row] = await this.db.query<{ pid: number }>(
        'select pid from receiver join receiver_process on process = owner where lease_until > store_now()',
      );
      const found = this.receivers.find(({ started }) => started.child.pid === row?.pid);
      if (found) return found;
      await pause(20);
    }
  }

  /**
   * Suspends the owner while the server delays its statement, which continues when another process is the owner.
   * @returns the time at which it was suspended.
   */
  async stall(owner: Receiver): Promise<number> {
    return this.db.transaction(async (transaction) => {
      await transaction.script('lock table event in exclusive mode');
      const delayed = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into event %'`;
      while ((await this.db.query(delayed)).length === 0) await pause(20);
      owner.started.child.kill('SIGSTOP');
      const at = performance.now();
      while ((await this.owner()) === owner) await pause(20);
      return at;
    });
  }

  /** Ends the receivers. @returns what they wrote to the terminal if one did not exit with 0. */
  async stop(): Promise<string> {
    for (const { started } of this.receivers) started.child.kill('SIGTERM');
    const ends = await Promise.all(this.receivers.map(({ started }) => started.ended));
    return ends.flatMap(({ exit, stderr }) => (exit === 0 ? [] : [`exit ${exit}: ${stderr}`])).join('\n');
  }

  async close(): Promise<void> {
    for (const { machine, started } of this.receivers) {
      started.child.kill('SIGKILL');
      await started.ended.catch(() => undefined);
      await machine.close();
    }
    await this.db.close();
    await this.sandbox.close();
    await this.#server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Records the address of the database that each process uses, and for each attempt to store an event the address of the
 * writer and of the owner.
 * @param isFenced false for a control: all owners then have the same fence.
 */
async function recordAppends(db: Postgres, isFenced: boolean): Promise<void> {
  await db.script(`
    create table proof_process (process text primary key, host inet);
    create table proof_append (id bigint generated always as identity, writer inet, owner inet);
    create function proof_note_process() returns trigger language plpgsql as $$ begin
      insert into proof_process values (new.process, inet_server_addr()) on conflict do nothing;
      return null;
    end $$;
    create trigger proof_process after insert on receiver_process for each row execute function proof_note_process();
    create function proof_note_append() returns trigger language plpgsql as $$ begin
      insert into proof_append (writer, owner) select inet_server_addr(),
        (select host from receiver join proof_process on process = owner where name = new.receiver);
      return new;
    end $$;
    create trigger proof_append before insert on event for each row execute function proof_note_append();`);
  if (isFenced) return;
  await db.script(`
    create function proof_keep_fence() returns trigger language plpgsql as $$ begin
      new.fence := old.fence;
      return new;
    end $$;
    create trigger proof_fence before update on receiver for each row execute function proof_keep_fence()`);
}

/** Sends messages until the end. @returns the IDs of the messages. */
async function sendTexts(sandbox: Sandbox, isOver: () => boolean): Promise<readonly string[]> {
  const dice = new Dice(128);
  const ids: string[] = [];
  while (!isOver()) {
    const rest = dice.pick(rests);
    for (const until = performance.now() + 5000; !isOver() && performance.now() < until; await pause(rest)) {
      const { messageId } = await sandbox.control('POST', '/triggers/sms', { to: mailbox });
      ids.push(String(messageId));
    }
  }
  return ids;
}

/** Makes the fault, waits until another process stores an event, and ends the fault. @returns the milliseconds until then. */
async function faultOf(stage: Stage, fault: Fault, dice: Dice): Promise<number> {
  const owner = await stage.owner();
  const { child } = owner.started;
  const [last] = await stage.db.query<{ id: number }>('select coalesce(max(id), 0) as id from proof_append');
  let at = performance.now();
  if (fault === 'kill') child.kill('SIGKILL');
  else if (fault === 'stall') at = await stage.stall(owner);
  else owner.machine.cut(fault, true);
  const others = 'select 1 from proof_append where id > $1 and writer <> $2::text::inet limit 1';
  const values = [last?.id ?? 0, owner.machine.databaseHost];
  while ((await stage.db.query(others, values)).length === 0) await pause(20);
  const takeover = performance.now() - at;
  await pause(dice.next() * 1500);
  if (fault === 'kill') await stage.restart(owner);
  else if (fault === 'stall') child.kill('SIGCONT');
  else owner.machine.cut(fault, false);
  await pause(lateMilliseconds);
  return takeover;
}

/** How the stored events differ from the messages. */
interface Compared {
  readonly lost: number;
  readonly doubled: number;
  /** Notifications that arrived after all their messages were recovered. Consumers skip them. */
  readonly skipped: number;
}

async function compareEvents(db: Postgres, ids: readonly string[]): Promise<Compared> {
  const rows = await db.query<{ key: string; raw: string }>('select key, raw from event');
  const keys = new Set(rows.map(({ key }) => key));
  const stored = new Set<string>();
  let doubled = 0;
  let skipped = 0;
  for (const { key, raw } of rows) {
    const { body } = JSON.parse(raw) as {
      body: { extensionId: string; changes: { newMessageIds?: unknown[] }[] };
    };
    const announced = body.changes.flatMap(({ newMessageIds = [] }) => newMessageIds.map(String));
    const isRecovered = (id: string): boolean => keys.has(`recovered:${body.extensionId}:${id}`);
    if (!key.startsWith('recovered:') && announced.every(isRecovered)) {
      skipped += 1;
      continue;
    }
    doubled += announced.filter((id) => stored.has(id)).length;
    for (const id of announced) stored.add(id);
  }
  return { lost: ids.filter((id) => !stored.has(id)).length, doubled, skipped };
}

/** Waits until every message is stored, but not without a limit. */
async function settledEvents(db: Postgres, ids: readonly string[]): Promise<Compared> {
  for (const until = performance.now() + conditionLimit; ; await pause(200)) {
    const compared = await compareEvents(db, ids);
    if (compared.lost === 0 || performance.now() > until) return compared;
  }
}

/**
 * The process with the WebSocket is killed, suspended, and loses its links to the database and the service, while messages
 * arrive. In the control, all owners have the same fence, and a process that continues must write late.
 */
async function campaign(settings: Campaign, size: Size): Promise<Result> {
  const { rounds, faults, isFenced } = settings;
  const stage = await Stage.open(settings);
  try {
    const { db, sandbox } = stage;
    const dice = new Dice(24);
    let isOver = false;
    const sending = sendTexts(sandbox, () => isOver);
    const takeovers = new Map<Fault, number[]>();
    for (let round = 0; round < rounds; round += 1) {
      for (const fault of dice.shuffled(faults))
        takeovers.set(fault, [...(takeovers.get(fault) ?? []), await faultOf(stage, fault, dice)]);
    }
    isOver = true;
    const ids = await sending;
    const { lost, doubled, skipped } = await settledEvents(db, ids);
    const problems = await stage.stop();
    const [appends] = await db.query<{ late: number }>(
      'select count(*) filter (where writer <> owner) as late from proof_append',
    );
    const late = appends?.late ?? -1;
    const tokens = sandbox.requestLog().filter(({ path }) => path.endsWith('/wstoken')).length;
    const turns = rounds * faults.length;
    const times = [...takeovers].map(([fault, all]) => `${fault} ${(Math.max(...all) / 1000).toFixed(1)} s`);
    const longest = Math.max(...[...takeovers.values()].flat());
    const figure = `${turns} faults of the owner; longest takeover: ${times.join(', ')}; ${ids.length} messages: ${lost} lost, ${doubled} duplicated, ${skipped} skipped by consumers; ${late} late writes; ${tokens} tokens${problems}`;
    if (!isFenced)
      return {
        promise: 'control, which must fail: without the fence, a process that continues writes late',
        figure,
        holds: late > 0,
      };
    return {
      promise: 'receivers with one WebSocket lose and duplicate nothing when its owner fails',
      figure,
      holds:
        lost + doubled + late === 0 &&
        ids.length > 0 &&
        problems === '' &&
        (size !== 'full' || tokens <= 2 * turns + 1) &&
        longest < timeLimit(size, takeoverLimit),
    };
  } finally {
    await stage.close();
  }
}
