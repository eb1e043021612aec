import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { rejection, userClient } from '../request.ts';

const mailbox = '/account/~/extension/~/message-store';

function sms(from: string, to: string, text = 'hello') {
  return { from: { phoneNumber: from }, to: [{ phoneNumber: to }], text };
}
async function sendFrom(sandbox: Sandbox, who: string, body: unknown) {
  return (await userClient(sandbox, who)).post('/account/~/extension/~/sms', body);
}

describe('sms', () => {
  test('spec:SMS-1, MESSAGE-39, MESSAGE-33, MESSAGE-34, MESSAGE-36, SMS-10 answers Queued, is Sent and then Delivered as time passes', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const { status, body } = await user.post(
      '/account/~/extension/~/sms',
      sms('+16505550112', '+16505550160'),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      type: 'SMS',
      direction: 'Outbound',
      messageStatus: 'Queued',
      readStatus: 'Read',
      availability: 'Alive',
      subject: 'hello',
      from: { phoneNumber: '+16505550112', name: 'Dana Okafor' },
      to: [{ phoneNumber: '+16505550160' }],
    });
    const statusNow = async () => (await user.get(`${mailbox}/${body.id}`)).body['messageStatus'];
    await sandbox.clock.advance(500);
    expect(await statusNow()).toBe('Sent');
    const fired = await sandbox.clock.advance(1500);
    expect(fired).toMatchObject([{ kind: 'message.delivered', subject: String(body.id) }]);
    expect((await user.get(`${mailbox}/${body.id}`)).body).toMatchObject({
      messageStatus: 'Delivered',
      smsDeliveryTime: '2026-01-05T09:00:02.000Z',
    });
  });

  test('spec:MESSAGE-32 a recipient of this account gets a copy of its own', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { body } = await sendFrom(sandbox, '102', sms('+16505550112', '+16505550113'));
    const inbox = (await (await userClient(sandbox, '103')).get(mailbox)).body.records;
    expect(inbox).toMatchObject([
      { direction: 'Inbound', messageStatus: 'Received', readStatus: 'Unread', subject: 'hello' },
    ]);
    expect(inbox[0]?.['conversationId']).not.toBe(body['conversationId']);
  });

  test('spec:BASE-18 one conversation for each pair of numbers, of 19 digits, as a bare integer', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const first = await sendFrom(sandbox, '102', sms('+16505550112', '+16505550160'));
    const second = await sendFrom(sandbox, '102', sms('+16505550112', '+16505550160'));
    const other = await sendFrom(sandbox, '102', sms('+16505550112', '+16505550161'));
    expect(first.body['conversationId']).toMatch(/^8\d{18}$/);
    expect(second.body['conversationId']).toBe(first.body['conversationId']);
    expect(other.body['conversationId']).not.toBe(first.body['conversationId']);
    expect(first.body['conversation']).toMatchObject({ id: first.body['conversationId'] });
  });

  test('spec:SMS-8 1000 UTF-16 code units and no more; an astral character counts two', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const status = async (text: string) =>
      (await sendFrom(sandbox, '102', sms('+16505550112', '+16505550160', text))).status;
    expect(await status('a'.repeat(1000))).toBe(200);
    expect(await status('a'.repeat(1001))).toBe(400);
    expect(await status('😀'.repeat(500))).toBe(200);
    expect(await status(`${'😀'.repeat(500)}a`)).toBe(400);
    expect(await status('')).toBe(400);
    expect(sandbox.messages()).toHaveLength(2);
  });

  test('spec:SMS-2 users and voicemail-only extensions receive, a department does not', async () => {
    await using sandbox = await startSandbox({ listen: false });
    expect((await sendFrom(sandbox, '102', sms('+16505550112', '+16505550120'))).status).toBe(200);
    expect(sandbox.messages(171857120)).toHaveLength(1);
    const rejected = await sendFrom(sandbox, '102', sms('+16505550112', '+16505550121'));
    expect(rejection(rejected)).toBe('403 MSG-314');
  });

  test('the code of the country has two letters', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const text = sms('+16505550112', '+16505550160');
    for (const isoCode of ['USA', 'U', '', '12', 1]) {
      const rejected = await sendFrom(sandbox, '102', { ...text, country: { isoCode } });
      expect([rejection(rejected), rejected.body['parameterName']]).toEqual([
        '400 CMN-101',
        'country.isoCode',
      ]);
    }
    expect((await sendFrom(sandbox, '102', { ...text, country: { isoCode: 'US' } })).status).toBe(200);
  });

  test('spec:SMS-3, ERROR-35 one number to one number', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const two = {
      ...sms('+16505550112', '+16505550160'),
      to: [{ phoneNumber: '+16505550160' }, { phoneNumber: '+16505550161' }],
    };
    expect(rejection(await sendFrom(sandbox, '102', two))).toBe('400 CMN-101');
    const none = await sendFrom(sandbox, '102', { ...two, to: [] });
    expect(rejection(none)).toBe('400 MSG-219');
    expect(none.body.errorCode).toBe('InvalidParameter');
    const { to: _to, ...absent } = two;
    expect(rejection(await sendFrom(sandbox, '102', absent))).toBe('400 MSG-219');
    expect(rejection(await sendFrom(sandbox, '102', { ...absent, to: '5550160' }))).toBe('400 CMN-101');
    const local = await sendFrom(sandbox, '102', sms('+16505550112', '5550160'));
    expect(local.body['parameterName']).toBe('to[0].phoneNumber');
  });

  test('spec:SMS-4, ERROR-30 the number is one of the extension that can send', async () => {
    await using sandbox = await startSandbox({ listen: false });
    expect(rejection(await sendFrom(sandbox, '102', sms('+16505550113', '+16505550160')))).toBe(
      '403 MSG-304',
    );
    expect(rejection(await sendFrom(sandbox, '102', sms('+16505550199', '+16505550160')))).toBe(
      '403 MSG-304',
    );
    expect(rejection(await sendFrom(sandbox, '105', sms('+16505550115', '+16505550160')))).toBe(
      '403 MSG-240',
    );
  });

  test('spec:SMS-5 the main number is the operator’s, for an administrator too', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const body = sms('+16505550100', '+16505550160');
    expect(rejection(await sendFrom(sandbox, 'administrator', body))).toBe('403 MSG-304');
    expect((await sendFrom(sandbox, 'operator', body)).status).toBe(200);
  });

  test('spec:SMS-6 the number of a department needs its own sign-in', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const body = sms('+16505550121', '+16505550160');
    expect(rejection(await sendFrom(sandbox, 'administrator', body))).toBe('403 MSG-304');
    expect((await sendFrom(sandbox, 'queue-manager', body)).status).toBe(200);
  });

  test('spec:SMS-7 to a disabled or frozen extension it stays in the outbox alone', async () => {
    await using sandbox = await startSandbox({ listen: false });
    for (const to of ['+16505550118', '+16505550119'])
      await sendFrom(sandbox, '102', sms('+16505550112', to));
    await sandbox.clock.advance(60_000);
    expect(sandbox.messages().map(({ extensionId, messageStatus }) => [extensionId, messageStatus])).toEqual([
      [171857102, 'Sent'],
      [171857102, 'Sent'],
    ]);
  });

  test('nobody sends for another', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const admin = await userClient(sandbox, 'administrator');
    const rejected = await admin.post(
      '/account/~/extension/171857102/sms',
      sms('+16505550112', '+16505550160'),
    );
    expect(rejection(rejected)).toBe('403 CMN-404');
  });
});

describe('message store', () => {
  test('newest first, the last 24 hours, only what is Alive', async () => {
    await using sandbox = await startSandbox({ listen: false });
    await sendFrom(sandbox, '102', sms('+16505550112', '+16505550160', 'one'));
    await sandbox.clock.advance(1000);
    await sendFrom(sandbox, '102', sms('+16505550112', '+16505550160', 'two'));
    const list = async () => (await (await userClient(sandbox, '102')).get(mailbox)).body;
    const { records, uri } = await list();
    expect(records.map(({ subject }) => subject)).toEqual(['two', 'one']);
    expect(uri).toContain(
      'availability=Alive&dateFrom=2026-01-04T09%3A00%3A01.000Z&dateTo=2026-01-05T09%3A00%3A01.000Z',
    );
    await sandbox.clock.advance(86_400_000);
    expect((await list()).records.map(({ subject }) => subject)).toEqual(['two']);
  });

  test('spec:MESSAGE-41 to MESSAGE-44, MESSAGE-40 filters of the list', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const sent = await sendFrom(sandbox, '102', sms('+16505550112', '+16505550113', 'one'));
    await sendFrom(sandbox, '102', sms('+16505550112', '+16505550113', 'two'));
    await sendFrom(sandbox, '103', sms('+16505550113', '+16505550112', 'three'));
    await sendFrom(sandbox, '102', sms('+16505550112', '+16505550160', 'four'));
    const user = await userClient(sandbox, '102');
    const subjects = async (query: string) =>
      (await user.get(`${mailbox}?${query}`)).body.records
        .map(({ subject }) => String(subject))
        .sort((a, b) => a.localeCompare(b));
    expect(await subjects('direction=Inbound')).toEqual(['three']);
    expect(await subjects('readStatus=Unread')).toEqual(['three']);
    expect(await subjects('phoneNumber=%2B16505550160')).toEqual(['four']);
    expect(await subjects('phoneNumber=%2B16505550113')).toEqual(['one', 'three', 'two']);
    expect(await subjects('messageType=Fax&messageType=Pager')).toEqual([]);
    expect(await subjects('messageType=SMS')).toHaveLength(4);
    expect(await subjects('availability=Deleted,Purged')).toEqual([]);
    expect(await subjects(`conversationId=${String(sent.body['conversationId'])}`)).toEqual([
      'one',
      'three',
      'two',
    ]);
    expect(await subjects('distinctConversations=true')).toEqual(['four', 'three']);
    expect(await subjects('dateFrom=2026-01-05&dateTo=2026-01-05T10:00:00%2B01:00')).toHaveLength(4);
    expect(await subjects('dateTo=2026-01-05T08:59:59Z')).toEqual([]);
  });

  test('wrong filters are rejected by name', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    for (const name of ['availability', 'direction', 'messageType', 'readStatus', 'dateFrom', 'page']) {
      const rejected = await user.get(`${mailbox}?${name}=wrong`);
      expect(rejection(rejected)).toBe('400 CMN-101');
      expect(rejected.body['parameterName']).toBe(name);
    }
  });

  test("another's mailbox is for administrators", async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { body } = await sendFrom(sandbox, '102', sms('+16505550112', '+16505550160'));
    const path = `/account/~/extension/171857102/message-store/${body.id}`;
    expect((await (await userClient(sandbox, 'administrator')).get(path)).status).toBe(200);
    expect(rejection(await (await userClient(sandbox, '103')).get(path))).toBe('403 CMN-419');
    expect(rejection(await (await userClient(sandbox, '103')).get(`${mailbox}/${body.id}`))).toBe(
      '404 CMN-102',
    );
  });
});
