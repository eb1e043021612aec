import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Inbox } from '../../../src/features/live/index.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { connectedOffice, live, openTarget } from '../webhook/listening.ts';

const event = (uuid: string): string =>
  JSON.stringify({
    uuid,
    event: '/restapi/v1.0/account/1/extension/2/presence',
    timestamp: 't',
    body: { extensionId: '2' },
  });

/** A target that replies to each request when the test does. */
async function openSlowTarget() {
  const requests: { readonly uuid: string; readonly reply: (status: number) => void }[] = [];
  const server = createServer((request, response: ServerResponse) => {
    const uuid = String(request.headers['ucctl-event-id']);
    request.resume().on('end', () => {
      requests.push({ uuid, reply: (status) => response.writeHead(status).end() });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`, requests };
}

it('redelivers a dead letter after the event of its extension that a listener delivers', async () => {
  const office = await connectedOffice();
  const target = await openSlowTarget();
  const paths = temporaryPaths();
  const { ready } = await live(office, `webhook listen --no-subscribe --forward-to ${target.url}`, { paths });
  const sent = (): readonly string[] => target.requests.map(({ uuid }) => uuid);
  await fetch(ready.address, { method: 'POST', body: event('old') });
  await eventually(() => expect(sent()).toEqual(['old']));
  target.requests[0]?.reply(400);
  await fetch(ready.address, { method: 'POST', body: event('new') });
  await eventually(() => expect(sent()).toEqual(['old', 'new']));
  const redelivered = office.run('events dlq --redeliver -o json', { paths });
  const inbox = Inbox.open(paths.state, 'default', () => 0);
  onTestFinished(() => inbox.close());
  const occupied = inbox.db.prepare('SELECT owner FROM attempt ORDER BY owner');
  await eventually(() => expect(occupied.all()).toHaveLength(2));
  expect((await office.run('events dlq --redeliver', { paths })).stderr).toContain('another process');
  expect(sent()).toEqual(['old', 'new']);
  target.requests[1]?.reply(200);
  await eventually(() => expect(sent()).toEqual(['old', 'new', 'old']));
  target.requests[2]?.reply(200);
  expect(await redelivered).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('"delivered"') as string,
  });
});

it('a listener and a redelivery report the process for which they wait', async () => {
  const office = await connectedOffice();
  const target = await openSlowTarget();
  const paths = temporaryPaths();
  const messages = { listener: '', redelivery: '' };
  const { ready } = await live(office, `webhook listen --no-subscribe --forward-to ${target.url}`, {
    paths,
    onStderr: (piece) => void (messages.listener += piece),
  });
  const send = async (uuid: string, count: number): Promise<void> => {
    await fetch(ready.address, { method: 'POST', body: event(uuid) });
    await eventually(() => expect(target.requests).toHaveLength(count));
  };
  await send('old', 1);
  target.requests[0]?.reply(400);
  await send('new', 2);
  const redelivered = office.run('events dlq --redeliver', {
    paths,
    onStderr: (piece) => void (messages.redelivery += piece),
  });
  const since = String.raw`\(process ${process.pid}, since \d{4}-\d\d-\d\dT[\d:.]+Z\)`;
  await eventually(() =>
    expect(messages.redelivery).toMatch(
      new RegExp(`the receiver listen ${since} is delivering an event to ${target.url}; waiting`),
    ),
  );
  target.requests[1]?.reply(200);
  await eventually(() => expect(target.requests).toHaveLength(3));
  await fetch(ready.address, { method: 'POST', body: event('newest') });
  await eventually(() =>
    expect(messages.listener).toMatch(
      new RegExp(`another process redelivers dead letters to ${target.url} ${since}; waiting until`),
    ),
  );
  target.requests[2]?.reply(200);
  expect((await redelivered).exit).toBe(0);
  await eventually(() => expect(target.requests).toHaveLength(4));
  target.requests[3]?.reply(200);
});

it('redelivers the dead letters of a listener that is idle', async () => {
  const office = await connectedOffice();
  const target = await openTarget();
  target.statuses.push(400);
  const paths = temporaryPaths();
  const { ready } = await live(office, `webhook listen --no-subscribe --forward-to ${target.url}`, { paths });
  await fetch(ready.address, { method: 'POST', body: event('old') });
  await eventually(async () =>
    expect((await office.run('events dlq -o json', { paths })).stdout).toContain('HTTP 400'),
  );
  const { exit } = await office.run('events dlq --redeliver', { paths });
  expect([exit, target.requests.length]).toEqual([0, 2]);
});
