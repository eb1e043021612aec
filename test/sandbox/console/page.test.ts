import { readFileSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { controlRoutes } from '../../../src/sandbox/control/routes.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { eventually } from '../../support/eventually.ts';
import { userClient } from '../request.ts';
import { socketUser, startCurrent } from '../sockets/client.ts';
import { startWebhook } from '../webhook.ts';
import { conditionLimit } from '../../support/limits.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const paths = ['/', '/console/app.js', '/console/app.css', '/console/icon.svg'];

/** Sends headers that fetch does not let through. */
function ask(sandbox: Sandbox, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; type: string; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      request(new URL(path, sandbox.url), { method, headers: { ...browser, ...headers } }, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            type: reply.headers['content-type'] ?? '',
            headers: reply.headers,
            text,
          }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

describe('the page of the sandbox', () => {
  test('a browser gets the page, a program the reply of the service', async () => {
    await using sandbox = await startSandbox();
    expect(await ask(sandbox, '/')).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
    expect(await ask(sandbox, '/', {}, 'HEAD')).toMatchObject({ status: 200, text: '' });
    for (const accept of [
      '*/*',
      'application/json',
      '',
      'application/json, text/html;q=0',
      'text/html; q=0.0',
    ]) {
      const reply = await ask(sandbox, '/', { accept });
      expect([reply.status, reply.type]).toEqual([404, 'application/json;charset=UTF-8']);
      expect(JSON.parse(reply.text)).toMatchObject({ errorCode: 'AGW-404' });
    }
    expect((await ask(sandbox, '/console/../../package.json')).status).toBe(404);
    expect((await ask(sandbox, '/console/index.html')).status).toBe(404);
    expect((await ask(sandbox, '/', {}, 'POST')).status).toBe(404);
  });

  test('forbids scripts of others, markup made by scripts, and embedding', async () => {
    await using sandbox = await startSandbox();
    for (const path of paths) {
      const { status, headers, text } = await ask(sandbox, path);
      expect([path, status]).toEqual([path, 200]);
      const policy = String(headers['content-security-policy']);
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(policy).toContain("frame-ancestors 'none'; require-trusted-types-for 'script'");
      expect(policy).not.toContain('unsafe');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
      expect(text).not.toContain('Sandbox-100');
    }
    expect((await ask(sandbox, '/')).text).not.toMatch(/<script(?![^>]* src=)|style=|\son\w+=/);
  });

  test('spec:SANDBOX-20 no route answers under another host name or for another page', async () => {
    await using sandbox = await startSandbox();
    const { port } = new URL(sandbox.url);
    const routes = controlRoutes.map(({ method, path }) => ({
      method,
      path: `/sandbox/v1${path.replaceAll(/:\w+/g, '1')}`,
    }));
    expect(routes.length).toBeGreaterThan(40);
    const foreign = [
      { host: `evil.test:${port}` },
      { host: `127.0.0.1.evil.test:${port}` },
      { origin: 'http://evil.test' },
      { origin: `http://127.0.0.1:${Number(port) + 1}` },
      { origin: 'null' },
    ];
    const state = await sandbox.control('GET', '/state');
    for (const headers of foreign) {
      for (const { method, path } of routes) {
        const name = `${method} ${path} ${JSON.stringify(headers)}`;
        expect([name, (await ask(sandbox, path, headers, method)).status]).toEqual([name, 403]);
      }
      for (const path of paths) {
        const reply = await ask(sandbox, path, headers);
        expect([path, reply.status, reply.type]).toEqual([path, 404, 'application/json;charset=UTF-8']);
      }
    }
    // An image or a link of another page has no Origin header.
    for (const site of ['cross-site', 'same-site'])
      for (const { method, path } of routes)
        expect((await ask(sandbox, path, { 'sec-fetch-site': site }, method)).status).toBe(403);
    expect(await sandbox.control('GET', '/state')).toEqual(state);
    const queue = sandbox.ready.queues[0]?.id ?? '';
    for (const method of ['POST', 'DELETE', 'PATCH']) {
      const path = `/sandbox/v1/queues/${queue}/members/171857102`;
      expect((await ask(sandbox, path, { origin: 'http://evil.test' }, method)).status).toBe(403);
    }
    expect(sandbox.members(queue)).toHaveLength(3);
  });

  test('needs at most 150 kB of compressed script', () => {
    const scripts = readdirSync('dist/console').filter((name) => name.endsWith('.js'));
    expect(scripts.toSorted()).toEqual(['app.js', 'profile.js']);
    for (const script of scripts)
      expect(gzipSync(readFileSync(`dist/console/${script}`)).length).toBeLessThan(150_000);
  });
});

/** Reads the stream of changes from its first event on. */
async function openChanges(sandbox: Sandbox) {
  const aborter = new AbortController();
  const reply = await fetch(`${sandbox.url}/sandbox/v1/changes`, { signal: aborter.signal });
  expect(reply.headers.get('content-type')).toBe('text/event-stream');
  let events = '';
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const part of reply.body ?? []) events += decoder.decode(part as Uint8Array);
  })().catch((error: unknown) => error);
  await eventually(() => expect(events).toContain('event: ready'));
  return {
    /** The topics of each event. */
    topics: () =>
      [...events.matchAll(/event: change\ndata: (.*)\n/g)].map(
        ([, data = '']) => (JSON.parse(data) as { topics: string[] }).topics,
      ),
    async close() {
      aborter.abort();
      await reading;
    },
  };
}

describe('the stream of changes', () => {
  test('names the changed parts, once for a burst, and ends with its connection', async () => {
    await using sandbox = await startSandbox();
    const changes = await openChanges(sandbox);
    for (let count = 0; count < 50; count += 1) {
      await sandbox.control('POST', '/triggers/sms', { to: '102', text: `text ${count}` });
    }
    await eventually(() =>
      expect(changes.topics().flat()).toEqual(expect.arrayContaining(['messages', 'service'])),
    );
    expect(changes.topics().length).toBeLessThan(50);
    await sandbox.control('POST', '/reset', {});
    await eventually(() =>
      expect(changes.topics().at(-1)).toEqual(expect.arrayContaining(['phones', 'queues'])),
    );
    await changes.close();
  });

  test('names a request over a WebSocket, which changes nothing else', async () => {
    const sandbox = await startCurrent();
    const socket = await (await socketUser(sandbox)).connect();
    await sandbox.control('GET', '/requests');
    const changes = await openChanges(sandbox);
    await socket.request('GET', '/restapi/v1.0/nowhere');
    await eventually(() => expect(changes.topics()).toEqual([['requests']]));
    await changes.close();
  });
});

describe('what the page reads', () => {
  test('content that could contain a script is downloaded, never shown', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { messageId } = await sandbox.control('POST', '/triggers/fax', { to: '102', text: '<script>' });
    const { records } = (await sandbox.control('GET', '/threads')) as {
      records: { last: { attachments: { path: string }[] } }[];
    };
    const path = records[0]?.last.attachments[0]?.path ?? '';
    expect(path).toContain(String(messageId));
    const reply = await sandbox.fetch(new Request(sandbox.url + path));
    expect(reply.headers.get('content-type')).toBe('application/octet-stream');
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; /);
    expect(reply.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect((await sandbox.fetch(new Request(`${sandbox.url}/sandbox/v1/messages/1/content/1`))).status).toBe(
      404,
    );
  });

  test('an encrypted event is shown decrypted, and named as encrypted after its subscription was deleted', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({
      listen: false,
      settings: { webhookTimeoutMilliseconds: conditionLimit },
    });
    expect(await sandbox.control('GET', '/events')).toEqual({ records: [], total: 0 });
    await expect(sandbox.control('GET', '/events/1')).rejects.toMatchObject({ status: 404 });
    await expect(sandbox.control('GET', '/events/abc')).rejects.toThrow('event abc not found');
    const admin = await userClient(sandbox, '100');
    const { status, body } = await admin.post('/subscription', {
      eventFilters: ['/restapi/v1.0/account/~/presence'],
      deliveryMode: { transportType: 'WebHook', address: webhook.address },
    });
    expect(status).toBe(200);
    await sandbox.control('POST', '/triggers/presence', { extension: '102', userStatus: 'Busy' });
    await sandbox.settled();
    expect(await sandbox.control('GET', '/events?state=delivered')).toMatchObject({
      records: [
        { name: 'presence', extensionNumber: '102', text: 'Busy', address: webhook.address, status: 200 },
      ],
      total: 1,
    });
    expect(await sandbox.control('GET', '/events/1')).toMatchObject({
      isEncrypted: true,
      body: { body: { presenceStatus: 'Busy' } },
    });
    expect((await admin.delete(`/subscription/${String(body['id'])}`)).status).toBe(204);
    expect(await sandbox.control('GET', '/events/1')).toMatchObject({
      address: 'deleted subscription',
      text: 'Encrypted, and the key no longer exists',
      body: { encrypted: expect.any(String) as string },
    });
  });

  test('an event is listed after a renewal has changed the key of its subscription', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const { id } = (
      await user.post('/subscription', {
        eventFilters: ['/restapi/v1.0/account/~/extension/~/presence'],
        deliveryMode: { transportType: 'ChannelService' },
      })
    ).body;
    await user.put('/account/~/extension/~/presence', { userStatus: 'Busy' });
    await sandbox.control('POST', '/faults', { kind: 'renew-changes' });
    await user.post(`/subscription/${id}/renew`);
    await user.put('/account/~/extension/~/presence', { userStatus: 'Offline' });
    const { records } = await sandbox.control('GET', '/events');
    expect(records).toMatchObject([
      { text: 'Offline' },
      { state: 'pending', text: 'Encrypted, and the key no longer exists' },
    ]);
    expect(await sandbox.control('GET', '/events/1')).toMatchObject({
      isEncrypted: true,
      body: { encrypted: expect.any(String) as string },
    });
  });

  test('a search finds events by what the page shows of them, also if they are encrypted', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({
      listen: false,
      settings: { webhookTimeoutMilliseconds: conditionLimit },
    });
    const admin = await userClient(sandbox, '100');
    const { status } = await admin.post('/subscription', {
      eventFilters: ['/restapi/v1.0/account/~/presence'],
      deliveryMode: { transportType: 'WebHook', address: webhook.address },
    });
    expect(status).toBe(200);
    await sandbox.control('POST', '/triggers/presence', { extension: '102', userStatus: 'Busy' });
    await sandbox.control('POST', '/triggers/presence', {
      extension: '103',
      dndStatus: 'DoNotAcceptAnyCalls',
    });
    await sandbox.settled();
    const found = async (search: string) => {
      const query = new URLSearchParams({ search });
      const { records, total } = await sandbox.control('GET', `/events?${query.toString()}`);
      const numbers = (records as { extensionNumber: string }[]).map(
        ({ extensionNumber }) => extensionNumber,
      );
      expect(total).toBe(numbers.length);
      return numbers;
    };
    expect(await found('')).toEqual(['103', '102']);
    for (const text of ['dana okafor', '(102)', '"userStatus":"Busy"', ' Dana '])
      expect([text, await found(text)]).toEqual([text, ['102']]);
    for (const text of ['ÁLVAREZ', 'do not accept any calls'])
      expect([text, await found(text)]).toEqual([text, ['103']]);
    expect(await found('nobody')).toEqual([]);
    expect(await sandbox.control('GET', '/events?search=presence&limit=1')).toMatchObject({
      records: [{ extensionNumber: '103' }],
      total: 2,
    });
    expect(await found('presence')).toEqual(['103', '102']);
    expect(await sandbox.control('GET', '/events?search=dana&state=failed')).toEqual({
      records: [],
      total: 0,
    });
  });

  test('a search finds messages by text, transcription, name and number, but not by names of JSON members', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const receive = (kind: string, input: object) => sandbox.control('POST', `/triggers/${kind}`, input);
    await receive('sms', { to: '102', from: '+14155550142', text: 'Where is "my" order?' });
    await receive('voicemail', { to: '103', from: '+14155550143', transcription: 'Please call the plumber' });
    await receive('pager', { to: '102,103', from: '101', text: 'Lunch?' });
    const found = async (search: string) => {
      const query = new URLSearchParams({ search });
      const { records } = await sandbox.control('GET', `/threads?${query.toString()}`);
      return (records as { key: string; ownerNumber: string }[]).map(
        ({ ownerNumber, key }) => `${ownerNumber} ${key}`,
      );
    };
    expect(await found('"my" ORDER')).toEqual(['102 +14155550142']);
    expect(await found('5550142')).toEqual(['102 +14155550142']);
    expect(await found('plumber')).toEqual(['103 +14155550143']);
    for (const text of ['phone', 'name', 'number', '{', '%'])
      expect([text, await found(text)]).toEqual([text, []]);
    expect(await sandbox.control('GET', '/threads?search=lunch')).toMatchObject({
      records: [
        { peerName: 'Reception' },
        { peerName: 'Reception' },
        { owner: 'Reception', peerName: 'Dana Okafor, José Álvarez' },
      ],
      total: 3,
      hasOlder: false,
    });
  });

  test('the list of conversations counts all unread messages and all conversations of busy mailboxes', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const receive = (from: string) => sandbox.control('POST', '/triggers/sms', { to: '102', from });
    await receive('+14155550142');
    for (let count = 0; count < 501; count += 1) await receive('+14155550143');
    expect(await sandbox.control('GET', '/threads?limit=1')).toMatchObject({
      records: [{ key: '+14155550143', unread: 501 }],
      total: 2,
      hasOlder: false,
    });
    const { messages } = await sandbox.control('GET', '/threads/171857102?key=%2B14155550142');
    expect(messages).toHaveLength(1);
  });

  test('phones are found by name and number, and ringing phones come first', async () => {
    await using sandbox = await startSandbox({ listen: false, settings: { callProgression: 'manual' } });
    const phones = async (query = '') =>
      (await sandbox.control('GET', `/phones${query}`)) as {
        records: { number: string; actions: string[] }[];
        total: number;
      };
    expect((await phones()).total).toBe(11);
    expect((await phones('?search=smith')).records.map(({ number }) => number)).toEqual(['104', '105']);
    expect((await phones('?search=100%25')).total).toBe(0);
    await sandbox.control('POST', '/triggers/call', { to: '106' });
    expect((await phones('?limit=1')).records).toMatchObject([
      { number: '106', actions: ['answer', 'busy', 'reject'] },
    ]);
    await expect(phones('?limit=-1')).rejects.toMatchObject({ status: 400 });
  });

  test('queues: only agents who can take calls join, and unknown ones are rejected', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const queue = sandbox.ready.queues[0]?.id ?? '';
    const change = (method: string, extension: string, body?: object) =>
      sandbox.control(method, `/queues/${queue}/members/${extension}`, body);
    await expect(change('POST', '171857108', {})).rejects.toThrow('Disabled');
    await expect(change('POST', '1', {})).rejects.toThrow('extension 1 not found');
    for (const who of ['107', '171857107']) {
      const { members } = (await change('POST', who, {})) as { members: { number: string }[] };
      expect(members.map(({ number }) => number)).toContain('107');
      await change('DELETE', who);
    }
    await expect(change('PATCH', '171857107', { accepts: false })).rejects.toMatchObject({ status: 404 });
    await change('PATCH', '171857102', { accepts: false });
    const { records } = (await sandbox.control('GET', '/queues')) as {
      records: { members: { extensionId: string; accepts: boolean }[] }[];
    };
    expect(records[0]?.members.find(({ extensionId }) => extensionId === '171857102')?.accepts).toBe(false);
    expect(await sandbox.control('GET', '/queues?search=sale')).toMatchObject({
      records: [{ name: 'Sales' }],
      total: 1,
    });
    expect(await sandbox.control('GET', '/queues?limit=1&offset=1')).toMatchObject({
      records: [{ name: 'Sales' }],
      total: 3,
    });
    await expect(sandbox.control('POST', '/queues/171857102/members/171857103', {})).rejects.toMatchObject({
      status: 404,
    });
  });
});
