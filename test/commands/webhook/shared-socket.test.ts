import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { postgresMissing } from '../../support/postgres.ts';
import type { RunResult } from '../../support/run-ucctl.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { fleetOffice, type FleetOffice } from '../fleet/fleet-office.ts';

const command = 'webhook listen --transport websocket --sink store';
const env = { UCCTL_DIALECT: 'current' };

interface Receiver {
  readonly subscriptionId: string;
  readonly stderr: () => string;
  stop(): Promise<RunResult>;
}

const socketOffice = (settings: Parameters<typeof fleetOffice>[0] = {}) =>
  fleetOffice({ listen: true, clock: 'real', dialect: 'current', ...settings });

/** Starts a process of the receiver, and waits until it is ready. */
async function start(office: FleetOffice, words = ''): Promise<Receiver> {
  const file = join(temporaryFolder(), 'ready.json');
  const stop = new AbortController();
  let stderr = '';
  const result = office.run(`${command} --ready-file ${file} ${words}`, {
    env,
    signal: stop.signal,
    onStderr: (text) => void (stderr += text),
  });
  const end = (): Promise<RunResult> => {
    stop.abort(new Error('interrupted'));
    return result;
  };
  onTestFinished(async () => {
    await end();
  });
  const failed = result.then(({ exit }) => {
    throw new Error(`ended with ${exit} before it was ready: ${stderr}`);
  });
  const ready = await Promise.race([
    failed,
    eventually(() => JSON.parse(readFileSync(file, 'utf8')) as { readonly subscriptionId: string }),
  ]);
  failed.catch(() => undefined);
  return { subscriptionId: ready.subscriptionId, stderr: () => stderr, stop: end };
}

const text = ({ sandbox }: FleetOffice, to = '100') =>
  sandbox.control('POST', '/triggers/sms', { to, from: '+15555550100', text: 'hello' });

const eventsOf = ({ db }: FleetOffice) =>
  db.query<{ key: string; origin: string; raw: string }>('select key, origin, raw from event order by id');

/** The IDs of the messages that the stored events announce. */
async function announced(office: FleetOffice): Promise<readonly string[]> {
  return (await eventsOf(office)).flatMap(({ raw }) => {
    const { body } = JSON.parse(raw) as { body: { changes: { newMessageIds?: unknown[] }[] } };
    return body.changes.flatMap(({ newMessageIds }) => (newMessageIds ?? []).map(String));
  });
}

async function stores(office: FleetOffice, count: number): Promise<void> {
  await eventually(async () => expect(await eventsOf(office)).toHaveLength(count));
}

const ownerOf = async ({ db }: FleetOffice) =>
  (await db.query<{ owner: string | null }>('select owner from receiver'))[0]?.owner;

/** Waits until the store has a session, and recoveries have ended. */
async function settles({ db }: FleetOffice): Promise<void> {
  await eventually(async () =>
    expect(await db.query('select 1 from receiver where socket is not null and not recovers')).toHaveLength(
      1,
    ),
  );
}

const positionOf = async ({ db }: FleetOffice) =>
  (await db.query<{ position: string }>(`select socket->>'position' as position from receiver`))[0]?.position;

const tokens = ({ sandbox }: FleetOffice) =>
  sandbox.requestLog().filter(({ path }) => path.endsWith('/wstoken')).length;

/**
 * As after a stall of the owner that was longer than its lease. A lease of more than two periods would come from a clock
 * that was set back, and any process could acquire it at once.
 */
const toOther = `update receiver set owner = 'other', fence = fence + 1, lease_until = store_now() + interval '9 seconds'`;
const toNobody = `update receiver set owner = null, lease_until = '-infinity'`;

describe.skipIf(postgresMissing())('WebSocket receivers with --sink', () => {
  it('have one owner, which stores each event once, and standbys without requests', async () => {
    const office = await socketOffice();
    const first = await start(office);
    await settles(office);
    const requests: string[] = [];
    office.onRequest = (path) => Promise.resolve(void requests.push(path));
    const second = await start(office);
    expect(second.subscriptionId).toBe(first.subscriptionId);
    expect(second.stderr()).toMatch(/Standby: \S+ receives the events/);
    for (let count = 1; count <= 3; count += 1) {
      await text(office);
      await stores(office, count);
    }
    expect(requests).toEqual([]);
    expect(office.sandbox.subscriptions()).toMatchObject([
      { id: first.subscriptionId, transportType: 'WebSocket' },
    ]);
    expect(new Set((await eventsOf(office)).map(({ origin }) => origin))).toEqual(new Set(['websocket']));
    expect(await office.rows('events receivers')).toMatchObject([{ receiver: 'listen', processes: 2 }]);
  });

  it('spec:SOCKET-7 hand over at once when the owner stops, and continue its session', async () => {
    const office = await socketOffice();
    const first = await start(office);
    await settles(office);
    const second = await start(office);
    const before = await ownerOf(office);
    await text(office);
    await stores(office, 1);
    const ended = await first.stop();
    expect([ended.exit, ended.stderr.includes('warning')]).toEqual([0, false]);
    expect(await ownerOf(office)).not.toBe(before);
    expect(await office.db.query('select problem from receiver')).toEqual([{ problem: null }]);
    // No process is connected, or the next owner already is.
    await text(office);
    await stores(office, 2);
    await eventually(() => expect(second.stderr()).toContain('This process now receives the events.'));
    await text(office);
    await stores(office, 3);
    const events = await eventsOf(office);
    expect(events.map(({ origin }) => origin)).toEqual(['websocket', 'websocket', 'websocket']);
    expect(office.sandbox.subscriptions()).toMatchObject([{ id: first.subscriptionId }]);
  });

  it('close the WebSocket when another process is the owner, and lose and repeat nothing', async () => {
    const office = await socketOffice();
    const first = await start(office);
    await settles(office);
    await text(office);
    await stores(office, 1);
    await office.db.script(toOther);
    await eventually(() => expect(first.stderr()).toContain('is no longer the owner, and has closed'));
    const used = tokens(office);
    await text(office);
    await office.db.script(toNobody);
    await stores(office, 2);
    expect(tokens(office)).toBe(used + 1);
    expect(first.stderr()).toContain('This process now receives the events.');
    const ids = await announced(office);
    expect(new Set(ids).size).toBe(2);
  });

  it('recover missed messages when the service cannot continue the session', async () => {
    const office = await socketOffice();
    const first = await start(office);
    await settles(office);
    await first.stop();
    await text(office);
    await office.db.script(
      `update receiver set socket = jsonb_set(socket, '{position,token}', '"unknown.1"')`,
    );
    const second = await start(office);
    expect(second.subscriptionId).not.toBe(first.subscriptionId);
    await stores(office, 1);
    expect(await eventsOf(office)).toMatchObject([{ origin: 'recovered' }]);
    await settles(office);
    await text(office);
    await stores(office, 2);
    expect(new Set(await announced(office)).size).toBe(2);
  });

  it('recover messages that the service no longer stores, also if the next owner ends soon', async () => {
    const office = await socketOffice({ settings: { webSocketBufferEvents: 3 } });
    const first = await start(office);
    await settles(office);
    await start(office);
    await text(office);
    await stores(office, 1);
    await office.db.script(toOther);
    await eventually(() => expect(first.stderr()).toContain('is no longer the owner, and has closed'));
    const before = await positionOf(office);
    for (let count = 2; count <= 6; count += 1) await text(office);
    await office.db.script(toNobody);
    // The service repeats the newest three. The owner ends when it has stored that the other two are missing, or
    // its new position.
    await eventually(async () => {
      const [row] = await office.db.query<{ recovers: boolean }>('select recovers from receiver');
      expect(row?.recovers === true || (await positionOf(office)) !== before).toBe(true);
    });
    await office.db.script(toOther);
    await office.db.script(toNobody);
    await stores(office, 6);
    expect(new Set(await announced(office)).size).toBe(6);
  });

  it('do not continue a session with other events', async () => {
    const office = await socketOffice();
    const first = await start(office);
    await settles(office);
    await first.stop();
    const second = await start(office, '--events presence');
    expect(second.subscriptionId).not.toBe(first.subscriptionId);
  });

  it('reject a receiver with listeners while processes run', async () => {
    const office = await socketOffice();
    await start(office);
    const { exit, stderr } = await office.run('webhook listen --sink store --public-url https://x.example', {
      env,
    });
    expect([exit, stderr]).toEqual([11, expect.stringContaining('runs with another')]);
  });

  it.each([
    ['--public-url https://x.example', '--public-url can be used only with --transport webhook'],
    ['--port 8080', '--port can be used only with --transport webhook'],
    ['--no-subscribe', '--no-subscribe can be used only with --transport webhook'],
    ['--count 1', '--count cannot be used with --sink'],
    ['--encrypt', '--encrypt cannot be used with --sink'],
  ])('%s is a usage error', async (words, message) => {
    const office = await fleetOffice();
    const { exit, stderr } = await office.run(`${command} ${words}`, { env });
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
