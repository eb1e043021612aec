import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WebSocket } from 'ws';
import type { Fault } from '../../foreign/web-socket/fault.ts';
import { MisbehavingService } from '../../foreign/web-socket/service.ts';
import { eventually } from '../../support/eventually.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';

interface Started {
  /** What the process has written to the terminal. */
  readonly stderr: () => string;
  stop(): Promise<void>;
}

/**
 * Starts a process of the receiver, and waits until it is ready.
 * @param speed how much faster its waits end. @param now its clock.
 */
async function start(origin: string, store: string, speed = 1, now = () => Date.now()): Promise<Started> {
  const file = join(temporaryFolder(), 'ready.json');
  const stop = new AbortController();
  let stderr = '';
  const running = runUcctl(
    `webhook listen --transport websocket --sink store --events messages --ready-file ${file}`,
    {
      paths: temporaryPaths(),
      env: {
        UCCTL_BASE_URL: origin,
        UCCTL_TOKEN: 'token-of-the-user-1',
        UCCTL_DIALECT: 'current',
        UCCTL_STORE: store,
      },
      signal: stop.signal,
      now,
      sleep: (milliseconds, signal) => delay(milliseconds / speed, undefined, { signal }),
      onStderr: (text) => void (stderr += text),
    },
  );
  const end = async () => {
    stop.abort(new Error('interrupted'));
    await running;
  };
  onTestFinished(end);
  await eventually(() => readFileSync(file, 'utf8'));
  return { stderr: () => stderr, stop: end };
}

/** A service with a fault, a store, and the first process, which is the owner. @param clock as for `start`. */
async function startOwner(fault: Fault, ...clock: [speed?: number, now?: () => number]) {
  const service = new MisbehavingService(fault, () => Date.now());
  const origin = await service.listen();
  onTestFinished(() => service.close());
  const { db, url } = await testStore();
  const first = await start(origin, url, ...clock);
  await eventually(async () =>
    expect(await db.query('select 1 from receiver where socket is not null')).toHaveLength(1),
  );
  return { service, origin, db, url, first };
}

/** A fault that the test begins, by pausing the sockets of the service. @param sockets gets them. */
function silentAfter(sockets: WebSocket[]): Fault {
  return { name: 'silence', tokens: 2, opened: ({ socket }) => void sockets.push(socket) };
}

describe.skipIf(postgresMissing())('the owner of a shared WebSocket', () => {
  it('hands over when the service no longer replies, although the connection stays open', async () => {
    const sockets: WebSocket[] = [];
    const { service, origin, db, url, first } = await startOwner(silentAfter(sockets));
    const second = await start(origin, url);
    service.publish();
    const stored = async (count: number) =>
      eventually(async () => expect(await db.query('select 1 from event')).toHaveLength(count));
    await stored(1);
    // The service neither reads pings nor sends events.
    sockets[0]?.pause();
    await eventually(() => expect(second.stderr()).toContain('This process now receives the events.'));
    expect(first.stderr()).toContain('the service does not reply');
    service.publish();
    await stored(2);
    // A failure shows what the processes said.
    const said = { first: first.stderr(), second: second.stderr() };
    expect({ tokens: service.wstokens, ...said }).toEqual({ tokens: 2, ...said });
  });

  it('does not become the owner again with a report that began before the failure', async () => {
    const sockets: WebSocket[] = [];
    const { service, origin, db, url, first } = await startOwner(silentAfter(sockets), 4);
    sockets[0]?.pause();
    // The next report of the process waits for the lock, and the release does not.
    await db.transaction(async (transaction) => {
      await transaction.query('select 1 from receiver_process for update');
      await eventually(() => expect(first.stderr()).toContain('the service does not reply'));
      await eventually(async () =>
        expect(await db.query('select 1 from receiver where owner is null')).toHaveLength(1),
      );
    });
    const second = await start(origin, url);
    expect(second.stderr()).not.toContain('Standby');
    const said = { first: first.stderr(), second: second.stderr() };
    expect({ tokens: service.wstokens, ...said }).toEqual({ tokens: 2, ...said });
  });

  it('does not become the owner again sooner because its clock is set forward', async () => {
    const sockets: WebSocket[] = [];
    let ahead = 0;
    const clock = [4, () => Date.now() + ahead] as const;
    const { origin, db, url, first } = await startOwner(silentAfter(sockets), ...clock);
    sockets[0]?.pause();
    const isFree = 'select 1 from receiver where owner is null';
    await eventually(async () => expect(await db.query(isFree)).toHaveLength(1));
    ahead = 3_600_000;
    const since = new Date();
    // The process reports several times that it is alive.
    await eventually(async () =>
      expect(
        await db.query(`select 1 from receiver_process where seen_at > $1::timestamptz + interval '1 s'`, [
          since,
        ]),
      ).toHaveLength(1),
    );
    expect(await db.query(isFree)).toHaveLength(1);
    const second = await start(origin, url);
    expect(second.stderr()).not.toContain('Standby');
    expect(first.stderr()).toContain('the service does not reply');
  });

  it('hands over when it cannot connect in time', async () => {
    const upgrade = (attempt: number) => (attempt === 2 ? ('hang' as const) : undefined);
    const speed = 4;
    const { service, origin, url, first } = await startOwner({ name: 'no reply', tokens: 3, upgrade }, speed);
    const others = [await start(origin, url, speed), await start(origin, url, speed)];
    await first.stop();
    await eventually(() =>
      expect(others.map(({ stderr }) => stderr()).join('')).toContain(
        'This process now receives the events.',
      ),
    );
    expect(others.map(({ stderr }) => stderr()).join('')).toContain(`no reply from ${origin} (TIMEOUT)`);
    expect(service.wstokens).toBe(3);
  });
});
