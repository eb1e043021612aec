import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { escapeIdentifier } from 'pg';
import { describe, expect, it } from 'vitest';
import { PostgresEventLog } from '../../../src/features/live/log/postgres-event-log.ts';
import { Interrupted } from '../../../src/errors/interrupted.ts';
import { eventually } from '../../support/eventually.ts';
import { natsMissing, testNats } from '../../support/nats.ts';
import { testClient } from '../../support/nats-stream.ts';
import { postgresMissing, storeClock } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { fleetOffice, type FleetOffice } from '../fleet/fleet-office.ts';
import { openTarget } from '../webhook/listening.ts';

const start = Date.UTC(2026, 0, 5, 9);

/** Adds events of extensions to the log; the uuid of each is its place. */
async function append({ db }: FleetOffice, extensions: readonly string[], first = 1): Promise<void> {
  const log = new PostgresEventLog(db);
  await log.append(
    extensions.map((extensionId, index) => {
      const uuid = `u${first + index}`;
      const event = `/restapi/v1.0/account/~/extension/${extensionId}/presence`;
      const raw = JSON.stringify({ uuid, event, timestamp: '2026-01-05T09:00:00Z', body: { extensionId } });
      return { receiver: 'listen', key: uuid, origin: 'webhook', encrypted: false, raw };
    }),
  );
  // Consumers get events when all older transactions have ended.
  await eventually(async () =>
    expect(await log.after(undefined, 1000)).toHaveLength(first - 1 + extensions.length),
  );
}

interface Consumed {
  readonly id: number;
  readonly uuid: string;
  readonly result: string;
  readonly attempt: number;
}

async function consume(office: FleetOffice, words: string): Promise<readonly Consumed[]> {
  const { exit, stdout, stderr } = await office.run(`events consume ${words} --once --all -o ndjson`);
  expect([exit, stderr]).toEqual([0, expect.anything()]);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Consumed);
}

describe.skipIf(postgresMissing())('events consume', () => {
  it('delivers each event to one process of the consumer, each extension in order, with the facts of the delivery', async () => {
    const office = await fleetOffice({ listen: true });
    const target = await openTarget();
    await append(office, ['1', '2', '1', '3', '2', '1', '1', '3']);
    const words = `crm --from start --forward-to ${target.url}`;
    const ends = await Promise.all([consume(office, words), consume(office, words), consume(office, words)]);
    expect(ends.flat().map(({ result }) => result)).toEqual(Array.from({ length: 8 }, () => 'done'));
    const bodies = target.requests.map(
      ({ body }) => JSON.parse(body) as { uuid: string; body: { extensionId: string } },
    );
    const of = (extension: string) =>
      bodies.filter(({ body }) => body.extensionId === extension).map(({ uuid }) => uuid);
    expect([of('1'), of('2'), of('3')]).toEqual([
      ['u1', 'u3', 'u6', 'u7'],
      ['u2', 'u5'],
      ['u4', 'u8'],
    ]);
    expect(target.requests[0]?.headers).toMatchObject({
      'ucctl-event-id': bodies[0]?.uuid,
      'ucctl-consumer': 'crm',
      'ucctl-attempt': '1',
      'ucctl-fence': '1',
    });
    expect(await consume(office, words)).toEqual([]);
    const replayed = await office.rows('events consumers crm --replay-from start');
    expect(replayed).toMatchObject([{ consumer: 'crm', waiting: 8, dead: 0, status: 'replaying' }]);
    expect(await consume(office, words)).toHaveLength(8);
    expect(await office.rows('events consumers')).toMatchObject([{ waiting: 0, running: 0, lagSeconds: 0 }]);
  });

  it('retries, keeps the order of the extension, and makes a dead letter that can be redelivered', async () => {
    const office = await fleetOffice({ listen: true });
    const target = await openTarget();
    // The retry must not become due during the first run, however long that run takes.
    const setClock = await storeClock(office.db, start);
    await append(office, ['1', '1', '2']);
    target.statuses.push(500);
    const words = `crm --from start --concurrency 1 --attempts 2 --forward-to ${target.url}`;
    const first = await consume(office, words);
    expect(first.map(({ uuid, result }) => [uuid, result])).toEqual([
      ['u1', 'retry'],
      ['u3', 'done'],
    ]);
    target.statuses.push(500);
    await setClock(start + 3_600_000);
    const second = await consume(office, words);
    expect(second.map(({ uuid, result, attempt }) => [uuid, result, attempt])).toEqual([
      ['u1', 'dead', 2],
      ['u2', 'done', 1],
    ]);
    expect(await office.rows('events dlq --consumer crm')).toMatchObject([
      { target: 'crm', attempts: 2, problem: 'HTTP 500', status: 'dead' },
    ]);
    expect(await office.rows('events consumers')).toMatchObject([{ consumer: 'crm', dead: 1, waiting: 0 }]);
    const unknown = await office.run('events dlq 999 --consumer crm --drop --yes');
    expect([unknown.exit, unknown.stderr.includes('events dlq --consumer crm')]).toEqual([3, true]);
    expect(await office.rows('events dlq --consumer crm --redeliver')).toMatchObject([{ status: 'due' }]);
    expect((await consume(office, words)).map(({ uuid, result }) => [uuid, result])).toEqual([
      ['u1', 'done'],
    ]);
    target.statuses.push(400);
    await append(office, ['1'], 4);
    expect((await consume(office, words)).map(({ result }) => result)).toEqual(['dead']);
    const unconfirmed = await office.run('events dlq --consumer crm --drop');
    expect([unconfirmed.exit, unconfirmed.stderr]).toEqual([
      9,
      expect.stringContaining('Delete this dead letter permanently?'),
    ]);
    expect(await office.rows('events dlq --consumer crm')).toMatchObject([{ status: 'dead' }]);
    const dropped = await office.rows('events dlq --consumer crm --drop --yes');
    expect(dropped).toMatchObject([{ status: 'dropped' }]);
    expect(await office.rows('events dlq --consumer crm')).toEqual([]);
  });

  it('runs a command with the event and what event_done needs', async () => {
    const office = await fleetOffice();
    await append(office, ['1', '2']);
    const file = join(temporaryFolder(), 'seen');
    const command = `cat >> ${file}; echo "$UCCTL_CONSUMER $UCCTL_DELIVERY $UCCTL_FENCE $UCCTL_ATTEMPT" >> ${file}`;
    const { exit } = await office.run([
      'events',
      'consume',
      'crm',
      '--from',
      'start',
      '--once',
      '--concurrency',
      '1',
      '--exec',
      command,
    ]);
    expect(exit).toBe(0);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect([lines.length, lines[1]]).toEqual([4, expect.stringMatching(/^crm \d+ 1 1$/)]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ uuid: 'u1' });
  });

  it('does not count the attempt that a stop has ended', async () => {
    const office = await fleetOffice();
    await append(office, ['1']);
    const file = join(temporaryFolder(), 'pid');
    const stop = new AbortController();
    const words = ['events', 'consume', 'crm', '--from', 'start', '--attempts', '1', '-o', 'ndjson'];
    const running = office.run(
      [...words, '--exec', `echo $$ > ${file}.new; mv ${file}.new ${file}; read x; exec sleep 600`],
      {
        signal: stop.signal,
      },
    );
    const pid = await eventually(() => Number(readFileSync(file, 'utf8')));
    stop.abort(new Error('interrupted'));
    // As a service manager does, which sends the signal to all processes of the service.
    process.kill(pid, 'SIGTERM');
    expect((await running).stdout).toContain('"result":"released"');
    const ends = await consume(office, 'crm --attempts 1 --exec true');
    expect(ends).toMatchObject([{ uuid: 'u1', result: 'done', attempt: 1 }]);
  });

  it('ends a delivery in the transaction of the program, and only once', async () => {
    const office = await fleetOffice();
    const { db } = office;
    await append(office, ['1']);
    const log = new PostgresEventLog(db);
    await log.addConsumer('crm', { start: 'start' });
    const [stalled] = await log.claim('crm', { worker: 'a', leaseMilliseconds: 0, limit: 1 });
    const [current] = await log.claim('crm', { worker: 'b', leaseMilliseconds: 60_000, limit: 1 });
    const call = `select ${escapeIdentifier(db.settings.schema)}.event_done($1, $2, $3) as done`;
    // The connection of the program has its own search path.
    const done = (fence: number | undefined) =>
      db.transaction(async (transaction) => {
        await transaction.query('set local search_path = public');
        const values = ['crm', stalled?.id ?? 0, fence ?? 0];
        return (await transaction.query<{ done: boolean }>(call, values))[0]?.done;
      });
    expect(await done(stalled?.fence)).toBe(false);
    expect(await done(current?.fence)).toBe(true);
    expect(await done(current?.fence)).toBe(false);
    expect(current && (await log.finish(current))).toBe(false);
  });

  it('skips a notification whose messages were recovered before', async () => {
    const office = await fleetOffice({ listen: true });
    const target = await openTarget();
    const log = new PostgresEventLog(office.db);
    const event = '/restapi/v1.0/account/~/extension/7/message-store';
    const body = {
      extensionId: '7',
      changes: [{ type: 'SMS', newCount: 1, updatedCount: 0, newMessageIds: ['5'] }],
    };
    const common = { receiver: 'listen', encrypted: false };
    await log.append([
      {
        ...common,
        key: 'recovered:7:5',
        origin: 'recovered',
        raw: JSON.stringify({ uuid: 'recovered:7:5', event, body }),
      },
    ]);
    await log.append([
      { ...common, key: 'late', origin: 'webhook', raw: JSON.stringify({ uuid: 'late', event, body }) },
    ]);
    await eventually(async () => expect(await log.after(undefined, 10)).toHaveLength(2));
    const ends = await consume(office, `crm --from start --forward-to ${target.url}`);
    expect(ends.map(({ uuid, result }) => [uuid, result])).toEqual([
      ['recovered:7:5', 'done'],
      ['late', 'skipped'],
    ]);
    expect(target.requests.map(({ headers }) => headers['ucctl-recovered'])).toEqual(['true']);
  });

  it('shows receivers, and removes consumers', async () => {
    const office = await fleetOffice();
    expect(await office.rows('events receivers')).toEqual([]);
    await append(office, ['1']);
    await consume(office, 'crm --exec true');
    await append(office, ['1'], 2);
    const unconfirmed = await office.run('events consumers crm --remove');
    expect([unconfirmed.exit, unconfirmed.stderr]).toEqual([
      9,
      expect.stringMatching(/consumer crm: 1 unprocessed event, 0 dead letters[^]*use --yes/),
    ]);
    const [status] = await office.rows<{ waiting: number }>('events consumers crm');
    expect(status?.waiting).toBe(1);
    expect(await office.rows('events consumers crm --remove --yes')).toMatchObject([{ status: 'removed' }]);
    expect(await office.rows('events consumers')).toEqual([]);
    expect((await office.run('events consumers crm')).exit).toBe(3);
  });

  it('removes a receiver with its events and their deliveries, unless a process is running', async () => {
    const office = await fleetOffice();
    const { db } = office;
    await db.script(
      `insert into receiver (name, path, subscription_id) values ('listen', '/hook/x', 's1'), ('other', '/hook/y', null);
       insert into receiver_process (receiver, process, machine, pid, version) values ('listen', 'p', 'm', 1, '1')`,
    );
    await append(office, ['1']);
    await consume(office, 'crm --from start --attempts 1 --all --exec false');
    expect(await office.rows('events dlq --consumer crm')).toHaveLength(1);
    const running = await office.run('events receivers listen --remove --yes');
    expect([running.exit, running.stderr]).toEqual([11, expect.stringContaining('1 running process')]);
    await db.script("update receiver_process set seen_at = store_now() - interval '1 minute'");
    const unconfirmed = await office.run('events receivers listen --remove');
    expect([unconfirmed.exit, unconfirmed.stderr]).toEqual([
      9,
      expect.stringMatching(/receiver listen: 1 event, the newest from 20.*[^]*use --yes/),
    ]);
    const keyboard = { input: new PassThrough(), screen: new PassThrough() };
    keyboard.input.write('n\r');
    const declined = await office.run('events receivers listen --remove --accessible', {
      terminal: true,
      keyboard,
    });
    expect([declined.exit, declined.stderr]).toEqual([9, expect.stringContaining('nothing was deleted')]);
    const { exit, stderr } = await office.run('events receivers listen --remove --yes');
    expect([exit, stderr]).toEqual([
      0,
      expect.stringMatching(/Deleted receiver listen and 1 event\.[^]*subscribe delete s1/),
    ]);
    expect(await office.rows('events receivers')).toMatchObject([{ receiver: 'other' }]);
    expect(await office.rows('events dlq --consumer crm')).toEqual([]);
    expect(await db.query('select 1 from event')).toEqual([]);
    expect((await office.run('events receivers listen --remove --yes')).exit).toBe(3);
  });

  it.each<[string, number, string]>([
    ['receivers --remove', 2, 'requires the names'],
    ['receivers nobody', 3, 'ucctl events receivers'],
    ['consume crm', 2, '--exec COMMAND, --forward-to URL or --to nats://HOST:PORT/STREAM'],
    ["consume '' --exec cat", 2, 'NAME: the value is empty'],
    ...['a/b', 'a.b', '*', 'crm>', "'a b'", 'ä', 'n'.repeat(65)].map((name): [string, number, string] => [
      `consume ${name} --exec cat`,
      2,
      'not a valid consumer name',
    ]),
    ['consume a.b --to nats://127.0.0.1:1/A', 2, 'use 1 to 64 of these characters'],
    ['consume crm --exec cat --from nonsense', 2, 'is not a valid time'],
    ['consume crm --exec cat --forward-to http://127.0.0.1:9/', 2, '--forward-to'],
    ['consumers --remove', 2, 'require the names'],
    ['dlq --consumer nobody', 3, 'events consumers'],
  ])('events %s ends with %i', async (words, code, message) => {
    const office = await fleetOffice();
    const { exit, stderr } = await office.run(`events ${words}`);
    expect([exit, stderr]).toEqual([code, expect.stringContaining(message)]);
  });

  it('rejects another receiver for a consumer that exists', async () => {
    const office = await fleetOffice();
    await consume(office, 'crm --receiver listen --exec true');
    const { exit, stderr } = await office.run('events consume crm --receiver other --exec true --once');
    expect([exit, stderr.includes('another name for the consumer')]).toEqual([11, true]);
  });
});

describe.skipIf(natsMissing() ?? postgresMissing())('events consume --to nats://', () => {
  it('stores each event once, in the order of its extension, and waits while the server is down', async () => {
    const server = await testNats();
    const client = await testClient(server);
    const office = await fleetOffice();
    const words = `crm --from start --to ${server.url}/CRM`;
    await append(office, ['1', '2', '1']);
    expect((await consume(office, words)).map(({ result }) => result)).toEqual(['done', 'done', 'done']);
    const stored = async (extension = '') =>
      (await client.messages('CRM'))
        .filter(({ subject }) => subject.startsWith(`ucctl.CRM.${extension}`))
        .map(({ header, text }) => [header('Nats-Msg-Id'), (JSON.parse(text) as { uuid: string }).uuid]);
    expect(await stored('1.')).toEqual([
      ['u1', 'u1'],
      ['u3', 'u3'],
    ]);
    await office.rows('events consumers crm --replay-from start');
    expect(await consume(office, words)).toHaveLength(3);
    expect(await stored()).toHaveLength(3);
    const stop = new AbortController();
    let shown = '';
    const running = office.run(`events consume ${words.replace('--from start ', '')} --all --attempts 1`, {
      signal: stop.signal,
      onStderr: (piece: string) => {
        shown += piece;
      },
    });
    await append(office, ['1'], 4);
    await eventually(async () => expect(await stored()).toHaveLength(4));
    await server.kill();
    await append(office, ['1', '2'], 5);
    await eventually(() => expect(shown).toContain('cannot use NATS at'));
    await server.start();
    await eventually(async () => expect(await stored()).toHaveLength(6));
    stop.abort(new Error('interrupted'));
    expect((await running).stdout).not.toContain('dead');
  });

  it('does not count an attempt that is interrupted while the server is down', async () => {
    const server = await testNats();
    const office = await fleetOffice();
    await append(office, ['1']);
    const words = `events consume crm --from start --to ${server.url}/CRM --all --attempts 1 -o ndjson`;
    const stop = new AbortController();
    let shown = '';
    let isStored = false;
    const running = office.run(words, {
      signal: stop.signal,
      onStdout: async () => {
        if (isStored) return;
        isStored = true;
        await server.kill();
        await append(office, ['1'], 2);
      },
      onStderr: (piece: string) => {
        shown += piece;
      },
    });
    await eventually(() => expect(shown).toContain('cannot use NATS at'));
    stop.abort(new Interrupted('SIGTERM'));
    const lines = (await running).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Consumed)).toMatchObject([
      { uuid: 'u1', result: 'done' },
      { uuid: 'u2', result: 'released', attempt: 1 },
    ]);
    expect(await office.rows('events consumers')).toMatchObject([{ waiting: 1, dead: 0 }]);
  });

  it('makes a dead letter of an event that the server never accepts, and continues', async () => {
    const server = await testNats();
    const office = await fleetOffice();
    const log = new PostgresEventLog(office.db);
    const event = '/restapi/v1.0/account/~/extension/1/presence';
    // One byte more than the server accepts by default.
    const raw = JSON.stringify({
      uuid: 'u1',
      event,
      body: { extensionId: '1', text: 'x'.repeat(1024 ** 2) },
    });
    await log.append([{ receiver: 'listen', key: 'u1', origin: 'webhook', encrypted: false, raw }]);
    await append(office, ['1'], 2);
    const ends = await consume(office, `crm --from start --to ${server.url}/CRM`);
    expect(ends).toMatchObject([
      { uuid: 'u1', result: 'dead', problem: expect.stringContaining('larger than the server accepts') },
      { uuid: 'u2', result: 'done' },
    ]);
  });

  it('cannot be used with another target', async () => {
    const office = await fleetOffice();
    const { exit, stderr } = await office.run('events consume crm --to nats://127.0.0.1/A --exec cat');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('--to')]);
  });
});
