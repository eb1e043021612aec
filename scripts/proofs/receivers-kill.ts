import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { connectStore, initializeStore, type Postgres } from '../../src/store/index.ts';
import { Dice } from '../../test/support/dice.ts';
import { freePort } from '../../test/support/free-port.ts';
import { conditionLimit } from '../../test/support/limits.ts';
import { startLoadBalancer, type LoadBalancer } from '../../test/support/load-balancer.ts';
import { natsProgram, startNats, type NatsServer } from '../../test/support/nats.ts';
import { natsClient } from '../../test/support/nats-stream.ts';
import { startPostgres, type PostgresCluster } from '../../test/support/postgres-cluster.ts';
import { startUcctl, type Started } from '../../test/support/process.ts';
import { signInAs } from '../../test/support/sandbox.ts';
import { socketCampaigns } from './socket-owner.ts';
import { compareKeys, newSent, sendEvents } from './sender.ts';
import { runAll, untilShown, timeLimit, type Result, type Size } from './result.ts';

const receivers = 2;
const sizes = {
  full: { kills: 60, crashes: 4, controlCrashes: 2, senders: 6, rest: 5 },
  reduced: { kills: 2, crashes: 1, controlCrashes: 1, senders: 2, rest: 50 },
} as const;
/** Milliseconds in which another process must be the owner. */
const takeoverLimit = 10_000;

/**
 * Receivers that share a store are killed, and its server crashes, while a sender sends notifications like the service:
 * again until it gets 200 (npm run proof -- receivers-kill). The control acknowledges before a receiver has the
 * notification, and must fail. Where nats-server is installed, the events of a third campaign go to a stream, whose server
 * is killed. In the last campaigns, the receivers have one WebSocket.
 */
export async function run(size: Size = 'full'): Promise<readonly Result[]> {
  const { kills, crashes, controlCrashes, senders, rest } = sizes[size === 'full' ? 'full' : 'reduced'];
  const load = { senders, rest, acknowledgesFirst: false };
  const campaigns = [
    () => campaign({ ...load, kills, crashes }, size),
    () =>
      untilShown(() =>
        campaign({ ...load, kills: 0, crashes: controlCrashes, acknowledgesFirst: true }, size),
      ),
    ...(natsProgram() === undefined
      ? []
      : [() => campaign({ ...load, kills, crashes, streams: true }, size)]),
    ...socketCampaigns(size),
  ];
  return runAll(campaigns, size);
}

interface Campaign {
  readonly kills: number;
  readonly crashes: number;
  readonly senders: number;
  /** Milliseconds between two events of a sender. */
  readonly rest: number;
  readonly acknowledgesFirst: boolean;
  /** Whether the events go to a stream of NATS instead of the store. */
  readonly streams?: boolean;
}

interface Receiver {
  readonly port: number;
  started: Started;
}

/** A service, a store, a load balancer and receivers. */
class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'ucctl-receivers-kill-'));
  readonly receivers: Receiver[] = [];
  readonly #parts: {
    readonly sandbox: Sandbox;
    readonly server: PostgresCluster;
    readonly balancer: LoadBalancer;
    readonly db: Postgres;
    readonly token: string;
    readonly nats: NatsServer | undefined;
  };

  private constructor(parts: Stage['parts']) {
    this.#parts = parts;
  }

  get parts() {
    return this.#parts;
  }

  static async open({ acknowledgesFirst, streams }: Campaign): Promise<Stage> {
    // A commit must survive the immediate stop of the server.
    const server = await startPostgres({ settings: { synchronous_commit: 'on' } });
    // On a busy machine a receiver answers late, and the service would reject its address.
    const settings = { webhookTimeoutMilliseconds: conditionLimit };
    const sandbox = await startSandbox({ clock: 'real', rateLimits: 'off', settings });
    const db = connectStore({ url: `${server.url}/postgres`, source: 'the proof', env: {} });
    await initializeStore(db, {});
    const token = await signInAs(sandbox, 'administrator');
    const nats = streams ? await startNats() : undefined;
    const balancer = await startLoadBalancer(acknowledgesFirst);
    return new Stage({ sandbox, server, db, token, balancer, nats });
  }

  /** Starts a receiver whose port the load balancer knows. */
  start(port: number): Started {
    const { balancer, sandbox, server, token, nats } = this.parts;
    const words = [
      '--sink',
      nats ? `${nats.url}/EVENTS` : 'store',
      '--public-url',
      balancer.url,
      '--port',
      String(port),
      '--extension',
      '101',
    ];
    return startUcctl(
      [
        'webhook',
        'listen',
        ...words,
        '--ready-file',
        this.readyFile(port),
        '--store',
        `${server.url}/postgres`,
      ],
      { env: { HOME: this.folder, UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token } },
    );
  }

  readyFile(port: number): string {
    return join(this.folder, `ready-${port}.json`);
  }

  /** Waits until a receiver is ready. @returns the address of all receivers. */
  async ready({ port, started }: Receiver): Promise<string> {
    for (;;) {
      try {
        return (JSON.parse(readFileSync(this.readyFile(port), 'utf8')) as { address: string }).address;
      } catch {
        if (started.child.exitCode !== null)
          throw new Error(`a receiver ended: ${(await started.ended).stderr}`);
        await pause(50);
      }
    }
  }

  async kill(receiver: Receiver): Promise<void> {
    receiver.started.child.kill('SIGKILL');
    await receiver.started.ended;
    rmSync(this.readyFile(receiver.port), { force: true });
  }

  /** The IDs of all stored events. */
  async stored(): Promise<readonly string[]> {
    const { db, nats } = this.parts;
    if (!nats) return (await db.query<{ key: string }>('select key from event')).map(({ key }) => key);
    const client = await natsClient(nats);
    try {
      return (await client.messages('EVENTS')).map(({ text }) => (JSON.parse(text) as { uuid: string }).uuid);
    } finally {
      await client.close();
    }
  }

  async close(): Promise<void> {
    const { sandbox, server, db, balancer, nats } = this.parts;
    for (const { started } of this.receivers) {
      started.child.kill('SIGKILL');
      await started.ended.catch(() => undefined);
    }
    await balancer.close();
    await db.close();
    await sandbox.close();
    await server.stop();
    await nats?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function campaign(settings: Campaign, size: Size): Promise<Result> {
  const { kills, crashes, senders, rest, acknowledgesFirst, streams } = settings;
  const stage = await Stage.open(settings);
  try {
    const { balancer, db } = stage.parts;
    for (let left = receivers; left > 0; left -= 1) {
      const port = await freePort();
      balancer.ports.add(port);
      stage.receivers.push({ port, started: stage.start(port) });
    }
    let address = '';
    for (const receiver of stage.receivers) address = await stage.ready(receiver);
    const [secret] = await db.query<{ token: string }>('select token from receiver');
    const sent = newSent(rest);
    const sending = Array.from({ length: senders }, (_, index) =>
      sendEvents({ address, token: secret?.token ?? '', sender: index }, sent),
    );
    const takeovers = await injectFaults(stage, { kills, crashes });
    sent.isOver = true;
    await Promise.all(sending);
    // The control may still be storing notifications that it has acknowledged.
    await pause(500);
    const { lost, doubled } = compareKeys(await stage.stored(), sent.acknowledged);
    const subscriptions = await subscriptionsOf(stage);
    const longest = Math.max(0, ...takeovers);
    const counts = `${kills} kills and ${crashes} crashes of the server; ${sent.acknowledged.size} events acknowledged in ${sent.attempts} attempts: ${lost} lost, ${doubled} duplicated`;
    if (acknowledgesFirst)
      return {
        promise: 'control, which must fail: a receiver that acknowledges before the commit loses events',
        figure: counts,
        holds: lost > 0,
      };
    return {
      promise: `receivers that are killed lose no acknowledged event${streams ? ' of a NATS stream' : ''}, and the subscription continues`,
      figure: `${counts}; ${subscriptions} subscription; ${takeovers.length} takeovers, the longest ${(longest / 1000).toFixed(1)} s`,
      holds:
        lost + doubled === 0 &&
        sent.acknowledged.size > 0 &&
        subscriptions === 1 &&
        takeovers.length > 0 &&
        longest < timeLimit(size, takeoverLimit),
    };
  } finally {
    await stage.close();
  }
}

/**
 * Kills receivers and starts them again, and stops the server as a crash does. The owner is killed in every second turn.
 * @returns the milliseconds from each kill of an owner until another process is the owner.
 */
async function injectFaults(
  stage: Stage,
  { kills, crashes }: Pick<Campaign, 'kills' | 'crashes'>,
): Promise<readonly number[]> {
  const { db } = stage.parts;
  const server = stage.parts.nats ?? stage.parts.server;
  const dice = new Dice(18);
  const takeovers: number[] = [];
  const crashAt = new Set(
    Array.from({ length: crashes }, (_, index) => Math.floor(((index + 1) * kills) / (crashes + 1))),
  );
  for (let turn = 0; turn < Math.max(kills, crashes); turn += 1) {
    await pause(300 + dice.next() * 700);
    if (crashAt.has(turn) || kills === 0) {
      await server.kill();
      await pause(300);
      await server.start();
      await pause(500);
    }
    if (kills === 0) continue;
    const owner = turn % 2 === 0 ? await ownerOf(db) : undefined;
    const victim =
      stage.receivers.find(({ started }) => started.child.pid === owner?.pid) ?? dice.pick(stage.receivers);
    const killedAt = performance.now();
    await stage.kill(victim);
    if (owner !== undefined && owner.pid === victim.started.child.pid) {
      for (
        let next = await ownerOf(db);
        next === undefined || next.owner === owner.owner;
        next = await ownerOf(db)
      )
        await pause(50);
      takeovers.push(performance.now() - killedAt);
    }
    victim.started = stage.start(victim.port);
    await stage.ready(victim);
  }
  return takeovers;
}

async function ownerOf(db: Postgres): Promise<{ readonly owner: string; readonly pid: number } | undefined> {
  const [row] = await db.query<{ owner: string; pid: number }>(
    `select owner, pid from receiver join receiver_process on process = owner where lease_until > store_now()`,
  );
  return row;
}

/** The number of active subscriptions at the service. */
async function subscriptionsOf({ parts: { sandbox, token } }: Stage): Promise<number> {
  const reply = await fetch(`${sandbox.url}/restapi/v1.0/subscription`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { records } = (await reply.json()) as { readonly records: readonly { readonly status: string }[] };
  return records.filter(({ status }) => status === 'Active').length;
}
