import { describe, expect, test } from 'vitest';
import { startSandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { addMessage } from '../../../src/sandbox/messages/rules.ts';
import { openWorld } from '../open-world.ts';
import { rejection, userClient, type Answer } from '../request.ts';

const mailbox = '/account/~/extension/~/message-store';
const sync = '/account/~/extension/~/message-sync';
const day = 86_400_000;

async function open(settings: NonNullable<SandboxOptions['settings']> = {}) {
  const sandbox = await startSandbox({ listen: false, settings });
  const text = async (words: string, to = '+16505550160', who = '102') => {
    const from = { phoneNumber: `+165055501${who.slice(1) === '02' ? '12' : '13'}` };
    const body = { from, to: [{ phoneNumber: to }], text: words };
    return (await (await userClient(sandbox, who)).post('/account/~/extension/~/sms', body)).body;
  };
  const ask = async (query: string, who = '102') => (await userClient(sandbox, who)).get(`${sync}?${query}`);
  return {
    sandbox,
    text,
    ask,
    user: () => userClient(sandbox, '102'),
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}
const info = ({ body }: Answer) =>
  body['syncInfo'] as { syncToken: string; syncType: string; syncTime: string; olderRecordsExist: boolean };
const next = (answer: Answer, more = '') =>
  `syncType=ISync&syncToken=${encodeURIComponent(info(answer).syncToken)}${more}`;
const subjects = ({ body }: Answer) => body.records.map(({ subject }) => subject);
/** Longer than the overlap. */
const minute = 60_000;

describe('message sync', () => {
  test('spec:SYNC-8, SYNC-9, SYNC-1, SYNC-2, SYNC-10 FSync gives all with the first token, each ISync what is new with a new one', async () => {
    await using it = await open();
    await it.text('one');
    await it.sandbox.clock.advance(minute);
    const full = await it.ask('syncType=FSync');
    expect(full.status).toBe(200);
    expect(full.body.uri).toContain('/message-sync?syncType=FSync&dateFrom=2025-12-29T09%3A01%3A00.000Z');
    expect(info(full)).toMatchObject({
      syncType: 'FSync',
      syncTime: '2026-01-05T09:01:00.000Z',
      olderRecordsExist: false,
    });
    expect(subjects(full)).toEqual(['one']);
    const nothing = await it.ask(next(full));
    expect([subjects(nothing), info(nothing).syncType]).toEqual([[], 'ISync']);
    await it.text('two');
    const changes = await it.ask(next(nothing));
    expect(subjects(changes)).toEqual(['two']);
    expect(changes.body.records[0]).toMatchObject({ type: 'SMS', attachments: [{ type: 'Text' }] });
    await it.sandbox.clock.advance(minute);
    expect(info(changes).syncToken).not.toBe(info(full).syncToken);
  });

  test('spec:SYNC-14 what changed up to 5 seconds before the last sync comes again', async () => {
    await using it = await open();
    await it.text('one');
    await it.sandbox.clock.advance(2000);
    const full = await it.ask('syncType=FSync');
    expect(subjects(await it.ask(next(full)))).toEqual(['one']);
    await it.sandbox.clock.advance(5001);
    const later = await it.ask(next(full));
    expect(subjects(await it.ask(next(later)))).toEqual([]);
  });

  test('spec:SYNC-12 of deleted and purged messages ISync tells only id and availability', async () => {
    await using it = await open();
    const [one, two, three] = [await it.text('one'), await it.text('two'), await it.text('three')];
    await it.sandbox.clock.advance(minute);
    const full = await it.ask('syncType=FSync');
    const user = await it.user();
    await user.delete(`${mailbox}/${one.id}`);
    await user.delete(`${mailbox}/${two.id}?purge=true`);
    await user.put(`${mailbox}/${three.id}`, { readStatus: 'Unread' });
    const changes = await it.ask(next(full));
    expect(changes.body.records.slice(0, 2)).toEqual([
      { id: one.id, availability: 'Deleted' },
      { id: two.id, availability: 'Purged' },
    ]);
    expect(changes.body.records[2]).toMatchObject({ subject: 'three', readStatus: 'Unread' });
    expect(subjects(await it.ask('syncType=FSync'))).toEqual(['three']);
  });

  test('spec:SYNC-12 a restored message comes back whole; purging by time is reported too', async () => {
    await using it = await open();
    const one = await it.text('one');
    const user = await it.user();
    await user.delete(`${mailbox}/${one.id}`);
    await it.sandbox.clock.advance(minute);
    const full = await it.ask('syncType=FSync');
    await user.patch(`${mailbox}/${one.id}`, { availability: 'Alive' });
    expect(subjects(await it.ask(next(full)))).toEqual(['one']);
    await user.delete(`${mailbox}/${one.id}`);
    await it.sandbox.clock.advance(4 * day);
    const deleted = await it.ask(next(full));
    await it.sandbox.clock.advance(day);
    expect((await it.ask(next(deleted))).body.records).toEqual([{ id: one.id, availability: 'Purged' }]);
  });

  test('spec:SYNC-3, SYNC-4 messageType and direction', async () => {
    await using it = await open();
    await it.text('out');
    await it.text('in', '+16505550112', '103');
    expect(subjects(await it.ask('syncType=FSync&direction=Inbound'))).toEqual(['in']);
    expect(subjects(await it.ask('syncType=FSync&messageType=Fax,VoiceMail'))).toEqual([]);
    const full = await it.ask('syncType=FSync&direction=Inbound&messageType=SMS');
    await it.sandbox.clock.advance(minute);
    await it.text('out again');
    await it.text('in again', '+16505550112', '103');
    const quiet = await it.ask(next(full));
    expect(subjects(quiet)).toEqual(['in', 'in again']);
    const widened = await it.ask(next(full, '&direction=Outbound'));
    expect(new Set(subjects(widened))).toEqual(new Set(['out', 'out again']));
  });

  test('spec:SYNC-5 without dateFrom one week before dateTo; without dateTo up to now', async () => {
    await using it = await open();
    await it.text('old');
    await it.sandbox.clock.advance(7 * day - 1);
    expect(subjects(await it.ask('syncType=FSync'))).toEqual(['old']);
    await it.sandbox.clock.advance(2);
    expect(subjects(await it.ask('syncType=FSync'))).toEqual([]);
    expect(subjects(await it.ask('syncType=FSync&dateFrom=2026-01-05'))).toEqual(['old']);
    expect(subjects(await it.ask('syncType=FSync&dateTo=2026-01-06'))).toEqual(['old']);
    expect(subjects(await it.ask('syncType=FSync&dateTo=2026-01-05T08:00:00Z'))).toEqual([]);
  });

  test('spec:SYNC-6 recordCount limits, and combines with the dates', async () => {
    await using it = await open();
    for (const words of ['one', 'two', 'three']) {
      await it.text(words);
      await it.sandbox.clock.advance(1000);
    }
    const full = await it.ask('syncType=FSync&recordCount=2');
    expect([subjects(full), info(full).olderRecordsExist]).toEqual([['three', 'two'], true]);
    const early = await it.ask('syncType=FSync&recordCount=2&dateTo=2026-01-05T09:00:00.500Z');
    expect([subjects(early), info(early).olderRecordsExist]).toEqual([['one'], false]);
  });

  test('spec:SYNC-11, SANDBOX-6 other dates or recordCount on ISync change the frame', async () => {
    await using it = await open();
    for (const words of ['one', 'two', 'three']) {
      await it.text(words);
      await it.sandbox.clock.advance(minute);
    }
    const full = await it.ask('syncType=FSync&recordCount=1');
    expect(subjects(full)).toEqual(['three']);
    expect(subjects(await it.ask(next(full)))).toEqual([]);
    const wider = await it.ask(next(full, '&recordCount=2'));
    expect([subjects(wider), info(wider).olderRecordsExist]).toEqual([['two'], true]);
    const widest = await it.ask(next(wider, '&dateFrom=2026-01-01'));
    expect([subjects(widest), info(widest).olderRecordsExist]).toEqual([['one'], false]);
    expect(subjects(await it.ask(next(widest)))).toEqual([]);
  });

  test('spec:SANDBOX-6 a setting gives more than recordCount', async () => {
    await using it = await open({ syncExtraRecords: 1 });
    for (const words of ['one', 'two', 'three']) await it.text(words);
    expect(subjects(await it.ask('syncType=FSync&recordCount=1'))).toEqual(['three', 'two']);
  });

  test('spec:SYNC-7 conversationId and distinctConversations', async () => {
    await using it = await open();
    const one = await it.text('one');
    await it.text('two');
    await it.text('three', '+16505550161');
    const only = await it.ask(`syncType=FSync&conversationId=${String(one['conversationId'])}`);
    expect(subjects(only)).toEqual(['two', 'one']);
    expect(subjects(await it.ask('syncType=FSync&distinctConversations=true'))).toEqual(['three', 'two']);
  });
});

describe('spec:SYNC-15, ERROR-33 tokens that need a full sync: MSG-333', () => {
  test('damaged, cut, of another mailbox', async () => {
    await using it = await open();
    const full = await it.ask('syncType=FSync');
    const { syncToken } = info(full);
    for (const token of ['x', '', syncToken.slice(1), `${syncToken}x`, syncToken.split('.')[0]]) {
      expect(rejection(await it.ask(`syncType=ISync&syncToken=${token}`))).toBe('400 MSG-333');
    }
    const foreign = await it.ask(next(full), '103');
    expect([rejection(foreign), foreign.body.errorCode]).toEqual(['400 MSG-333', 'InvalidParameter']);
    expect(foreign.body['message']).toContain('full synchronization is required');
  });

  test('of a sandbox with the same IDs that started at another time, or before a reset', async () => {
    await using it = await open();
    const token = next(await it.ask('syncType=FSync'));
    await using same = await startSandbox({ listen: false });
    expect((await (await userClient(same, '102')).get(`${sync}?${token}`)).status).toBe(200);
    await using other = await startSandbox({ listen: false, startTime: it.sandbox.clock.now() + minute });
    expect(rejection(await (await userClient(other, '102')).get(`${sync}?${token}`))).toBe('400 MSG-333');
    await it.sandbox.clock.advance(minute);
    const later = next(await it.ask('syncType=FSync'));
    await it.sandbox.control('POST', '/reset', {});
    expect(rejection(await it.ask(later))).toBe('400 MSG-333');
  });

  test('spec:SANDBOX-6 older than purged messages are remembered', async () => {
    await using it = await open();
    const full = await it.ask('syncType=FSync');
    await it.sandbox.clock.advance(5 * day);
    expect((await it.ask(next(full))).status).toBe(200);
    await it.sandbox.clock.advance(1);
    expect(rejection(await it.ask(next(full)))).toBe('400 MSG-333');
  });

  test('parameters that are missing or wrong', async () => {
    await using it = await open();
    const named = async (query: string) => (await it.ask(query)).body['parameterName'];
    expect(await named('')).toBe('syncType');
    expect(await named('syncType=Sync')).toBe('syncType');
    expect(await named('syncType=ISync')).toBe('syncToken');
    expect(await named('syncType=FSync&dateFrom=now')).toBe('dateFrom');
    expect(await named('syncType=FSync&recordCount=0')).toBe('recordCount');
    expect(await named('syncType=FSync&direction=Up')).toBe('direction');
  });
});

test('rel: no change is lost and none comes twice, whatever happens between the syncs', async () => {
  await using it = await open();
  const seen = new Map<string, string>();
  let answer = await it.ask('syncType=FSync');
  for (let round = 0; round < 6; round += 1) {
    await it.text(`message ${round}`);
    const all = it.sandbox.messages(171_857_102);
    const user = await it.user();
    if (round % 2 === 1) await user.delete(`${mailbox}/${all[round - 1]?.id}`);
    await it.sandbox.clock.advance(round * 1000);
    answer = await it.ask(next(answer));
    for (const { id, availability } of answer.body.records) seen.set(String(id), String(availability));
    expect(new Set(answer.body.records.map(({ id }) => id)).size).toBe(answer.body.records.length);
  }
  const truth = it.sandbox.messages(171_857_102);
  expect(seen).toEqual(new Map(truth.map(({ id, availability }) => [String(id), availability])));
});

test('spec:SYNC-13, BASE-35 no paging: 12,000 records in one reply, streamed', async () => {
  using it = openWorld({ mailboxMessages: 20_000 }, false);
  const { world } = it;
  world.inTransaction(() => {
    for (let index = 0; index < 12_000; index += 1) {
      addMessage(world, {
        extensionId: 171_857_102,
        type: 'SMS',
        direction: 'Inbound',
        messageStatus: 'Received',
        from: { phoneNumber: '+16505550160' },
        to: [{ phoneNumber: '+16505550112' }],
        subject: `message ${index}`,
        conversationId: null,
      });
    }
  });
  const response = await it.get('102', `${sync}?syncType=FSync`);
  let pieces = 0;
  let largest = 0;
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) {
    pieces += 1;
    largest = Math.max(largest, chunk.length);
    chunks.push(chunk);
  }
  const { records } = JSON.parse(Buffer.concat(chunks).toString()) as { records: { subject: string }[] };
  expect(records).toHaveLength(12_000);
  expect([records[0]?.subject, records.at(-1)?.subject]).toEqual(['message 11999', 'message 0']);
  expect(pieces).toBeGreaterThan(100);
  expect(largest).toBeLessThan(200_000);
});
