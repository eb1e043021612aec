import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { conditionLimit } from '../../support/limits.ts';
import { startLoadBalancer, type LoadBalancer } from '../../support/load-balancer.ts';
import { postgresMissing } from '../../support/postgres.ts';
import type { RunResult } from '../../support/run-ucctl.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { fleetOffice, type FleetOffice } from '../fleet/fleet-office.ts';

interface Ready {
  readonly url: string;
  readonly address: string;
  readonly subscriptionId: string;
}

interface Receiver {
  readonly ready: Ready;
  readonly port: number;
  readonly result: Promise<RunResult>;
  stop(): Promise<RunResult>;
}

async function receivingOffice() {
  const office = await fleetOffice({
    listen: true,
    clock: 'real',
    settings: { webhookTimeoutMilliseconds: conditionLimit },
  });
  const balancer = await startLoadBalancer();
  onTestFinished(() => balancer.close());
  return { office, balancer };
}

async function start(office: FleetOffice, balancer: LoadBalancer, words = ''): Promise<Receiver> {
  // The load balancer knows the port before the receiver starts, because the handshake needs it.
  const port = await freePort();
  balancer.ports.add(port);
  const file = join(temporaryFolder(), 'ready.json');
  const stop = new AbortController();
  const result = office.run(
    `webhook listen --sink store --public-url ${balancer.url} --port ${port} --ready-file ${file} ${words}`,
    { signal: stop.signal },
  );
  const end = (): Promise<RunResult> => {
    balancer.ports.delete(port);
    stop.abort(new Error('interrupted'));
    return result;
  };
  onTestFinished(async () => {
    await end();
  });
  const failed = result.then(({ exit, stderr }) => {
    throw new Error(`ended with ${exit} before it was ready: ${stderr}`);
  });
  const ready = await Promise.race([
    failed,
    eventually(() => JSON.parse(readFileSync(file, 'utf8')) as Ready),
  ]);
  failed.catch(() => undefined);
  return { ready, port, result, stop: end };
}

const subscriptionsOf = async (office: FleetOffice) =>
  office.rows<{ id: string }>('subscribe list').then((rows) => rows.map(({ id }) => id));

async function textTo(office: FleetOffice, to: string): Promise<void> {
  await office.sandbox.control('POST', '/triggers/sms', { to, from: '+15555550100', text: 'hello' });
}

const eventsOf = ({ db }: FleetOffice) =>
  db.query<{ key: string; lane: string; origin: string }>('select key, lane, origin from event order by id');

describe.skipIf(postgresMissing())('receivers with --sink', () => {
  it('share one subscription, store each event once, and make the mailbox due', async () => {
    const { office, balancer } = await receivingOffice();
    await office.run('fleet enroll --extension 101,102 --every 1h');
    await office.run('fleet worker --once');
    const first = await start(office, balancer, '--extension 101,102');
    const second = await start(office, balancer, '--extension 101,102');
    expect(second.ready.address).toBe(first.ready.address);
    expect(second.ready.subscriptionId).toBe(first.ready.subscriptionId);
    expect(await subscriptionsOf(office)).toEqual([first.ready.subscriptionId]);
    for (let count = 1; count <= 4; count += 1) {
      await textTo(office, '102');
      await eventually(async () => expect(await eventsOf(office)).toHaveLength(count));
    }
    expect(new Set(balancer.acknowledged.keys())).toEqual(new Set([first.port, second.port]));
    expect(new Set((await eventsOf(office)).map(({ lane }) => lane)).size).toBe(1);
    const due = await office.db.query<{ label: string }>(
      'select label from fleet_task where due_at <= store_now() and change_seq > 0',
    );
    expect(due).toEqual([{ label: '102' }]);
    // The service, or somebody between, may send a notification again.
    const [stored] = await office.db.query<{ raw: string; token: string }>(
      'select raw, token from event, receiver limit 1',
    );
    const post = (token: string) =>
      fetch(first.ready.address, {
        method: 'POST',
        headers: { 'verification-token': token },
        body: stored?.raw ?? '',
      });
    expect((await post('wrong')).status).toBe(401);
    expect((await post(stored?.token ?? '')).status).toBe(200);
    expect(await eventsOf(office)).toHaveLength(4);
  });

  it('continue with the subscription when the owner ends, and after all have ended', async () => {
    const { office, balancer } = await receivingOffice();
    const first = await start(office, balancer, '--extension 101');
    const second = await start(office, balancer, '--extension 101');
    const owner = async () =>
      (await office.db.query<{ owner: string | null }>('select owner from receiver'))[0]?.owner;
    const before = await owner();
    // Messages after this point can be recovered.
    await eventually(async () =>
      expect(await office.db.query('select 1 from receiver_sync_point')).toHaveLength(1),
    );
    const ended = await first.stop();
    expect([ended.exit, ended.stderr.includes('stays active')]).toEqual([0, false]);
    // The end of a process is not a failure.
    expect(ended.stderr).not.toContain('warning');
    expect(await office.db.query('select problem, recovers from receiver')).toEqual([
      { problem: null, recovers: false },
    ]);
    await eventually(async () => {
      const now = await owner();
      expect([now === null, now === before]).toEqual([false, false]);
    });
    const last = await second.stop();
    expect(await office.db.query('select problem from receiver')).toEqual([{ problem: null }]);
    expect(last.stderr).toContain(`ucctl subscribe delete ${first.ready.subscriptionId}`);
    // Nobody receives this message: the next owner recovers it.
    await textTo(office, '101');
    const third = await start(office, balancer, '--extension 101');
    expect(third.ready.subscriptionId).toBe(first.ready.subscriptionId);
    expect(await subscriptionsOf(office)).toEqual([first.ready.subscriptionId]);
    await eventually(async () =>
      expect((await eventsOf(office)).map(({ origin }) => origin)).toContain('recovered'),
    );
  });

  it('extend the lease of the owner while the store deletes old events', async () => {
    const { office, balancer } = await receivingOffice();
    const { db } = office;
    await start(office, balancer, '--extension 101');
    await textTo(office, '101');
    await eventually(async () => expect(await eventsOf(office)).toHaveLength(1));
    await db.run("update event set received_at = store_now() - interval '31 days'");
    const leaseEnd = async (): Promise<number> => {
      const [row] = await db.query<{ at: Date }>('select lease_until as at from receiver');
      return row?.at.getTime() ?? 0;
    };
    await db.transaction(async (transaction) => {
      const [own] = await transaction.query<{ pid: number }>(
        'select pg_backend_pid() as pid from event for update',
      );
      await db.run("update receiver set trimmed_at = '-infinity'");
      await eventually(async () =>
        expect(
          await db.query(
            "select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid)) and query like 'delete from event %'",
            [own?.pid ?? 0],
          ),
        ).toHaveLength(1),
      );
      const before = await leaseEnd();
      await eventually(async () => expect(await leaseEnd()).toBeGreaterThan(before));
    });
    await eventually(async () => expect(await eventsOf(office)).toEqual([]));
  });

  it('replace a subscription that somebody deleted while all were down', async () => {
    const { office, balancer } = await receivingOffice();
    const first = await start(office, balancer);
    await first.stop();
    await office.run(`subscribe delete ${first.ready.subscriptionId} --yes`);
    const second = await start(office, balancer);
    expect(second.ready.subscriptionId).not.toBe(first.ready.subscriptionId);
    expect(await subscriptionsOf(office)).toEqual([second.ready.subscriptionId]);
  });

  it('wait for a load balancer that forwards no requests to a new receiver yet', async () => {
    const { office, balancer } = await receivingOffice();
    const port = await freePort();
    const stop = new AbortController();
    const problems: unknown[] = [];
    const command = `webhook listen --sink store --public-url ${balancer.url} --port ${port}`;
    const { exit, stderr } = await office.run(command, {
      signal: stop.signal,
      onStderr: (text) => {
        if (text.includes('Ready')) stop.abort(new Error('interrupted'));
      },
      async sleep(milliseconds, signal) {
        if (milliseconds !== 10_000 || balancer.ports.has(port))
          await pause(milliseconds, undefined, { signal });
        else problems.push(...(await office.rows('events receivers')));
        if (problems.length > 0) balancer.ports.add(port);
      },
    });
    expect([exit, stderr]).toEqual([0, expect.stringContaining('HTTP 502; retrying for 5 min')]);
    expect(problems).toEqual([
      expect.objectContaining({ problem: expect.stringContaining('HTTP 502') as string }),
    ]);
    expect(await subscriptionsOf(office)).toHaveLength(1);
  });

  it('end if the service does not reach the address for minutes', async () => {
    const { office, balancer } = await receivingOffice();
    let waits = 0;
    const { exit, stderr } = await office.run(`webhook listen --sink store --public-url ${balancer.url}`, {
      async sleep(milliseconds, signal) {
        if (milliseconds === 10_000) waits += 1;
        else await pause(milliseconds, undefined, { signal });
      },
    });
    expect([exit, waits, stderr.match(/rejected the address/g)?.length]).toEqual([1, 30, 2]);
  });

  it('reject other options while processes run, and accept them afterwards', async () => {
    const { office, balancer } = await receivingOffice();
    const first = await start(office, balancer, '--events messages');
    const command = `webhook listen --sink store --public-url ${balancer.url}`;
    for (const [words, what] of [
      ['--events presence', 'other events'],
      ['--path /mine', 'another path'],
    ] as const) {
      const { exit, stderr } = await office.run(`${command} ${words}`);
      expect([exit, stderr.includes(what), stderr.includes('--receiver')]).toEqual([11, true, true]);
    }
    const other = await office.run(command, { env: { UCCTL_VERIFICATION_TOKEN: 'other' } });
    expect([other.exit, other.stderr.includes('another verification token')]).toEqual([11, true]);
    await first.stop();
    const second = await start(office, balancer, '--events presence --path /mine');
    expect(second.ready.address).toBe(`${balancer.url}/mine`);
    expect(await subscriptionsOf(office)).toEqual([second.ready.subscriptionId]);
  });

  it('do not acknowledge what they cannot store', async () => {
    const { office, balancer } = await receivingOffice();
    const first = await start(office, balancer);
    await office.db.script('alter table event rename to event_away');
    const [row] = await office.db.query<{ token: string }>('select token from receiver');
    const post = () =>
      fetch(first.ready.address, {
        method: 'POST',
        headers: { 'verification-token': row?.token ?? '' },
        body: '{"uuid":"u1","event":"/restapi/v1.0/x","body":{}}',
      });
    expect((await post()).status).toBe(503);
    await office.db.script('alter table event_away rename to event');
    expect((await post()).status).toBe(200);
    expect((await eventsOf(office)).map(({ key }) => key)).toEqual(['u1']);
  });

  it('recover the messages whose events they could not store', async () => {
    const { office, balancer } = await receivingOffice();
    const receivers = [
      await start(office, balancer, '--extension 101'),
      await start(office, balancer, '--extension 101'),
    ];
    await eventually(async () =>
      expect(await office.db.query('select 1 from receiver_sync_point')).toHaveLength(1),
    );
    await office.db.script('alter table event rename to event_away');
    await textTo(office, '101');
    await textTo(office, '101');
    await office.sandbox.settled();
    await office.db.script('alter table event_away rename to event');
    // Each process of the receiver stores one of these events.
    await textTo(office, '101');
    await textTo(office, '101');
    await eventually(async () => {
      const origins = (await eventsOf(office)).map(({ origin }) => origin);
      expect(origins.toSorted()).toEqual(['recovered', 'recovered', 'webhook', 'webhook']);
    });
    for (const receiver of receivers) expect((await receiver.stop()).exit).toBe(0);
  });

  it('recover the messages that a killed process may have rejected', async () => {
    const { office, balancer } = await receivingOffice();
    const { db } = office;
    const killed = await start(office, balancer, '--extension 101');
    await eventually(async () => expect(await db.query('select 1 from receiver_sync_point')).toHaveLength(1));
    balancer.ports.delete(killed.port);
    await textTo(office, '101');
    await office.sandbox.settled();
    // A process that is killed leaves its row, and a process that starts within 10 s counts the row as running.
    await db.run(
      `insert into receiver_process (receiver, process, machine, pid, version, seen_at)
       select name, 'killed', 'host', 1, '0', store_now() - interval '11 seconds' from receiver`,
    );
    await eventually(async () =>
      expect((await eventsOf(office)).map(({ origin }) => origin)).toEqual(['recovered']),
    );
    expect(await db.query("select 1 from receiver_process where process = 'killed'")).toEqual([]);
    await eventually(async () =>
      expect(await db.query('select recovers, problem from receiver')).toEqual([
        { recovers: false, problem: null },
      ]),
    );
    expect((await killed.stop()).stderr).not.toContain('warning');
  });

  it.each([
    ['--sink redis://x --public-url https://x.example', 'is not a store'],
    ['--sink postgres://u:secret@127.0.0.1/x --public-url https://x.example', 'must not contain a password'],
    ['--sink store', 'needs --public-url'],
    ['--sink store --public-url https://x.example --count 1', '--count cannot be used with --sink'],
    ['--sink store --public-url https://x.example --exec cat', 'ucctl events consume'],
    ['--sink store --public-url https://x.example --transport websocket', 'use --transport webhook'],
    ['--sink store --public-url https://x.example --receiver ../x', 'is not a valid name'],
    ['--receiver x', 'only with --sink'],
  ])('%s is a usage error', async (words, message) => {
    const office = await fleetOffice();
    const { exit, stderr } = await office.run(`webhook listen ${words}`);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
