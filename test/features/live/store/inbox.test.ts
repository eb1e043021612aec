import { readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createCipheriv } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  Inbox,
  inboxFile,
  readNotification,
  shownEvent,
  type Received,
} from '../../../../src/features/live/index.ts';
import { pendingAfter, pendingInLane } from '../../../../src/features/live/store/deliveries.ts';
import { eventsAfter, eventsBefore, openInboxToRead } from '../../../../src/features/live/store/schema.ts';
import { UnknownPathLimit } from '../../../../src/features/live/receive/unknown-path-limit.ts';
import { acquireReceiver } from '../../../../src/features/live/subscription/receiver-name.ts';
import { parameter } from '../../../../src/platform/named-statement.ts';
import { openOwnDatabase } from '../../../../src/platform/sqlite.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const day = 86_400_000;
const clock = { now: 1_000_000 };

function open(folder = temporaryFolder()) {
  const inbox = Inbox.open(folder, 'work', () => clock.now);
  onTestFinished(() => inbox.close());
  return { inbox, folder };
}

function event(uuid: string): Received {
  const received = readNotification(JSON.stringify({ uuid, event: '/x', timestamp: 't' }));
  if (!received) throw new Error('no notification');
  return received;
}

async function take(inbox: Inbox, many: number, cursor = 'a:output'): Promise<string[]> {
  const keys: string[] = [];
  const stop = new AbortController();
  for await (const { key } of inbox.read('a', cursor, stop.signal)) {
    keys.push(key);
    if (keys.length === many) stop.abort();
  }
  return keys;
}

describe('the inbox', () => {
  it('is not opened through a link to its folder', () => {
    const [folder, target] = [temporaryFolder(), temporaryFolder()];
    symlinkSync(target, join(folder, 'inbox'));
    const unsafe = expect.objectContaining({ name: 'UnsafePathError', path: join(folder, 'inbox') }) as Error;
    expect(() => Inbox.open(folder, 'work', () => 0)).toThrow(unsafe);
    expect(() => openInboxToRead(inboxFile(folder, 'work'))).toThrow(unsafe);
    expect(readdirSync(target)).toEqual([]);
  });

  it('spec:WEBHOOK-6 stores each notification once per receiver, in order', async () => {
    const { inbox } = open();
    const results = await Promise.all(
      ['1', '2', '1', '3'].map((uuid) => inbox.accept(event(uuid), 'a', 'webhook')),
    );
    expect(results).toEqual(['new', 'new', 'duplicate', 'new']);
    expect(await inbox.accept(event('1'), 'b', 'webhook')).toBe('new');
    expect(inbox.after('a', 0).map(({ key }) => key)).toEqual(['1', '2', '3']);
  });

  it('is read while another process writes to it', () => {
    const { inbox, folder } = open();
    inbox.db.exec('BEGIN IMMEDIATE');
    const service = { origin: undefined, claim: false, onlyReads: true };
    const reader = Inbox.open(folder, 'work', () => clock.now, service);
    onTestFinished(() => reader.close());
    expect(reader.after('a', 0)).toEqual([]);
    inbox.db.exec('ROLLBACK');
  });

  it.each([eventsAfter, eventsBefore])('reads from a position without scanning earlier events: %s', (sql) => {
    const plan = open().inbox.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('a', 1);
    expect(plan.map((step) => (step as { detail: string }).detail)).toEqual([
      expect.stringContaining('USING INTEGER PRIMARY KEY (rowid'),
    ]);
  });

  it('reads pending deliveries in batches, without sorting the deliveries that follow', () => {
    const { inbox } = open();
    const sql = pendingAfter.replaceAll(parameter, '?');
    const plan = inbox.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('one', 1);
    expect(plan.map((step) => (step as { detail: string }).detail)).toEqual([
      expect.stringContaining('USING INDEX deliveryByState (state=? AND target=? AND rowid>?)'),
      expect.stringContaining('USING INTEGER PRIMARY KEY (rowid=?)'),
    ]);
  });

  it('reads the pending deliveries of a lane without those of other lanes', () => {
    const { inbox } = open();
    const sql = pendingInLane.replaceAll(parameter, '?');
    const plan = inbox.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('one', '101', 1);
    expect(plan.map((step) => (step as { detail: string }).detail)).toEqual([
      expect.stringContaining('USING INDEX pendingByLane (target=? AND lane=? AND rowid>?)'),
      expect.stringContaining('USING INTEGER PRIMARY KEY (rowid=?)'),
    ]);
  });

  it('resumes at the position of the reader, also in the next process', async () => {
    const { inbox, folder } = open();
    for (const uuid of ['1', '2', '3', '4']) await inbox.accept(event(uuid), 'a', 'webhook');
    const seen: string[] = [];
    for await (const { key } of inbox.read('a', 'a:output', new AbortController().signal)) {
      seen.push(key);
      // The third is asked for, so that the second counts as done; it is not done itself.
      if (seen.length === 3) break;
    }
    const again = open(folder).inbox;
    expect(await take(again, 2)).toEqual(['3', '4']);
    expect(seen).toEqual(['1', '2', '3']);
  });

  it('lets every reader read at its own speed', async () => {
    const { inbox } = open();
    for (let one = 0; one < 450; one += 1) void inbox.accept(event(String(one)), 'a', 'webhook');
    const slow = inbox.read('a', 'a:slow', new AbortController().signal);
    await inbox.accept(event('last'), 'a', 'webhook');
    expect((await slow.next()).value).toMatchObject({ key: '0' });
    expect(await take(inbox, 451)).toHaveLength(451);
  });

  it('wakes up a waiting reader', async () => {
    const { inbox } = open();
    const reading = take(inbox, 1);
    await inbox.accept(event('late'), 'a', 'channel');
    expect(await reading).toEqual(['late']);
  });

  it('deletes events after a month, but only those that were shown', async () => {
    const { inbox } = open();
    await inbox.accept(event('shown'), 'a', 'webhook');
    await take(inbox, 1);
    await inbox.accept(event('waiting'), 'a', 'webhook');
    clock.now += 31 * day;
    await inbox.accept(event('new'), 'b', 'webhook');
    clock.now += day;
    inbox.trim();
    expect(inbox.after('a', 0).map(({ key }) => key)).toEqual(['waiting']);
  });

  it('deletes old events while it is open', async () => {
    const { inbox } = open();
    inbox.trim();
    for (const key of ['old', 'older']) await inbox.accept(event(key), 'a', 'webhook');
    await take(inbox, 2);
    for (let passed = 0; passed < 31; passed += 1) {
      clock.now += day;
      await inbox.accept(event(`day ${passed}`), 'b', 'webhook');
    }
    await inbox.accept(event('new'), 'a', 'webhook');
    expect(inbox.after('a', 0).map(({ key }) => key)).toEqual(['new']);
  });

  it('deletes old events while it is open, also after many that wait', async () => {
    const { inbox } = open();
    inbox.trim();
    const waiting = Array.from({ length: 1000 }, (_, index) => event(`waiting ${index}`));
    await Promise.all(waiting.map((one) => inbox.accept(one, 'b', 'webhook')));
    await inbox.accept(event('old'), 'a', 'webhook');
    await take(inbox, 1);
    clock.now += 31 * day;
    await inbox.accept(event('new'), 'a', 'webhook');
    clock.now += day;
    await inbox.accept(event('newer'), 'a', 'webhook');
    clock.now += 11_000;
    await inbox.accept(event('newest'), 'a', 'webhook');
    expect(inbox.after('a', 0).map(({ key }) => key)).toEqual(['new', 'newer', 'newest']);
    expect(inbox.after('b', 0)).toHaveLength(200);
  });

  it('deletes no event at the start if the clock is suddenly ahead, until a day has passed', async () => {
    const { inbox, folder } = open();
    await inbox.accept(event('recent'), 'a', 'webhook');
    await take(inbox, 1);
    clock.now += 180 * day;
    const next = open(folder).inbox;
    next.trim();
    await next.accept(event('later'), 'a', 'webhook');
    clock.now += day - 1;
    next.trim();
    expect(next.after('a', 0).map(({ key }) => key)).toEqual(['recent', 'later']);
    clock.now += 1;
    next.trim();
    expect(next.after('a', 0).map(({ key }) => key)).toEqual(['later']);
  });

  it('deletes no event while it is open if the clock is suddenly ahead, until a day has passed', async () => {
    const { inbox } = open();
    inbox.trim();
    await inbox.accept(event('recent'), 'a', 'webhook');
    await take(inbox, 1);
    clock.now += 180 * day;
    await inbox.accept(event('ahead'), 'a', 'webhook');
    clock.now += day - 1;
    await inbox.accept(event('later'), 'a', 'webhook');
    expect(inbox.after('a', 0).map(({ key }) => key)).toEqual(['recent', 'ahead', 'later']);
    clock.now += 11_000;
    await inbox.accept(event('last'), 'a', 'webhook');
    expect(inbox.after('a', 0).map(({ key }) => key)).toEqual(['ahead', 'later', 'last']);
  });

  it('deletes only old events after the clock was ahead for days and is corrected', async () => {
    const { inbox } = open();
    inbox.trim();
    clock.now += 180 * day;
    for (let passed = 0; passed < 3; passed += 1) {
      await inbox.accept(event(`ahead ${passed}`), 'b', 'webhook');
      clock.now += day;
    }
    clock.now -= 183 * day;
    await inbox.accept(event('recent'), 'a', 'webhook');
    await take(inbox, 1);
    for (let passed = 0; passed < 30; passed += 1) {
      clock.now += day;
      await inbox.accept(event(`day ${passed}`), 'b', 'webhook');
    }
    expect(inbox.after('a', 0).map(({ key }) => key)).toEqual(['recent']);
    clock.now += 2 * day;
    await inbox.accept(event('last'), 'b', 'webhook');
    expect(inbox.after('a', 0)).toEqual([]);
  });

  it('can only be read by its user', () => {
    const { folder } = open();
    const file = inboxFile(folder, 'work');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(`${folder}/inbox`).mode & 0o777).toBe(0o700);
  });
});

describe('notifications', () => {
  const key = Buffer.from('0123456789abcdef').toString('base64');
  const encrypt = (text: string): string => {
    const cipher = createCipheriv('aes-128-ecb', Buffer.from(key, 'base64'), null);
    return JSON.stringify(cipher.update(text, 'utf8', 'base64') + cipher.final('base64'));
  };

  it('spec:CLIENT-28 without a body are stored and shown', async () => {
    const { inbox } = open();
    const bare = readNotification('{"uuid":"u","event":"/x","timestamp":"t"}');
    if (bare) await inbox.accept(bare, 'a', 'webhook');
    const [stored] = inbox.after('a', 0);
    expect(stored && shownEvent(stored)).toEqual({ uuid: 'u', event: '/x', timestamp: 't' });
  });

  it('that are encrypted are decrypted with the key of the subscription', () => {
    const encrypted = encrypt('{"uuid":"u","event":"/x","timestamp":"t","body":{"name":"Zoë"}}');
    expect(readNotification(encrypted, [key])).toMatchObject({
      key: 'u',
      notification: { body: { name: 'Zoë' } },
    });
  });

  it('that cannot be decrypted are stored as received, and decrypted when the key is known', async () => {
    const { inbox } = open();
    const encrypted = readNotification(encrypt('{"uuid":"u","event":"/x","timestamp":"t"}'), []);
    expect(encrypted?.notification).toBeUndefined();
    if (encrypted) await inbox.accept(encrypted, 'a', 'webhook');
    const [stored] = inbox.after('a', 0);
    if (!stored) throw new Error('nothing stored');
    expect(shownEvent(stored)).toMatchObject({
      event: 'encrypted',
      encryptedBody: expect.stringMatching(/^[\w+/=]+$/),
    });
    expect(shownEvent(stored, [Buffer.alloc(16).toString('base64'), key])).toMatchObject({ uuid: 'u' });
  });

  it.each([
    ['"dGV4dA=="', 'no whole blocks'],
    ['""', 'nothing'],
    [`{"event":"/x","body":${'['.repeat(101)}${']'.repeat(101)}}`, 'too deep'],
    ['['.repeat(500_000), 'brackets only'],
  ])('are rejected if they are %.20s (%s)', (raw) => {
    expect(readNotification(raw)).toBeUndefined();
  });

  it('may have any number of brackets inside a string', () => {
    const raw = JSON.stringify({ event: '/x', body: { text: `\\"${'{['.repeat(200)}\\` } });
    expect(readNotification(raw)?.notification?.event).toBe('/x');
  });

  it('cannot change a prototype', () => {
    const read = readNotification('{"event":"/x","__proto__":{"polluted":true},"constructor":1}');
    expect(read?.notification).toBeDefined();
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('receivers', () => {
  it('that run at the same time have different names; a free name is reused', () => {
    const { inbox } = open();
    const first = acquireReceiver(inbox, 'listen');
    const second = acquireReceiver(inbox, 'listen');
    expect([first.name, second.name]).toEqual(['listen', 'listen-2']);
    first.release();
    const third = acquireReceiver(inbox, 'listen');
    expect(third.name).toBe('listen');
    second.release();
    third.release();
  });
});

describe('requests to unknown paths', () => {
  it('are limited to 200 per second and address', () => {
    let now = 0;
    const limit = new UnknownPathLimit(() => now);
    const admitted = (address: string, many: number) =>
      Array.from({ length: many }, () => limit.admits(address)).filter(Boolean).length;
    expect(admitted('a', 300)).toBe(200);
    expect(admitted('b', 10)).toBe(10);
    now = 100;
    expect(admitted('a', 300)).toBe(20);
  });
});

describe('the pages of an inbox', () => {
  const pageBytes = (inbox: Inbox): unknown => inbox.db.prepare('PRAGMA page_size').get();

  it('have 8 KB in a new inbox', () => {
    expect(pageBytes(open().inbox)).toEqual({ page_size: 8192 });
  });

  it('keep their size in an existing inbox', async () => {
    const folder = temporaryFolder();
    openOwnDatabase(inboxFile(folder, 'work')).close();
    const { inbox } = open(folder);
    await inbox.accept(event('e-1'), 'a', 'webhook');
    expect(pageBytes(inbox)).toEqual({ page_size: 4096 });
    expect(await take(inbox, 1)).toEqual(['e-1']);
  });
});
