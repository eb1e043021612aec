import { describe, expect, test } from 'vitest';
import { ChatWebhook } from '../../../src/contract/chat.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { rejection, send, userClient } from '../request.ts';

const group = '/chat/groups/3301/webhooks';

function post(sandbox: Sandbox, uri: string, content: unknown, type = 'application/json') {
  return send(sandbox, 'POST', new URL(uri).pathname, {
    headers: { 'content-type': type },
    body: typeof content === 'string' ? content : JSON.stringify(content),
  });
}
/** A webhook of the front desk's group, made by one of its members. */
async function webhookOf(sandbox: Sandbox, who = '102') {
  const user = await userClient(sandbox, who);
  const { body } = await user.post(group);
  return { user, id: String(body.id), uri: body.uri };
}

test('what was posted can be read back, of one group or of all', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const { uri, id } = await webhookOf(sandbox);
  await post(sandbox, uri, { body: 'one' });
  await post(sandbox, uri, { title: 'two', attachments: [{ type: 'Card', text: 'card' }] });
  const read = async (query: string) => (await sandbox.control('GET', `/posts${query}`))['records'];
  const two = {
    groupId: '3301',
    webhookId: id,
    time: '2026-01-05T09:00:00.000Z',
    post: { title: 'two', attachments: [{ type: 'Card', text: 'card' }] },
  };
  expect(await read('')).toMatchObject([{ post: { body: 'one' } }, two]);
  expect(await read('?group=3301&limit=1')).toMatchObject([two]);
  expect(await read('?group=3302')).toEqual([]);
});

describe('webhooks', () => {
  test('spec:CHAT-1, CHAT-3, CHAT-5 create with an empty body, for a group and for a team', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    for (const { id } of sandbox.ready.groups) {
      const { status, body } = await user.post(`/chat/groups/${id}/webhooks`);
      expect(status).toBe(200);
      expect(ChatWebhook.parse(body)).toMatchObject({
        creatorId: '171857102',
        groupIds: [id],
        status: 'Active',
        creationTime: '2026-01-05T09:00:00.000Z',
      });
      expect(body.uri).toMatch(/^http:\/\/[^/]+\/webhook\/v2\/[0-9a-f-]{36}$/);
    }
    expect((await user.get('/chat/webhooks')).body.records).toHaveLength(2);
    expect((await user.get(group)).body.records).toHaveLength(1);
  });

  test('groups are for members and administrators; an address is for its creator', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { id } = await webhookOf(sandbox);
    const stranger = await userClient(sandbox, '106');
    expect(rejection(await stranger.post(group))).toBe('403 CMN-408');
    expect(rejection(await stranger.post('/chat/groups/1/webhooks'))).toBe('404 CMN-102');
    expect(rejection(await stranger.get(`/chat/webhooks/${id}`))).toBe('404 CMN-102');
    const colleague = await userClient(sandbox, '101');
    expect((await colleague.get(group)).body.records).toEqual([]);
    const admin = await userClient(sandbox, 'administrator');
    expect((await admin.get(group)).body.records).toHaveLength(1);
    expect((await admin.post('/chat/groups/3302/webhooks')).status).toBe(200);
  });

  test('spec:CHAT-4 several by id; suspended, activated and deleted', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { user, id, uri } = await webhookOf(sandbox);
    const second = (await user.post(group)).body.id;
    expect((await user.get(`/chat/webhooks/${id},${second}`)).body.records).toMatchObject([
      { id },
      { id: second },
    ]);
    const statusOf = async () => (await user.get(`/chat/webhooks/${id}`)).body.records[0]?.['status'];
    await sandbox.clock.advance(1000);
    expect((await user.post(`/chat/webhooks/${id}/suspend`)).status).toBe(200);
    expect((await user.get(`/chat/webhooks/${id}`)).body.records[0]).toMatchObject({
      status: 'Suspended',
      lastModifiedTime: '2026-01-05T09:00:01.000Z',
    });
    expect((await post(sandbox, uri, { body: 'x' })).status).toBe(403);
    expect((await user.post(`/chat/webhooks/${id}/activate`)).status).toBe(200);
    expect((await post(sandbox, uri, { body: 'x' })).status).toBe(200);
    expect((await user.delete(`/chat/webhooks/${id}`)).status).toBe(200);
    expect(await statusOf()).toBe('Deleted');
    expect((await post(sandbox, uri, { body: 'x' })).status).toBe(404);
    expect(rejection(await user.post(`/chat/webhooks/${id}/activate`))).toBe('404 CMN-102');
    expect((await user.get('/chat/webhooks')).body.records).toMatchObject([{ id: second }]);
  });
});

describe('posts', () => {
  const card = {
    type: 'Card',
    color: '#ff8800',
    pretext: 'before',
    author_name: 'Build',
    author_link: 'https://example.com/a',
    author_icon: 'https://example.com/a.png',
    title: 'Title',
    title_link: 'https://example.com/t',
    fields: [
      { title: 'Branch', value: 'main', short: true },
      { title: 'Result', value: 'good' },
    ],
    text: 'Text',
    image_url: 'https://example.com/i.png',
    footer: 'Footer',
    footer_icon: 'https://example.com/f.png',
    ts: 1_767_603_600,
  };

  test('spec:CHAT-2, CHAT-6 to CHAT-11 all fields of a card, events and notes; read back from the sandbox', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { uri } = await webhookOf(sandbox);
    const content = {
      icon: 'https://example.com/icon.png',
      title: '**Build**',
      body: 'finished',
      attachments: [
        card,
        { type: 'Event', starttime: '2026-01-05' },
        { type: 'Note', anything: { deep: true } },
      ],
    };
    expect((await post(sandbox, uri, content)).status).toBe(200);
    expect((await post(sandbox, uri.replace('/v2', ''), { body: 'by the older address' })).status).toBe(200);
    const posts = sandbox.posts('3301');
    expect(posts.map((one) => JSON.parse(one.content) as unknown)).toEqual([
      content,
      { body: 'by the older address' },
    ]);
    expect(sandbox.posts('3302')).toEqual([]);
    expect(sandbox.posts()).toHaveLength(2);
  });

  test('spec:CHAT-13 in dialect current, a post may have a text instead of a body', async () => {
    await using sandbox = await startSandbox({ listen: false, dialect: 'current' });
    const user = await userClient(sandbox, '102');
    const { uri } = (await user.post('/team-messaging/v1/groups/3301/webhooks')).body;
    const contents = [
      { text: 'Hello world' },
      { title: 'T', text: 'x'.repeat(5000) },
      { activity: 'Build', body: 'x', attachments: [{ ...card, fallback: 'x', author: { name: 'x' } }] },
    ];
    for (const content of contents) expect((await post(sandbox, uri, content)).status).toBe(200);
    expect(sandbox.posts().map((one) => JSON.parse(one.content) as unknown)).toEqual(contents);
    expect(rejection(await post(sandbox, uri, { text: 1 }))).toBe('400 CMN-101');
    expect(rejection(await post(sandbox, uri, { icon: 'https://example.com/i.png' }))).toBe('400 CMN-101');
  });

  test('spec:CHAT-13 in dialect spec, a post has no text', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { uri } = await webhookOf(sandbox);
    expect(rejection(await post(sandbox, uri, { text: 'Hello world' }))).toBe('400 CMN-101');
  });

  test('spec:CHAT-12 300 bytes a field, text and body free; 1.5 MB of attachments; JSON only', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { uri } = await webhookOf(sandbox);
    const answer = async (content: unknown, type?: string) => {
      const reply = await post(sandbox, uri, content, type);
      return reply.status === 200 ? 200 : `${rejection(reply)} ${reply.body.errors[0]?.parameterName ?? ''}`;
    };
    const euro = '€'.repeat(100);
    expect(
      await answer({
        body: 'x'.repeat(5000),
        title: euro,
        attachments: [{ ...card, text: 'x'.repeat(5000) }],
      }),
    ).toBe(200);
    expect(await answer({ title: `${euro}x` })).toBe('400 CMN-101 title');
    expect(await answer({ attachments: [{ ...card, footer: 'x'.repeat(301) }] })).toBe(
      '400 CMN-101 attachments[0].footer',
    );
    expect(
      await answer({ attachments: [{ ...card, fields: [{ title: 'x'.repeat(301), value: '' }] }] }),
    ).toBe('400 CMN-101 attachments[0].fields[0].title');
    expect(await answer({ attachments: [{ type: 'Note', body: 'x'.repeat(1_400_000) }] })).toBe(200);
    expect(await answer({ attachments: [{ type: 'Note', body: 'x'.repeat(1_500_001) }] })).toBe(
      '413 CMN-104 ',
    );
    expect(await answer({ attachments: [{ ...card, ts: 'now' }] })).toContain('400 CMN-101');
    expect(await answer({})).toBe('400 CMN-101 body');
    expect(await answer('{"body":"x"}', 'text/plain')).toBe('415 CMN-103 ');
    expect(await answer('not json', 'text/plain')).toBe('415 CMN-103 ');
    expect(await answer('not json')).toBe('400 CMN-103 ');
    expect(await answer('')).toBe('400 CMN-104 ');
    expect((await post(sandbox, `${sandbox.url}/webhook/v2/unknown`, { body: 'x' })).status).toBe(404);
  });
});
