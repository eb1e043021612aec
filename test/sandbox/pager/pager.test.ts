import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { deliverPage } from '../../../src/sandbox/pager/rules.ts';
import { openWorld } from '../open-world.ts';
import { rejection, userClient } from '../request.ts';

const mailbox = '/account/~/extension/~/message-store';
const pager = '/account/~/extension/~/company-pager';

function page(from: string, to: readonly string[], text = 'lunch?', more: object = {}) {
  return {
    from: { extensionNumber: from },
    to: to.map((extensionNumber) => ({ extensionNumber })),
    text,
    ...more,
  };
}
async function sendAs(sandbox: Sandbox, who: string, body: unknown) {
  return (await userClient(sandbox, who)).post(pager, body);
}
function owners(sandbox: Sandbox): string[] {
  return sandbox.messages().map(({ extensionId, direction }) => `${extensionId - 171_857_000} ${direction}`);
}

describe('rules of pages', () => {
  test('spec:PAGER-2 users, voicemail-only extensions and departments receive pages', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { status } = await sendAs(sandbox, '102', page('102', ['103', '120', '203']));
    expect(status).toBe(200);
    expect(owners(sandbox)).toEqual([
      '102 Outbound',
      '103 Inbound',
      '120 Inbound',
      '203 Inbound',
      '107 Inbound',
    ]);
  });

  test('spec:PAGER-1, PAGER-3 several recipients; the reply lists the sender too', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { body } = await sendAs(sandbox, '102', page('102', ['103', '104']));
    expect(body).toMatchObject({
      type: 'Pager',
      direction: 'Outbound',
      messageStatus: 'Sent',
      readStatus: 'Read',
      subject: 'lunch?',
      pgToDepartment: false,
      from: { extensionNumber: '102', name: 'Dana Okafor' },
      to: [{ extensionNumber: '103' }, { extensionNumber: '104' }, { extensionNumber: '102' }],
    });
    const inbox = (await (await userClient(sandbox, '104')).get(mailbox)).body.records;
    expect(inbox).toMatchObject([
      {
        direction: 'Inbound',
        messageStatus: 'Received',
        readStatus: 'Unread',
        conversationId: body['conversationId'],
      },
    ]);
  });

  test('spec:PAGER-4 a department forwards to all its members, each once', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { body } = await sendAs(sandbox, '100', page('100', ['201', '202', '104']));
    expect(body['pgToDepartment']).toBe(true);
    expect(owners(sandbox)).toEqual([
      '100 Outbound',
      '201 Inbound',
      '102 Inbound',
      '103 Inbound',
      '104 Inbound',
      '202 Inbound',
      '105 Inbound',
      '106 Inbound',
    ]);
  });

  test('spec:PAGER-5 nobody pages on behalf of a department, and gets the reason', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const manager = await sendAs(sandbox, 'queue-manager', page('201', ['102']));
    expect(rejection(manager)).toBe('403 MSG-330');
    expect(manager.body['message']).toBe('Pager messages are not allowed for extension type Department');
    expect(rejection(await sendAs(sandbox, '102', page('201', ['103'])))).toBe('403 MSG-330');
    expect(sandbox.messages()).toEqual([]);
  });

  test.each(['108', '109'])('spec:PAGER-6 a page to %s, or a list with it, gets 400 at once', async (bad) => {
    await using sandbox = await startSandbox({ listen: false });
    for (const to of [[bad], ['103', bad]]) {
      const rejected = await sendAs(sandbox, '102', page('102', to));
      expect(rejection(rejected)).toBe('400 MSG-324');
      expect(rejected.body['message']).toMatch(/is (Disabled|Frozen)/);
    }
    expect(sandbox.messages()).toEqual([]);
  });

  test('spec:PAGER-6 a department with inactive members gets no error and reaches the active ones', () => {
    // The fixture has none, and no request makes one: it is put in.
    using sandbox = openWorld();
    const { world, extension } = sandbox;
    world.inTransaction(() => {
      world.departments.add(extension('203').id, extension('108').id);
      deliverPage(world, { sender: extension('100'), recipients: [extension('203')], text: 'x' });
    });
    expect(world.messages.all().map((row) => row.extensionId - 171_857_000)).toEqual([100, 203, 107]);
  });

  test('spec:PAGER-7, PAGER-10 replies stay in the thread; who is not among the recipients gets 403', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const first = (await sendAs(sandbox, '100', page('100', ['203', '103']))).body;
    // 107 takes part through department 203.
    const reply = await sendAs(sandbox, '107', {
      from: { extensionNumber: '107' },
      text: 'yes',
      replyOn: first.id,
    });
    expect(reply.body['conversationId']).toBe(first['conversationId']);
    expect(reply.body['to']).toMatchObject([
      { extensionNumber: '100' },
      { extensionNumber: '103' },
      { extensionNumber: '203' },
      { extensionNumber: '107' },
    ]);
    const outsider = await sendAs(sandbox, '105', page('105', [], 'me?', { replyOn: first.id }));
    expect(rejection(outsider)).toBe('403 MSG-326');
  });

  test('spec:ERROR-7 a user no longer among the recipients can neither write nor read', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const first = (await sendAs(sandbox, '100', page('100', ['203']))).body;
    const agent = await userClient(sandbox, '107');
    const copy = (await agent.get(mailbox)).body.records[0];
    const admin = await userClient(sandbox, 'administrator');
    const leave = { items: [{ departmentId: '171857203', removedExtensionIds: ['171857107'] }] };
    expect((await admin.post('/account/~/department/bulk-assign', leave)).status).toBe(204);
    expect(rejection(await agent.post(pager, page('107', [], 'still?', { replyOn: first.id })))).toBe(
      '403 MSG-326',
    );
    expect(rejection(await agent.get(`${mailbox}/${String(copy?.['id'])}`))).toBe('403 MSG-326');
    expect((await agent.get(mailbox)).body.records).toEqual([]);
  });

  test('a reply with `to` makes those the recipients of the thread', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const first = (await sendAs(sandbox, '100', page('100', ['102', '103']))).body;
    await sendAs(sandbox, '102', page('102', ['100'], 'just us', { replyOn: first.id }));
    expect(rejection(await sendAs(sandbox, '103', page('103', [], 'hm', { replyOn: first.id })))).toBe(
      '403 MSG-326',
    );
  });
});

describe('what a page must say', () => {
  test('spec:PAGER-8 1024 UTF-16 code units, 512 of four bytes', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const status = async (text: string) => (await sendAs(sandbox, '102', page('102', ['103'], text))).status;
    expect(await status('a'.repeat(1024))).toBe(200);
    expect(await status('a'.repeat(1025))).toBe(400);
    expect(await status('😀'.repeat(512))).toBe(200);
    expect(await status(`${'😀'.repeat(512)}a`)).toBe(400);
    expect(await status('')).toBe(400);
  });

  test('spec:PAGER-11, ERROR-31, ERROR-32 the rejections', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const answer = async (body: unknown) => rejection(await sendAs(sandbox, '102', body));
    expect(await answer(page('103', ['104']))).toBe('400 MSG-331');
    expect(await answer(page('102', []))).toBe('400 MSG-219');
    expect(await answer(page('102', ['999']))).toBe('400 CMN-102');
    expect(await answer(page('102', ['103'], 'x', { replyOn: 1 }))).toBe('400 CMN-102');
    // An integer in both published descriptions of the interface.
    expect(await answer(page('102', ['103'], 'x', { replyOn: '1' }))).toMatch(/^400 CMN-10\d$/);
    const foreign = await (
      await userClient(sandbox, '102')
    ).post('/account/~/extension/171857103/company-pager', page('103', ['104']));
    expect(rejection(foreign)).toBe('403 CMN-404');
  });

  test('spec:PAGER-12 in dialect current, IDs name extensions, and the sender may be omitted', async () => {
    await using sandbox = await startSandbox({ listen: false, dialect: 'current' });
    const id = (number: string) => ({ extensionId: `171857${number}` });
    const send = async (body: object) => sendAs(sandbox, '102', { text: 'lunch?', ...body });
    const sent = await send({ to: [id('103'), { extensionNumber: '103' }, id('203')] });
    expect(sent.body).toMatchObject({
      from: { extensionNumber: '102' },
      to: [{ extensionNumber: '103' }, { extensionNumber: '203' }, { extensionNumber: '102' }],
    });
    expect((await send({ from: id('102'), to: [id('103')] })).status).toBe(200);
    const wrong = await send({ from: id('103'), to: [id('104')] });
    expect([rejection(wrong), wrong.body['parameterName']]).toEqual(['400 MSG-331', 'from.extensionId']);
    expect(rejection(await send({ from: id('203'), to: [id('104')] }))).toBe('403 MSG-330');
    const unknown = await send({ to: [id('103'), id('999')] });
    expect([rejection(unknown), unknown.body['parameterName']]).toEqual(['400 CMN-102', 'to[1].extensionId']);
    expect(rejection(await send({ to: [{}] }))).toBe('400 CMN-101');
    const asQueue = await sendAs(sandbox, 'queue-manager', { text: 'x', to: [id('103')] });
    expect(rejection(asQueue)).toBe('403 MSG-330');
  });

  test('spec:PAGER-1 in dialect spec, only numbers name extensions, and the sender is required', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const answer = async (body: object) => {
      const reply = await sendAs(sandbox, '102', { text: 'x', ...body });
      return [rejection(reply), reply.body['parameterName']];
    };
    expect(await answer({ to: [{ extensionNumber: '103' }] })).toEqual(['400 CMN-101', 'from']);
    const { from } = page('102', []);
    const byId = [{ extensionId: '171857103' }];
    expect(await answer({ from, to: byId })).toEqual(['400 CMN-101', 'to[0].extensionNumber']);
  });

  test('spec:PAGER-9 a department without members is not a recipient, a purged thread is too old', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const admin = await userClient(sandbox, 'administrator');
    await admin.post('/account/~/department/bulk-assign', {
      items: [{ departmentId: '171857203', removedExtensionIds: ['171857107'] }],
    });
    expect(rejection(await admin.post(pager, page('100', ['203'])))).toBe('400 MSG-316');
    const { id } = (await admin.post(pager, page('100', ['102']))).body;
    await admin.delete(`${mailbox}/${id}?purge=true`);
    expect(rejection(await admin.post(pager, page('100', [], 'x', { replyOn: id })))).toBe('403 MSG-325');
  });
});
