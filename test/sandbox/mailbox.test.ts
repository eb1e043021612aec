import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { runTrigger } from '../../src/sandbox/control/triggers.ts';
import { sendText } from '../../src/sandbox/message-progress.ts';
import { addMessage, changeMessage, purgeMessages } from '../../src/sandbox/messages.ts';
import type { World } from '../../src/sandbox/world.ts';
import { openWorld } from './open-world.ts';
import { refusal, userClient } from './request.ts';

const mailbox = '/account/~/extension/~/message-store';
const day = 86_400_000;

/** A sandbox with a user, and a way to send texts from there. */
async function open(settings: NonNullable<SandboxOptions['settings']> = {}) {
  const sandbox = await startSandbox({ listen: false, settings });
  const text = async (words: string, to = '+16505550160') => {
    const body = { from: { phoneNumber: '+16505550112' }, to: [{ phoneNumber: to }], text: words };
    return (await (await userClient(sandbox, '102')).post('/account/~/extension/~/sms', body)).body;
  };
  return {
    sandbox,
    text,
    user: () => userClient(sandbox, '102'),
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}
function states(sandbox: Sandbox): string[] {
  return sandbox.messages().map(({ availability }) => availability);
}

describe('message availability', () => {
  test('spec:Message availability rows 1-2 Alive by default; deleting makes it Deleted, it stays in the mailbox', async () => {
    await using it = await open();
    const { id, ...message } = await it.text('one');
    expect(message['availability']).toBe('Alive');
    const user = await it.user();
    expect((await user.delete(`${mailbox}/${id}`)).status).toBe(204);
    expect(states(it.sandbox)).toEqual(['Deleted']);
  });

  test('spec:Message availability row 3 a deleted message can be restored, a purged one cannot', async () => {
    await using it = await open();
    const { id } = await it.text('one');
    const user = await it.user();
    await user.delete(`${mailbox}/${id}`);
    const restored = await user.patch(`${mailbox}/${id}`, { availability: 'Alive' });
    expect(restored.body).toMatchObject({ id, availability: 'Alive', subject: 'one' });
    await it.sandbox.clock.advance(20 * day);
    expect(states(it.sandbox)).toEqual(['Alive']);
    const later = await it.user();
    await later.delete(`${mailbox}/${id}?purge=true`);
    const refused = await later.patch(`${mailbox}/${id}`, { availability: 'Alive' });
    expect(refusal(refused)).toBe('400 CMN-101');
    expect(refusal(await later.patch(`${mailbox}/${id}`, { readStatus: 'Read' }))).toBe('404 CMN-102');
  });

  test('spec:Message availability row 4 spec:Limits row 7 after 5 days in Deleted it is Purged and its attachments are erased', async () => {
    await using it = await open();
    const { id } = await it.text('one');
    await (await it.user()).delete(`${mailbox}/${id}`);
    await it.sandbox.clock.advance(5 * day - 1);
    expect(states(it.sandbox)).toEqual(['Deleted']);
    await it.sandbox.clock.advance(1);
    const user = await it.user();
    const purged = (await user.get(`${mailbox}/${id}?availability=Purged`)).body;
    expect(purged).toMatchObject({ availability: 'Purged', attachments: [] });
    expect(refusal(await user.get(`${mailbox}/${id}/content/${id}`))).toBe('404 CMN-102');
  });

  test('spec:Message availability row 5 spec:Limits row 8 after 5 more days it is removed for good', async () => {
    await using it = await open();
    const { id } = await it.text('one');
    await (await it.user()).delete(`${mailbox}/${id}`);
    const fired = await it.sandbox.clock.advance(10 * day);
    expect(fired.map(({ kind }) => kind)).toEqual([
      'message.sent',
      'message.delivered',
      'message.purge',
      'message.remove',
    ]);
    expect(it.sandbox.messages()).toEqual([]);
    const every = '?availability=Alive,Deleted,Purged';
    expect(refusal(await (await it.user()).get(`${mailbox}/${id}${every}`))).toBe('404 CMN-102');
  });

  test('spec:Message availability sentence 1 a mailbox beyond its maximum loses its oldest message', async () => {
    await using it = await open({ mailboxMessages: 2 });
    for (const words of ['one', 'two', 'three']) await it.text(words);
    expect(it.sandbox.messages().map(({ subject, availability }) => [subject, availability])).toEqual([
      ['one', 'Deleted'],
      ['two', 'Alive'],
      ['three', 'Alive'],
    ]);
    const user = await it.user();
    await user.delete(`${mailbox}/${it.sandbox.messages()[1]?.id}`);
    await it.text('four');
    expect(states(it.sandbox)).toEqual(['Deleted', 'Deleted', 'Alive', 'Alive']);
  });

  test('facts:L463 of unread voicemails, and of unread faxes, a further one takes the place of the oldest', async () => {
    await using it = await open({ unreadMessages: 2 });
    const arrive = async (kind: string) => {
      const reply = await it.sandbox.control('POST', `/triggers/${kind}`, { to: '102' });
      return String(reply['messageId']);
    };
    const alive = () =>
      it.sandbox.messages().flatMap(({ id, availability }) => (availability === 'Alive' ? [String(id)] : []));
    const heard = await arrive('voicemail');
    await (await it.user()).put(`${mailbox}/${heard}`, { readStatus: 'Read' });
    const [oldest, middle] = [await arrive('voicemail'), await arrive('voicemail')];
    const faxes = [await arrive('fax'), await arrive('fax')];
    expect(alive()).toEqual([heard, oldest, middle, ...faxes]);
    const newest = await arrive('voicemail');
    expect(alive()).toEqual([heard, middle, ...faxes, newest]);
    const lastFax = await arrive('fax');
    expect(alive()).toEqual([heard, middle, faxes[1], newest, lastFax]);
  });

  test('facts:L463 200 unread voicemails, 200 unread faxes and 30 days of sent faxes by default', async () => {
    await using it = await open();
    expect(await it.sandbox.control('GET', '/settings')).toMatchObject({
      unreadMessages: 200,
      sentFaxDays: 30,
    });
  });

  test('spec:Message availability sentence 2 list and get hide Deleted and Purged unless asked', async () => {
    await using it = await open();
    const [first, second] = [await it.text('one'), await it.text('two')];
    const user = await it.user();
    await user.delete(`${mailbox}/${first.id}`);
    await user.delete(`${mailbox}/${second.id}?purge=true`);
    const subjects = async (query: string) =>
      (await user.get(`${mailbox}${query}`)).body.records.map(({ subject }) => subject);
    expect(await subjects('')).toEqual([]);
    expect(await subjects('?availability=Deleted')).toEqual(['one']);
    expect(await subjects('?availability=Deleted&availability=Purged')).toEqual(['two', 'one']);
    expect(refusal(await user.get(`${mailbox}/${first.id}`))).toBe('404 CMN-102');
    expect((await user.get(`${mailbox}/${first.id}?availability=Deleted`)).status).toBe(200);
    const wrong = await user.get(`${mailbox}/${first.id}?availability=Gone`);
    expect(wrong.body['parameterName']).toBe('availability');
  });
});

describe('facts:L240 several ids', () => {
  test('facts:L240 reading several ids gives 207 with a record for each', async () => {
    await using it = await open();
    const [first, second] = [await it.text('one'), await it.text('two')];
    const { status, body } = await (await it.user()).get(`${mailbox}/${first.id},${second.id},77`);
    expect(status).toBe(207);
    expect(body).toMatchObject([
      { resourceId: String(first.id), status: 200, responseDescription: 'OK', body: { subject: 'one' } },
      { status: 200, body: { subject: 'two' } },
      {
        status: 404,
        body: { errorCode: 'CMN-102' },
        href: expect.stringMatching(/message-store\/77$/) as string,
      },
    ]);
  });

  test('spec:Messaging sentence 1 facts:L240 PUT marks one, several of the path, or those of the body', async () => {
    await using it = await open();
    const [first, second] = [await it.text('one'), await it.text('two')];
    const user = await it.user();
    const one = await user.put(`${mailbox}/${first.id}`, { readStatus: 'Unread' });
    expect([one.status, one.body['readStatus']]).toEqual([200, 'Unread']);
    expect((await user.put(`${mailbox}/${first.id},${second.id}`, { readStatus: 'Unread' })).status).toBe(
      207,
    );
    const all = await user.put(`${mailbox}/*`, { readStatus: 'Read', ids: [first.id, second.id] });
    expect(all.body).toMatchObject([{ body: { readStatus: 'Read' } }, { body: { readStatus: 'Read' } }]);
  });

  test('facts:L163 PATCH restores several', async () => {
    await using it = await open();
    const [first, second] = [await it.text('one'), await it.text('two')];
    const user = await it.user();
    await user.delete(`${mailbox}/${first.id},${second.id}`);
    const { status } = await user.patch(`${mailbox}/${first.id},${second.id}`, { availability: 'Alive' });
    expect([status, ...states(it.sandbox)]).toEqual([207, 'Alive', 'Alive']);
    expect(refusal(await user.patch(`${mailbox}/${first.id}`, {}))).toBe('400 CMN-101');
  });

  test('facts:L240 DELETE: first call Deleted, second Purged, 207 when some fail', async () => {
    await using it = await open();
    const [first, second] = [await it.text('one'), await it.text('two')];
    const user = await it.user();
    expect((await user.delete(`${mailbox}/${first.id},${second.id}`)).status).toBe(204);
    expect((await user.delete(`${mailbox}/${first.id}`)).status).toBe(204);
    expect(states(it.sandbox)).toEqual(['Purged', 'Deleted']);
    const partial = await user.delete(`${mailbox}/${first.id},${second.id}`);
    expect(partial.status).toBe(207);
    expect(partial.body).toMatchObject([{ status: 404 }, { status: 204, responseDescription: 'No Content' }]);
    expect(refusal(await user.delete(`${mailbox}/${first.id}`))).toBe('404 CMN-102');
  });

  test('limits and wrong lists are refused by name', async () => {
    await using it = await open();
    const user = await it.user();
    const many = Array.from({ length: 51 }, (_, index) => index + 1);
    expect(refusal(await user.get(`${mailbox}/${many.join(',')}`))).toBe('400 CMN-106');
    const bodyIds = Array.from({ length: 1001 }, (_, index) => index + 1);
    expect(refusal(await user.put(`${mailbox}/*`, { readStatus: 'Read', ids: bodyIds }))).toBe('400 CMN-106');
    for (const path of ['*', '1,', ',', '1,x']) {
      expect(refusal(await user.get(`${mailbox}/${path}`))).toBe('400 CMN-101');
    }
    expect(refusal(await user.put(`${mailbox}/*`, { readStatus: 'Read' }))).toBe('400 CMN-101');
    expect(refusal(await user.put(`${mailbox}/1`, { readStatus: 'Seen' }))).toBe('400 CMN-101');
  });
});

describe('facts:L240 DELETE by filter', () => {
  test('by conversation, by time, by type, and everything', async () => {
    await using it = await open();
    const one = await it.text('one');
    await it.text('two', '+16505550161');
    const user = await it.user();
    expect((await user.delete(`${mailbox}?type=Fax`)).status).toBe(204);
    expect((await user.delete(`${mailbox}?dateTo=2026-01-05T08:00:00Z`)).status).toBe(204);
    expect(states(it.sandbox)).toEqual(['Alive', 'Alive']);
    await user.delete(`${mailbox}?conversationId=${String(one['conversationId'])}`);
    expect(states(it.sandbox)).toEqual(['Deleted', 'Alive']);
    await user.delete(mailbox);
    expect(states(it.sandbox)).toEqual(['Deleted', 'Deleted']);
    await user.delete(`${mailbox}?type=All&purge=true`);
    expect(states(it.sandbox)).toEqual(['Purged', 'Purged']);
  });

  test('facts:1.6 MSG-390 conversationId and type together', async () => {
    await using it = await open();
    const refused = await (await it.user()).delete(`${mailbox}?conversationId=1&type=SMS`);
    expect(refusal(refused)).toBe('400 MSG-390');
  });
});

describe('coverage:Sandbox which token may read and change which mailbox', () => {
  test('own and, for administrators, any; CMN-419, CMN-408 and CMN-404 for the rest', async () => {
    await using it = await open();
    const { id } = await it.text('one');
    const path = `/account/~/extension/171857102/message-store/${id}`;
    const other = await userClient(it.sandbox, '103');
    expect(refusal(await other.get(path))).toBe('403 CMN-419');
    expect(refusal(await other.get(`${path}/content/${id}`))).toBe('403 CMN-419');
    expect(refusal(await other.put(path, { readStatus: 'Read' }))).toBe('403 CMN-408');
    expect(refusal(await other.delete(path))).toBe('403 CMN-408');
    const fax = await other.post('/account/~/extension/171857102/fax', { originalMessageId: id });
    expect(refusal(fax)).toBe('403 CMN-404');
    const admin = await userClient(it.sandbox, 'administrator');
    expect((await admin.put(path, { readStatus: 'Unread' })).status).toBe(200);
    expect((await admin.delete(path)).status).toBe(204);
  });

  test('spec:Permissions row 8 EditMessages to change, and by inclusion ReadMessages to read', async () => {
    await using it = await open();
    const { id } = await it.text('one');
    const reader = await userClient(it.sandbox, '102', 'sandbox-reader');
    const refused = await reader.delete(`${mailbox}/${id}`);
    expect([refusal(refused), refused.body['permissionName']]).toEqual(['403 CMN-401', 'EditMessages']);
    expect((await reader.get(`${mailbox}/${id}`)).body['permissionName']).toBe('ReadMessages');
  });
});

test('spec:messageStatus rows 3-6 coverage:Sandbox magic numbers reach every messageStatus of a text', async () => {
  await using it = await open();
  for (const to of ['+16505550190', '+16505550191', '+16505550192', '+16505550160']) await it.text('x', to);
  await it.sandbox.clock.advance(10_000);
  const rows = it.sandbox
    .messages()
    .map(({ messageStatus, details }) => [messageStatus, details.deliveryErrorCode]);
  expect(rows).toEqual([
    ['SendingFailed', 'SMS-UP-430'],
    ['DeliveryFailed', 'SMS-CAR-411'],
    ['Sent', undefined],
    ['Delivered', undefined],
  ]);
});

describe('facts:L177 messageStatus goes its way by time, at once or by hand', () => {
  test('coverage:Sandbox messageProgression immediate: the end in the reply', async () => {
    await using it = await open({ messageProgression: 'immediate' });
    expect((await it.text('x'))['messageStatus']).toBe('Delivered');
    expect((await it.text('x', '+16505550190'))['messageStatus']).toBe('SendingFailed');
    expect((await it.text('x', '+16505550118'))['messageStatus']).toBe('Sent');
  });

  test('coverage:Sandbox messageProgression manual: only a trigger moves it, and never past its end', () => {
    using it = openWorld({ messageProgression: 'manual' });
    const { world } = it;
    const { id } = world.inTransaction(() => sendText(world, addText(world, '+16505550160')));
    world.clock.advance(day);
    const step = () => runTrigger(world, 'message', { id });
    expect([step(), step(), step()]).toMatchObject([
      { messageStatus: 'Sent' },
      { messageStatus: 'Delivered' },
      { messageStatus: 'Delivered' },
    ]);
  });

  test('a step that no rule allows is a bug, and fails as one', () => {
    using it = openWorld();
    const { world } = it;
    const row = world.inTransaction(() => addText(world, '+16505550160'));
    const move = (changes: Partial<typeof row>) => () =>
      world.inTransaction(() => changeMessage(world, row, changes));
    expect(move({ messageStatus: 'Delivered' })).toThrow('cannot go from Queued to Delivered');
    world.inTransaction(() => purgeMessages(world, [row]));
    const purged = { ...row, availability: 'Purged' };
    expect(() => changeMessage(world, purged, { availability: 'Alive' })).toThrow('from Purged to Alive');
  });
});

function addText(world: World, to: string) {
  return addMessage(world, {
    extensionId: 171_857_102,
    type: 'SMS',
    direction: 'Outbound',
    messageStatus: 'Queued',
    from: { phoneNumber: '+16505550112' },
    to: [{ phoneNumber: to }],
    subject: 'x',
    conversationId: null,
  });
}
