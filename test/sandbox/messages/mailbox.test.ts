import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { runTrigger } from '../../../src/sandbox/control/triggers.ts';
import { sendText } from '../../../src/sandbox/messages/progress.ts';
import { addMessage, changeMessage, purgeMessages } from '../../../src/sandbox/messages/rules.ts';
import type { World } from '../../../src/sandbox/world/world.ts';
import { openWorld } from '../open-world.ts';
import { partsOf } from '../calls/office.ts';
import { rejection, send, userClient, type Answer } from '../request.ts';

const mailbox = '/account/~/extension/~/message-store';
const sync = '/account/~/extension/~/message-sync';
const day = 86_400_000;

/** A sandbox with a user, and a way to send texts from there. */
async function open(
  settings: NonNullable<SandboxOptions['settings']> = {},
  dialect: NonNullable<SandboxOptions['dialect']> = 'spec',
) {
  const sandbox = await startSandbox({ listen: false, settings, dialect });
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
  test('spec:MESSAGE-24, MESSAGE-25 Alive by default; deleting makes it Deleted, it stays in the mailbox', async () => {
    await using it = await open();
    const { id, ...message } = await it.text('one');
    expect(message['availability']).toBe('Alive');
    const user = await it.user();
    expect((await user.delete(`${mailbox}/${id}`)).status).toBe(204);
    expect(states(it.sandbox)).toEqual(['Deleted']);
  });

  test('spec:MESSAGE-26 a deleted message can be restored, a purged one cannot', async () => {
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
    const rejected = await later.patch(`${mailbox}/${id}`, { availability: 'Alive' });
    expect(rejection(rejected)).toBe('400 CMN-101');
    expect(rejection(await later.patch(`${mailbox}/${id}`, { readStatus: 'Read' }))).toBe('404 CMN-102');
  });

  test('spec:MESSAGE-27 after 5 days in Deleted it is Purged and its attachments are erased', async () => {
    await using it = await open();
    const { id } = await it.text('one');
    await (await it.user()).delete(`${mailbox}/${id}`);
    await it.sandbox.clock.advance(5 * day - 1);
    expect(states(it.sandbox)).toEqual(['Deleted']);
    await it.sandbox.clock.advance(1);
    const user = await it.user();
    const purged = (await user.get(`${mailbox}/${id}?availability=Purged`)).body;
    expect(purged).toMatchObject({ availability: 'Purged', attachments: [] });
    expect(rejection(await user.get(`${mailbox}/${id}/content/${id}`))).toBe('404 CMN-102');
  });

  test('spec:MESSAGE-28 after 5 more days it is removed permanently', async () => {
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
    expect(rejection(await (await it.user()).get(`${mailbox}/${id}${every}`))).toBe('404 CMN-102');
  });

  test('spec:MESSAGE-29 a mailbox beyond its maximum loses its oldest message', async () => {
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

  test('spec:MESSAGE-31 of unread voicemails, and of unread faxes, a further one takes the place of the oldest', async () => {
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

  test('spec:MESSAGE-31 200 unread voicemails, 200 unread faxes and 30 days of sent faxes by default', async () => {
    await using it = await open();
    expect(await it.sandbox.control('GET', '/settings')).toMatchObject({
      unreadMessages: 200,
      sentFaxDays: 30,
    });
  });

  test('spec:MESSAGE-30 list and get hide Deleted and Purged unless asked', async () => {
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
    expect(rejection(await user.get(`${mailbox}/${first.id}`))).toBe('404 CMN-102');
    expect((await user.get(`${mailbox}/${first.id}?availability=Deleted`)).status).toBe(200);
    const wrong = await user.get(`${mailbox}/${first.id}?availability=Gone`);
    expect(wrong.body['parameterName']).toBe('availability');
  });
});

test('spec:CURRENT-18 reads by ID have no availability, and lists no type Text, in dialect current', async () => {
  await using it = await open({}, 'current');
  const { id } = await it.text('one');
  const user = await userClient(it.sandbox, '102');
  await user.delete(`${mailbox}/${id}`);
  const answer = await user.get(`${mailbox}/${id}?availability=Alive`);
  expect([answer.status, answer.body['availability']]).toEqual([200, 'Deleted']);
  expect(it.sandbox.requestLog().at(-1)?.unread).toEqual(['?availability']);
  for (const address of [`${mailbox}?messageType=Text`, `${sync}?syncType=FSync&messageType=Text`]) {
    const wrong = await user.get(address);
    expect([rejection(wrong), wrong.body['parameterName']]).toEqual(['400 CMN-101', 'messageType']);
  }
});

test.each([
  ['current', ['+16505550160']],
  ['spec', undefined],
] as const)(
  'spec:CURRENT-21 reads of one message in dialect %s have vmSideRecipients %j',
  async (dialect, numbers) => {
    await using it = await open({}, dialect);
    const [one, two] = [await it.text('one'), await it.text('two')];
    const user = await userClient(it.sandbox, '102');
    const read = await user.get(`${mailbox}/${one.id}`);
    const recipients = read.body['vmSideRecipients'] as { phoneNumber: string }[] | undefined;
    expect(recipients?.map(({ phoneNumber }) => phoneNumber)).toEqual(numbers);
    for (const address of [mailbox, `${sync}?syncType=FSync`, `${mailbox}/${one.id},${two.id}`])
      expect(JSON.stringify((await user.get(address)).body)).not.toContain('vmSideRecipients');
  },
);

test('spec:MESSAGE-47 PATCH deletes and purges in dialect current', async () => {
  await using it = await open({}, 'current');
  const { id } = await it.text('one');
  const user = await userClient(it.sandbox, '102');
  const patch = async (availability: string) => {
    const answer = await user.patch(`${mailbox}/${id}`, { availability });
    return answer.status === 200 ? answer.body['availability'] : rejection(answer);
  };
  for (const availability of ['Deleted', 'Deleted', 'Alive', 'Deleted', 'Purged', 'Purged'])
    expect(await patch(availability)).toBe(availability);
  for (const availability of ['Deleted', 'Alive', 'Gone'])
    expect(await patch(availability)).toBe('400 CMN-101');
  await using older = await open({}, 'spec');
  const text = await older.text('one');
  const sender = await userClient(older.sandbox, '102');
  for (const availability of ['Deleted', 'Purged']) {
    const answer = await sender.patch(`${mailbox}/${text.id}`, { availability });
    expect(rejection(answer)).toBe('400 CMN-101');
  }
});

describe.each(['spec', 'current'] as const)('spec:BATCH-1 to BATCH-6 several ids, dialect %s', (dialect) => {
  const batchType = 'application/vnd.ringcentral.multipart+json';
  const marks = (...words: readonly string[]) => words.map((readStatus) => ({ body: { readStatus } }));

  /** Id, status and body of each answer, in either form. */
  function namedIn(answer: Answer, type: string): readonly unknown[] {
    if (type === batchType) {
      const items = answer.body as unknown as { resourceId: string; status: number; body: unknown }[];
      return items.map(({ resourceId, status, body }) => [resourceId, status, body]);
    }
    const [head, ...parts] = partsOf(answer);
    const response = head?.['response'] as { href: string; status: number }[];
    return response.map(({ href, status }, index) => [
      /^http:.*\/message-store\/(\d+)$/.exec(href)?.[1],
      status,
      parts[index],
    ]);
  }

  /** Requests of one user with headers of their own. */
  async function asker(sandbox: Sandbox) {
    const { token } = await userClient(sandbox, '102');
    return (
      method: string,
      path: string,
      {
        type,
        accept,
        body,
      }: { readonly type?: string; readonly accept?: string; readonly body?: unknown } = {},
    ) =>
      send(sandbox, method, `${mailbox}/${path}`, {
        token,
        headers: { ...(type && { 'content-type': type }), ...(accept && { accept }) },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
  }

  test.each([
    ['application/json', 'multipart/mixed'],
    ['*/*', 'multipart/mixed'],
    [undefined, 'multipart/mixed'],
    ['multipart/mixed', 'multipart/mixed'],
    [batchType, batchType],
    [`text/html, ${batchType};q=0.9`, batchType],
  ])('spec:BATCH-3, BATCH-4 Accept %s: 207 as %s with an answer for each id', async (accept, type) => {
    await using it = await open({}, dialect);
    const [first, second] = [await it.text('one'), await it.text('two')];
    const ask = await asker(it.sandbox);
    const answer = await ask('GET', `${first.id},${second.id},77,${first.id}`, accept ? { accept } : {});
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([207, type]);
    const bodies = [
      { id: first.id, subject: 'one' },
      { id: second.id, subject: 'two' },
      { errorCode: 'CMN-102' },
    ];
    expect(namedIn(answer, type)).toMatchObject([
      [String(first.id), 200, bodies[0]],
      [String(second.id), 200, bodies[1]],
      ['77', 404, bodies[2]],
    ]);
  });

  test('spec:MESSAGE-40, MESSAGE-46 PUT marks one, several of the path, or those of the body', async () => {
    await using it = await open({}, dialect);
    const [first, second] = [await it.text('one'), await it.text('two')];
    const ask = await asker(it.sandbox);
    const one = await ask('PUT', String(first.id), {
      type: 'application/json',
      body: { readStatus: 'Unread' },
    });
    expect([one.status, one.body['readStatus']]).toEqual([200, 'Unread']);
    const path = `${first.id},${second.id}`;
    const states = ({ body }: { readonly body: unknown }) =>
      (body as { readonly body: { readonly readStatus: string } }[]).map((item) => item.body.readStatus);
    const paired = await ask('PUT', path, { type: batchType, body: marks('Read', 'Unread') });
    expect([paired.status, paired.headers.get('content-type'), states(paired)]).toEqual([
      207,
      batchType,
      ['Read', 'Unread'],
    ]);
    const parts = ['Unread', 'Read'].map(
      (readStatus) => `--b\r\nContent-Type: application/json\r\n\r\n${JSON.stringify({ readStatus })}\r\n`,
    );
    const mixed = await ask('PUT', path, {
      type: 'multipart/mixed; boundary=b',
      body: `${parts.join('')}--b--`,
      accept: batchType,
    });
    expect([mixed.status, states(mixed)]).toEqual([207, ['Unread', 'Read']]);
    const named = [second, first].map(({ id }) => ({ resourceId: String(id), body: { readStatus: 'Read' } }));
    const all = await ask('PUT', '*', { type: batchType, body: named });
    expect(all.body).toMatchObject([
      { resourceId: String(second.id), status: 200 },
      { resourceId: String(first.id) },
    ]);
    expect(states(all)).toEqual(['Read', 'Read']);
  });

  test('spec:BATCH-5 each id is changed or rejected by itself', async () => {
    await using it = await open({}, dialect);
    const { id } = await it.text('one');
    const ask = await asker(it.sandbox);
    const { status, body } = await ask('PUT', `${id},77,78`, {
      type: batchType,
      body: marks('Read', 'Read', 'Seen'),
    });
    expect(status).toBe(207);
    expect(body).toMatchObject([
      { status: 200, body: { readStatus: 'Read' } },
      { status: 404, body: { errorCode: 'CMN-102' } },
      { status: 400, body: { errors: [{ errorCode: 'CMN-101', parameterName: 'readStatus' }] } },
    ]);
  });

  test('spec:MESSAGE-47 PATCH restores several', async () => {
    await using it = await open({}, dialect);
    const [first, second] = [await it.text('one'), await it.text('two')];
    const ask = await asker(it.sandbox);
    const path = `${first.id},${second.id}`;
    await ask('DELETE', path);
    const restored = { body: { availability: 'Alive' } };
    const { status } = await ask('PATCH', path, { type: batchType, body: [restored, restored] });
    expect([status, ...states(it.sandbox)]).toEqual([207, 'Alive', 'Alive']);
    const nothing = await ask('PATCH', String(first.id), { type: 'application/json', body: {} });
    expect(rejection(nothing)).toBe('400 CMN-101');
  });

  test('spec:MESSAGE-48, BATCH-5 DELETE: first call Deleted, second Purged, 207 when some fail', async () => {
    await using it = await open({}, dialect);
    const [first, second] = [await it.text('one'), await it.text('two')];
    const ask = await asker(it.sandbox);
    const path = `${first.id},${second.id}`;
    expect((await ask('DELETE', path)).status).toBe(204);
    expect((await ask('DELETE', String(first.id))).status).toBe(204);
    expect(states(it.sandbox)).toEqual(['Purged', 'Deleted']);
    const partial = await ask('DELETE', path, { accept: batchType });
    expect([partial.status, partial.body]).toMatchObject([207, [{ status: 404 }, { status: 200, body: {} }]]);
    const none = await ask('DELETE', path);
    expect([none.status, partsOf(none)[0]]).toMatchObject([
      207,
      { response: [{ status: 404 }, { status: 404 }] },
    ]);
    expect(rejection(await ask('DELETE', String(first.id)))).toBe('404 CMN-102');
  });

  test('spec:BATCH-2 DELETE with * in the path deletes the IDs in the body', async () => {
    await using it = await open({}, dialect);
    const [first, second, third] = [await it.text('one'), await it.text('two'), await it.text('three')];
    const ask = await asker(it.sandbox);
    const type = 'application/json';
    const body = [first.id, String(second.id), first.id];
    expect((await ask('DELETE', '*', { type, body })).status).toBe(204);
    expect(states(it.sandbox)).toEqual(['Deleted', 'Deleted', 'Alive']);
    const partial = await ask('DELETE', '*', { type, body: ['77'], accept: batchType });
    expect([partial.status, partial.body]).toMatchObject([207, [{ resourceId: '77', status: 404 }]]);
    const rejected = async (ids: unknown) => rejection(await ask('DELETE', '*', { type, body: ids }));
    expect(await rejected(Array.from({ length: 1001 }, (_, index) => String(index)))).toBe('400 CMN-106');
    expect(await rejected([])).toBe('400 CMN-104');
    expect(await rejected(['x'])).toBe('400 CMN-101');
    expect(await rejected({ ids: [third.id] })).toBe('400 CMN-104');
    expect(rejection(await ask('DELETE', '*'))).toBe('400 CMN-104');
    expect(states(it.sandbox).at(-1)).toBe('Alive');
  });

  test('limits, wrong lists and undocumented bodies are rejected by name', async () => {
    await using it = await open({}, dialect);
    const ask = await asker(it.sandbox);
    const named = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        resourceId: String(index + 1),
        body: { readStatus: 'Read' },
      }));
    const path = (count: number) =>
      named(count)
        .map(({ resourceId }) => resourceId)
        .join(',');
    const put = async (ids: string, body: unknown, type = batchType) =>
      rejection(await ask('PUT', ids, { type, body }));
    expect(rejection(await ask('GET', path(51)))).toBe('400 CMN-106');
    expect(await put(path(51), named(51))).toBe('400 CMN-106');
    expect(await put('*', named(1001))).toBe('400 CMN-106');
    for (const ids of ['*', '1,', ',', '1,x', '1,*'])
      expect(rejection(await ask('GET', ids))).toBe('400 CMN-101');
    // The specification's own form is for one id.
    expect(await put('*', { readStatus: 'Read', ids: ['1'] }, 'application/json')).toBe('400 CMN-101');
    expect(await put('1,2', { readStatus: 'Read' }, 'application/json')).toBe('400 CMN-101');
    expect(await put('1,2', marks('Read', 'Read'), 'application/json')).toBe('400 CMN-104');
    expect(await put('1,2', marks('Read'))).toBe('400 CMN-101');
    expect(await put('1,2', named(2).toReversed())).toBe('400 CMN-101');
    expect(await put('*', marks('Read'))).toBe('400 CMN-101');
    expect(await put('*', [...named(1), ...named(1)])).toBe('400 CMN-406');
    expect(await put('*', [])).toBe('400 CMN-104');
    expect(await put('*', 'no JSON')).toBe('400 CMN-103');
    expect(await put('1,2', '--b\r\n\r\n{}', 'multipart/mixed; boundary=b')).toBe('400 CMN-103');
    expect(await put('1', { readStatus: 'Seen' }, 'application/json')).toBe('400 CMN-101');
    expect(await put('1', {}, 'multipart/form-data; boundary=b')).toBe('415 CMN-103');
  });
});

describe('spec:MESSAGE-49 DELETE by filter', () => {
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

  test('spec:MESSAGE-49, ERROR-35 MSG-390 conversationId and type together', async () => {
    await using it = await open();
    const rejected = await (await it.user()).delete(`${mailbox}?conversationId=1&type=SMS`);
    expect(rejection(rejected)).toBe('400 MSG-390');
  });
});

describe('spec:SANDBOX-7 which token may read and change which mailbox', () => {
  test('own and, for administrators, any; CMN-419, CMN-408 and CMN-404 for the rest', async () => {
    await using it = await open();
    const { id } = await it.text('one');
    const path = `/account/~/extension/171857102/message-store/${id}`;
    const other = await userClient(it.sandbox, '103');
    expect(rejection(await other.get(path))).toBe('403 CMN-419');
    expect(rejection(await other.get(`${path}/content/${id}`))).toBe('403 CMN-419');
    expect(rejection(await other.put(path, { readStatus: 'Read' }))).toBe('403 CMN-408');
    expect(rejection(await other.delete(path))).toBe('403 CMN-408');
    const fax = await other.post('/account/~/extension/171857102/fax', { originalMessageId: id });
    expect(rejection(fax)).toBe('403 CMN-404');
    const admin = await userClient(it.sandbox, 'administrator');
    expect((await admin.put(path, { readStatus: 'Unread' })).status).toBe(200);
    expect((await admin.delete(path)).status).toBe(204);
  });

  test('spec:PERMISSION-10 EditMessages to change, and by inclusion ReadMessages to read', async () => {
    await using it = await open();
    const { id } = await it.text('one');
    const reader = await userClient(it.sandbox, '102', 'sandbox-reader');
    const rejected = await reader.delete(`${mailbox}/${id}`);
    expect([rejection(rejected), rejected.body['permissionName']]).toEqual(['403 CMN-401', 'EditMessages']);
    expect((await reader.get(`${mailbox}/${id}`)).body['permissionName']).toBe('ReadMessages');
  });
});

test('spec:MESSAGE-34 to MESSAGE-37, SANDBOX-8 magic numbers reach every messageStatus of a text', async () => {
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

describe('spec:MESSAGE-38 messageStatus goes its way by time, at once or by hand', () => {
  test('spec:SANDBOX-9 messageProgression immediate: the end in the reply', async () => {
    await using it = await open({ messageProgression: 'immediate' });
    expect((await it.text('x'))['messageStatus']).toBe('Delivered');
    expect((await it.text('x', '+16505550190'))['messageStatus']).toBe('SendingFailed');
    expect((await it.text('x', '+16505550118'))['messageStatus']).toBe('Sent');
  });

  test('spec:SANDBOX-9 messageProgression manual: only a trigger moves it, and never past its end', () => {
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
    expect(move({ messageStatus: 'Delivered' })).toThrow('cannot change from Queued to Delivered');
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
