import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { freePort } from '../../support/free-port.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice, type Office } from '../office.ts';
import { live, type Listening, type Shown } from './listening.ts';
import { OwnClock } from './own-clock.ts';
import { eventually } from '../../support/eventually.ts';

const minute = 60_000;
const start = Date.UTC(2026, 0, 5, 9);

/** A proxy in front of a port of this machine, which can fail. */
async function openProxy(port: number) {
  const state = { broken: false };
  const server = createServer((incoming, outgoing) => {
    if (state.broken) {
      outgoing.writeHead(503).end();
      return;
    }
    const { method, url: path, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, method, path, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Ids of the shown new messages in order, and whether they were recovered. */
function messagesIn(shown: readonly Shown[]) {
  return shown.flatMap(({ body, recovered }) =>
    (body['changes'] as { newMessageIds?: (string | number)[] }[]).flatMap(({ newMessageIds }) =>
      (newMessageIds ?? []).map((id) => ({ id: String(id), recovered: recovered ?? false })),
    ),
  );
}

async function arrive(office: Office, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) {
    await office.sandbox.control('POST', '/triggers/sms', { to: '100', text: `number ${sent}` });
  }
}

async function shows(listening: Listening, count: number): Promise<void> {
  await eventually(() => expect(listening.shown()).toHaveLength(count));
}

/** Advances the clock until the recovery, which starts after a delay, is done. */
async function recovers(clock: OwnClock, listening: Listening, count: number): Promise<void> {
  await eventually(async () => {
    await clock.advance(1000);
    expect(listening.shown()).toHaveLength(count);
  });
}

it('spec:CLIENT-14 a blacklisted subscription is recreated at the next check, and missed messages are recovered', async () => {
  const settings = { webhookFailingSeconds: 0, webhookReconciliationSeconds: 0 };
  const office = await openOffice('administrator', undefined, ':memory:', { settings });
  const clock = new OwnClock(start);
  const port = await freePort();
  const proxy = await openProxy(port);
  const listening = await live(office, `webhook listen --port ${port} --public-url ${proxy.url}`, clock);
  await arrive(office, 1);
  await shows(listening, 1);
  proxy.state.broken = true;
  await arrive(office, 2);
  await office.sandbox.settled();
  expect(office.sandbox.subscriptions()).toMatchObject([{ status: 'Blacklisted' }]);
  proxy.state.broken = false;
  // The check happens exactly one minute later; the clock does not move after that.
  await clock.advance(minute - 1000);
  expect(office.sandbox.subscriptions()).toMatchObject([{ status: 'Blacklisted' }]);
  await clock.advance(1000);
  await eventually(() => expect(office.sandbox.subscriptions()).toMatchObject([{ status: 'Active' }]));
  expect(office.sandbox.subscriptions()[0]?.id).not.toBe(listening.ready.subscriptionId);
  await recovers(clock, listening, 3);
  await arrive(office, 1);
  await shows(listening, 4);
  const shown = messagesIn(listening.shown());
  expect(shown.map(({ recovered }) => recovered)).toEqual([false, true, true, false]);
  expect(new Set(shown.map(({ id }) => id)).size).toBe(4);
  listening.interrupt();
  expect((await listening.result).stderr).toContain('the subscription was Blacklisted between');
});

it('an expired subscription is noticed within a minute and recreated', async () => {
  const office = await openOffice();
  const clock = new OwnClock(start);
  // A channel subscription expires after 15 minutes, earlier than the sign-in.
  const listening = await live(office, 'subscribe tail --events messages', clock);
  await office.sandbox.clock.advance(16 * minute);
  expect(office.sandbox.subscriptions()).toEqual([]);
  await arrive(office, 1);
  await clock.advance(minute);
  await eventually(() => expect(office.sandbox.subscriptions()).toHaveLength(1));
  await recovers(clock, listening, 1);
  await arrive(office, 1);
  await shows(listening, 2);
  expect(messagesIn(listening.shown()).map(({ recovered }) => recovered)).toEqual([true, false]);
  // The new subscription is announced as ready, too.
  const id = office.sandbox.subscriptions()[0]?.id ?? '';
  expect(id).not.toBe(listening.ready.subscriptionId);
  listening.interrupt();
  const { stderr } = await listening.result;
  expect(stderr.match(/^Ready: /gm)).toHaveLength(2);
  expect(stderr).toContain(`\nSubscription ${id}\n`);
});

it.each([
  ['a failure of the service', 501],
  ['a rejection of another server, which has no code (ERROR-1),', 403],
])('spec:CLIENT-28 after %s a recovery is repeated, at the start and after a gap', async (_, status) => {
  const state = { isBroken: false };
  const breaks =
    (send: HttpSend): HttpSend =>
    (asked) =>
      state.isBroken && asked.url.pathname.endsWith('/message-sync')
        ? Promise.resolve(fakeReply({ status }))
        : send(asked);
  const office = await openOffice('administrator', breaks);
  const paths = temporaryPaths();
  const first = await live(office, 'subscribe tail --events messages', { paths });
  first.interrupt();
  await first.result;
  await arrive(office, 1);
  state.isBroken = true;
  const clock = new OwnClock(start);
  const messages: string[] = [];
  const listening = await live(office, 'subscribe tail --events messages --recover', {
    paths,
    onStderr: (text) => void messages.push(text),
    now: clock.now,
    sleep: clock.sleep,
  });
  await eventually(() => expect(messages.join('')).toContain('cannot recover missed messages'));
  state.isBroken = false;
  await recovers(clock, listening, 1);
  await office.sandbox.clock.advance(16 * minute);
  await arrive(office, 1);
  state.isBroken = true;
  await eventually(async () => {
    await clock.advance(1000);
    expect(messages.join('')).toContain('could not recover events between');
  });
  state.isBroken = false;
  await recovers(clock, listening, 2);
  listening.interrupt();
  expect((await listening.result).exit).toBe(0);
  expect(messagesIn(listening.shown()).map(({ recovered }) => recovered)).toEqual([true, true]);
});

it('a poll of the channel does not stay on the connection from before a sleep of the machine', async () => {
  const tokens: string[] = [];
  const watches =
    (send: HttpSend): HttpSend =>
    (asked) => {
      if (!asked.url.pathname.startsWith('/v2/subscribe/')) return send(asked);
      tokens.push(asked.url.searchParams.get('tt') ?? '');
      // The connection is dead: no reply arrives, and no error.
      if (tokens.length !== 2) return send(asked);
      return new Promise((_resolve, reject) => {
        asked.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
    };
  const office = await openOffice('administrator', watches);
  const clock = new OwnClock(start);
  const listening = await live(office, 'subscribe tail --events messages', clock);
  await eventually(() => expect(tokens).toHaveLength(2));
  clock.skip(10 * minute);
  await clock.advance(30_000);
  await eventually(() => expect(tokens.slice(2)).toEqual([tokens[1]]));
  await arrive(office, 1);
  await shows(listening, 1);
  listening.interrupt();
  expect((await listening.result).stderr).toContain('this machine or process was suspended between');
});

it('a recovery that the service rejects is not repeated', async () => {
  let asked = 0;
  const rejects =
    (send: HttpSend): HttpSend =>
    (request) => {
      if (!request.url.pathname.endsWith('/message-sync')) return send(request);
      asked += 1;
      return Promise.resolve(fakeReply({ status: 403, body: { errorCode: 'CMN-408', message: 'denied' } }));
    };
  const office = await openOffice('administrator', rejects);
  const clock = new OwnClock(start);
  const messages: string[] = [];
  const listening = await live(office, 'subscribe tail --events messages', {
    onStderr: (text) => void messages.push(text),
    now: clock.now,
    sleep: clock.sleep,
  });
  await eventually(() => expect(messages.join('')).toContain('cannot recover missed messages: denied\n'));
  for (let minutes = 0; minutes < 20; minutes += 1) await clock.advance(60_000);
  listening.interrupt();
  expect((await listening.result).exit).toBe(0);
  expect(asked).toBe(1);
});

it('spec:CLIENT-28 after a gap the current presence is shown, and unrecoverable events are reported with the times', async () => {
  const office = await openOffice();
  const clock = new OwnClock(start);
  const listening = await live(office, 'subscribe tail --events presence,lines', clock);
  await office.sandbox.clock.advance(16 * minute);
  await office.sandbox.control('POST', '/triggers/presence', { extension: '100', userStatus: 'Busy' });
  await clock.advance(minute);
  await eventually(() => expect(office.sandbox.subscriptions()).toHaveLength(1));
  await recovers(clock, listening, 1);
  expect(listening.shown()).toMatchObject([
    { event: listening.ready.eventFilters[0], recovered: true, body: { userStatus: 'Busy' } },
  ]);
  listening.interrupt();
  const { stderr } = await listening.result;
  expect(stderr).toMatch(
    /the subscription was lost between 2026-01-05T09:00:\S+Z and 2026-01-05T09:01:\S+Z: recovered 0 messages, read the current presence of 1 extension/,
  );
  expect(stderr).toMatch(/cannot recover events of these types between .*: .*lines/);
});

it('a listener that was stopped for 60 s recovers all 100 messages of that time once', async () => {
  const office = await openOffice();
  const paths = temporaryPaths();
  const first = await live(office, 'webhook listen', { paths });
  await arrive(office, 3);
  await shows(first, 3);
  first.interrupt();
  await first.result;
  for (let second = 0; second < 60; second += 1) {
    await office.sandbox.clock.advance(1000);
    await arrive(office, second < 40 ? 2 : 1);
  }
  const again = await live(office, 'webhook listen', { paths });
  await arrive(office, 2);
  await shows(again, 102);
  again.interrupt();
  expect((await again.result).stderr).toContain(
    'Recovered 100 messages that arrived after the previous run.',
  );
  const [before, after] = [messagesIn(first.shown()), messagesIn(again.shown())];
  const found = after.filter(({ recovered }) => recovered).map(({ id }) => Number(id));
  expect(found).toHaveLength(100);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(new Set([...before, ...after].map(({ id }) => id)).size).toBe(105);
});

it('spec:CLIENT-26 filters that later differ from the requested ones are reported once', async () => {
  const office = await openOffice();
  const clock = new OwnClock(start);
  const output: string[] = [];
  const { ready, result, interrupt } = await live(office, 'webhook listen', {
    now: clock.now,
    sleep: clock.sleep,
    onStderr: (text) => void output.push(text),
  });
  const id = ready.subscriptionId ?? '';
  expect((await office.run(['subscribe', 'update', id, '--events', 'presence'])).exit).toBe(0);
  const count = () =>
    output.join('').match(/does not deliver \S+message-store, although ucctl requested/g)?.length;
  await eventually(async () => {
    await clock.advance(5000);
    expect(count()).toBe(1);
  });
  await clock.advance(3 * minute);
  interrupt();
  await result;
  expect(count()).toBe(1);
});

it('spec:EVENT-5 messages of each filter of a mailbox are recovered, although they share a position', async () => {
  const office = await openOffice();
  const paths = temporaryPaths();
  const store = '/restapi/v1.0/account/~/extension/~/message-store';
  const command = `webhook listen --events "${store}?type=Fax,${store}?type=SMS"`;
  const first = await live(office, command, { paths });
  await arrive(office, 1);
  await shows(first, 1);
  first.interrupt();
  await first.result;
  await office.sandbox.clock.advance(minute);
  await arrive(office, 2);
  await office.sandbox.control('POST', '/triggers/fax', { to: '100' });
  await office.sandbox.clock.advance(minute);
  const again = await live(office, command, { paths });
  await eventually(() => expect(messagesIn(again.shown())).toHaveLength(3));
  again.interrupt();
  expect((await again.result).stderr).toContain('Recovered 3 messages that arrived after the previous run.');
});
