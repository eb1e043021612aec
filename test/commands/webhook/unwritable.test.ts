import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';
import { connectedOffice, live, openTarget, sendText } from './listening.ts';
import { eventually } from '../../support/eventually.ts';

const post = (url: string, body: string) => fetch(url, { method: 'POST', body });
const eventOf = (uuid: string) => JSON.stringify({ uuid, event: '/x', timestamp: '', body: {} });

/** The inbox of a listener, whose tables can reject writes as on a full disk. */
function inboxIn(state: string) {
  const db = openDatabase(join(state, 'inbox', 'default.db'));
  onTestFinished(() => db.close());
  const name = (table: string, change: string) => `no_${change}_${table}`;
  return {
    reject: (change: 'INSERT' | 'UPDATE', table: string) =>
      db.exec(
        `CREATE TRIGGER ${name(table, change)} BEFORE ${change} ON ${table} BEGIN SELECT RAISE(FAIL, 'no room'); END;`,
      ),
    allow: (change: 'INSERT' | 'UPDATE', table: string) => db.exec(`DROP TRIGGER ${name(table, change)}`),
  };
}

it('events that cannot be stored are rejected, which is reported once, and accepted later', async () => {
  const office = await openOffice();
  const paths = temporaryPaths();
  const { ready, result, interrupt } = await live(office, 'webhook listen --no-subscribe', { paths });
  const inbox = inboxIn(paths.state);
  inbox.reject('INSERT', 'event');
  const bodies = [eventOf('one'), eventOf('one'), 'no JSON', 'no JSON'];
  for (const [index, status] of [503, 503, 400, 400].entries())
    expect((await post(ready.address, bodies[index] ?? '')).status).toBe(status);
  inbox.allow('INSERT', 'event');
  expect((await post(ready.address, eventOf('one'))).status).toBe(200);
  interrupt();
  const { exit, stdout, stderr } = await result;
  expect([exit, stdout.match(/"uuid":"one"/g)?.length]).toEqual([0, 1]);
  expect(stderr.match(/ucctl cannot store events[^\n]*no room/g)).toHaveLength(1);
  expect(stderr).toContain('ucctl stores events again.');
  expect(stderr.match(/the receiver rejected incoming data: not a notification\n/g)).toHaveLength(1);
});

it('events of a channel that cannot be stored arrive later, without a warning about the channel', async () => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  const messages: string[] = [];
  const { result, interrupt, shown } = await live(office, 'subscribe tail', {
    paths,
    onStderr: (text) => void messages.push(text),
  });
  const inbox = inboxIn(paths.state);
  inbox.reject('INSERT', 'event');
  await office.run(sendText);
  await eventually(() => expect(messages.join('')).toContain('ucctl cannot store events'));
  inbox.allow('INSERT', 'event');
  await eventually(() => expect(shown()).toHaveLength(1));
  interrupt();
  const { exit, stderr } = await result;
  expect([exit, stderr.match(/ucctl cannot store events[^\n]*no room/g)?.length]).toEqual([0, 1]);
  expect(stderr).not.toContain('does not send a valid reply');
});

it.each([
  ['created', 'INSERT', []],
  ['updated', 'UPDATE', [503]],
] as const)('deliveries that cannot be %s wait, and the listener continues', async (_, change, statuses) => {
  const office = await connectedOffice();
  const target = await openTarget();
  target.statuses.push(...statuses);
  const paths = temporaryPaths();
  const messages: string[] = [];
  const { ready, result, interrupt, shown } = await live(
    office,
    `webhook listen --no-subscribe --forward-to ${target.url}`,
    { paths, onStderr: (text) => void messages.push(text) },
  );
  const inbox = inboxIn(paths.state);
  inbox.reject(change, 'delivery');
  await post(ready.address, eventOf('one'));
  await eventually(() => expect(messages.join('')).toContain('could not store the delivery state'));
  await eventually(() => expect(shown()).toHaveLength(1));
  inbox.allow(change, 'delivery');
  await eventually(() => expect(target.requests).toHaveLength(statuses.length + 1));
  interrupt();
  expect((await result).exit).toBe(0);
});

it('a subscription that could not be recorded is deleted on exit', async () => {
  const office = await openOffice();
  const paths = temporaryPaths();
  await office.run('events list', { paths });
  inboxIn(paths.state).reject('INSERT', 'held');
  const { result, interrupt } = await live(office, 'webhook listen', { paths });
  interrupt();
  expect((await result).stderr).toContain('could not record the subscription');
  expect(office.sandbox.subscriptions()).toEqual([]);
});

it('a full disk for the output ends the run with its cause and deletes the subscription', async () => {
  const office = await connectedOffice();
  const target = await openTarget();
  const stdout = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
  };
  const { ready, result } = await live(office, `webhook listen --forward-to ${target.url}`, {
    onStdout: stdout,
  });
  await post(ready.address, eventOf('one'));
  const { exit, stderr } = await result;
  expect([exit, stderr]).toEqual([12, expect.stringContaining('stdout: the disk is full')]);
  expect(office.sandbox.subscriptions()).toEqual([]);
});
