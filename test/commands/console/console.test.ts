import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BackgroundWork } from '../../../src/commands/console/background-work.ts';
import { pageRoutes } from '../../../src/commands/console/page-routes.ts';
import { inspectRoutes, type InspectApi } from '../../../src/features/live/inspect/index.ts';
import type { CopiedConversations, CopiedThread } from '../../../src/commands/console/types.ts';
import type { Context } from '../../../src/runtime/context.ts';
import type { CopyOptions } from '../../../src/runtime/copy-options.ts';
import { openProfile } from '../../console/profile.ts';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** The paths of all routes of the page with this method, with 1 for each parameter. */
function routePaths(method: 'GET' | 'POST'): readonly string[] {
  const ctx = { settings: { profile: { value: 'default' } } } as unknown as Context;
  const options = {} as CopyOptions;
  return pageRoutes(ctx, options, false, inspectRoutes({} as InspectApi), new BackgroundWork())
    .filter((route) => route.method === method)
    .map(({ path }) => path.replaceAll(/:\w+/g, '1'));
}

/** Sends headers, or a request target, that fetch does not let through. */
function statusOf(
  url: URL,
  headers: Record<string, string>,
  method = 'GET',
  path = url.pathname,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers, path }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('ucctl console', () => {
  it('serves the page until it is interrupted, and requires host, origin and token on every route', async () => {
    const { url, ask, end } = await openProfile(undefined);
    const page = new URL(url);
    const token = { 'ucctl-token': page.hash.slice(1) };
    const paths = [...routePaths('GET'), ...routePaths('POST'), '/', '/console/profile.js', '/nothing'];
    expect(paths).toEqual(expect.arrayContaining(['/api/doctor', '/api/session', '/api/queues/1/board']));
    for (const path of paths) {
      const address = new URL(path, page);
      for (const method of ['GET', 'POST']) {
        const rejected = (headers: Record<string, string>) =>
          statusOf(address, { ...token, ...headers }, method);
        expect([path, await rejected({ host: `evil.test:${page.port}` })]).toEqual([path, 403]);
        expect([path, await rejected({ origin: 'http://evil.test' })]).toEqual([path, 403]);
        expect([path, await rejected({ origin: 'null' })]).toEqual([path, 403]);
      }
      expect([path, await statusOf(address, {}, 'POST')]).toEqual([path, 401]);
      const isData = path.startsWith('/api/');
      // A request to a proxy has the whole address as its target.
      for (const target of [path, address.href, `HTTP://localhost:${page.port}${path}`]) {
        const status = await statusOf(address, {}, 'GET', target);
        expect([target, status === 401]).toEqual([target, isData]);
      }
    }
    expect(await (await ask('/api/page')).json()).toEqual({
      title: 'ucctl default',
      profile: 'default',
      views: ['live', 'messages', 'board', 'calls', 'queues', 'service'],
      isReadOnly: false,
    });
    const html = await (await fetch(page)).text();
    expect(html).not.toContain(page.hash.slice(1));
    expect((await end()).exit).toBe(0);
    await expect(fetch(page)).rejects.toThrow('fetch failed');
  });

  it('with --read-only, has no route that sends or changes anything', async () => {
    const posts = routePaths('POST');
    expect(posts.toSorted()).toEqual([
      '/api/changes/1',
      '/api/conversations/1/1/reply',
      '/api/queues/1/plan',
      '/api/replay',
      '/api/runs/1/undo',
    ]);
    for (const started of [
      { flags: ['--read-only'] },
      // A profile that only reads has a page that only reads.
      { env: { UCCTL_READ_ONLY: 'true' } },
    ]) {
      const { ask, sandbox } = await openProfile(undefined, started);
      const requests = () => sandbox.control('GET', '/requests');
      const before = await requests();
      expect(await (await ask('/api/page')).json()).toMatchObject({ isReadOnly: true });
      for (const path of [...posts, ...routePaths('GET')]) {
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
          const { status } = await ask(path, {
            method,
            body: JSON.stringify({ text: 'x', agents: [], id: 1, url: 'http://127.0.0.1:1' }),
          });
          expect([method, path, status]).toEqual([method, path, method === 'POST' ? 404 : 405]);
        }
      }
      expect(await requests()).toEqual(before);
    }
  });

  it('with --read-only, no reading route changes anything on the service or in the journals', async () => {
    const { ask, run, sandbox } = await openProfile(undefined, { flags: ['--read-only'] });
    const journals = async () =>
      Promise.all(['history list', 'outcome list'].map(async (command) => (await run(command)).stdout));
    const state = async () => [(await sandbox.control('GET', '/state'))['hash'], ...(await journals())];
    const before = await state();
    // The replies of these routes end when the browser disconnects.
    const endless = new Set(['/api/queues/1/board']);
    for (const path of routePaths('GET').filter((one) => !endless.has(one))) {
      const { status } = await ask(`${path}?source=service&since=1d&search=x`);
      expect([path, [200, 404, 422]]).toEqual([path, expect.arrayContaining([status])]);
    }
    expect(await state()).toEqual(before);
  });

  it('makes a change once, and only after its preview', async () => {
    const { ask, ucctl, sandbox } = await openProfile(undefined);
    await sandbox.control('POST', '/triggers/sms', { to: '100', from: '+14155550142', text: 'hello' });
    await ucctl(['sync']);
    const [message] = (await ucctl(['sync', 'search', 'hello'])) as { id: string; mailbox: string }[];
    const post = async (path: string, body: object = {}) => {
      const reply = await ask(path, { method: 'POST', body: JSON.stringify(body) });
      return {
        status: reply.status,
        ...((await reply.json()) as { id?: string; error?: { message: string } }),
      };
    };
    const reply = `/api/conversations/${message?.mailbox}/${message?.id}/reply`;
    const preview = await post(reply, { text: 'hi' });
    expect(preview).toMatchObject({
      status: 200,
      command: 'ucctl sms send --to +14155550142 --from +16505550110 -- hi',
      preview: { method: 'POST', body: { text: 'hi' } },
    });
    expect(await ucctl(['outcome', 'list'])).toEqual([]);
    expect(await post(`/api/changes/${preview.id}`)).toMatchObject({ status: 200 });
    expect(await post(`/api/changes/${preview.id}`)).toMatchObject({ status: 409 });
    expect(await ucctl(['outcome', 'list'])).toHaveLength(1);
    expect(await post(reply, { text: ' ' })).toMatchObject({ status: 400 });
    expect(await post('/api/conversations/1/2/reply', { text: 'x' })).toMatchObject({ status: 404 });
    expect(await post('/api/queues/999/plan', { agents: ['102'] })).toMatchObject({
      status: 422,
      error: { exit: 2 },
    });
    expect(await post('/api/queues/201/plan', { agents: 'all' })).toMatchObject({ status: 400 });
    expect(await post('/api/runs/nothing/undo')).toMatchObject({ status: 422, error: { exit: 3 } });
  });

  it('names the run that a change made, even if another process starts a run', async () => {
    const { ask, ucctl } = await openProfile(undefined);
    const post = async (path: string, body: object = {}) =>
      (await (await ask(path, { method: 'POST', body: JSON.stringify(body) })).json()) as {
        readonly id: string;
        readonly runs: readonly string[];
      };
    const { id } = await post('/api/queues/201/plan', { agents: ['102', '103'] });
    const { runs } = await post(`/api/changes/${id}`);
    await ucctl(['queue', 'unassign', '201', '103', '--yes']);
    const listed = (await ucctl(['history', 'list'])) as { id: string }[];
    expect(listed.map((run) => run.id)).toEqual([expect.any(String), ...runs]);
    const changes = await ucctl(['history', 'show', runs[0] ?? '']);
    expect(JSON.stringify(changes)).toContain('Support');
  });

  it('obeys the policy of the profile', async () => {
    const { ask, ucctl, sandbox } = await openProfile(undefined, { env: { UCCTL_FORBID_PREFIXES: '+1415' } });
    await sandbox.control('POST', '/triggers/sms', { to: '100', from: '+14155550142', text: 'hello' });
    await ucctl(['sync']);
    const [message] = (await ucctl(['sync', 'search', 'hello'])) as { id: string; mailbox: string }[];
    const reply = await ask(`/api/conversations/${message?.mailbox}/${message?.id}/reply`, {
      method: 'POST',
      body: JSON.stringify({ text: 'hi' }),
    });
    expect([reply.status, await reply.json()]).toMatchObject([422, { error: { exit: 9 } }]);
    expect(await ucctl(['outcome', 'list'])).toEqual([]);
  });

  it('reports what failed and the next step', async () => {
    const { ask } = await openProfile(undefined);
    const errorOf = async (path: string) => {
      const reply = await ask(path);
      return {
        status: reply.status,
        ...((await reply.json()) as { error: { message: string; hint?: string } }).error,
      };
    };
    expect(await errorOf('/api/conversations?search=')).toMatchObject({ status: 422, hint: 'ucctl sync' });
    expect(await errorOf('/api/calls')).toMatchObject({ status: 422, hint: 'ucctl calllog sync' });
    expect(await errorOf('/api/calls?since=--yes')).toMatchObject({ status: 422 });
    expect(await errorOf('/api/calls?since=$(id)')).toMatchObject({ status: 400 });
    expect(await errorOf('/api/queues/999/members')).toMatchObject({ status: 422, exit: 3 });
    const board = await (await ask('/api/queues/999/board')).text();
    expect(JSON.parse(board)).toMatchObject({ error: { exit: 3 } });
  });

  it('names the sender of a message of another mailbox', async () => {
    const { ask, ucctl, sandbox } = await openProfile(undefined);
    await ucctl(['pager', 'send', '--to', '102', 'hello', '--yes']);
    const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: await signInAs(sandbox, '102') };
    await ucctl(['pager', 'send', '--to', '100', 'hello back', '--yes'], { env });
    await ucctl(['sync']);
    await ucctl(['sync', '--extension', '102']);
    const found = (await (await ask('/api/conversations?search=hello')).json()) as CopiedConversations;
    expect(found).toMatchObject({ oldestMailbox: 'Your mailbox' });
    expect(found).not.toHaveProperty('oldestExtension');
    const reply = await ask('/api/conversations?search=hello+mailbox:102');
    const other = await reply.json();
    expect(other).toMatchObject({ oldestExtension: '102' });
    expect(other).not.toHaveProperty('oldestMailbox');
    const senders = found.conversations.map(async ({ mailbox, mailboxTitle, id }) => {
      const thread = (await (await ask(`/api/conversations/${mailbox}/${id}`)).json()) as CopiedThread;
      const [message] = thread.messages;
      return `${mailboxTitle}: ${message?.from} ${message?.isOwn}`;
    });
    expect((await Promise.all(senders)).toSorted()).toEqual([
      'Mailbox 102: Avery Quinn false',
      'Mailbox 102: Dana Okafor false',
      'Your mailbox: Avery Quinn true',
      'Your mailbox: Dana Okafor false',
    ]);
  });

  it('reports what is wrong with a database', async () => {
    const file = join(temporaryFolder(), 'copy.db');
    writeFileSync(file, 'no database at all, '.repeat(100));
    const { ask } = await openProfile(undefined, { flags: ['--database', file] });
    const reply = await ask('/api/conversations?search=');
    expect(reply.status).toBe(500);
    const damaged = {
      message: expect.stringContaining(file) as unknown,
      hint: expect.any(String) as unknown,
    };
    expect(await reply.json()).toEqual({ error: damaged });
  });

  it('rejects a port that is in use', async () => {
    const { url, run } = await openProfile(undefined);
    const { exit, stderr } = await run(['console', '--no-open', '--port', new URL(url).port]);
    expect([exit, stderr]).toEqual([
      12,
      `error: port ${new URL(url).port} of 127.0.0.1 is already in use\n  try:     to use any free port, omit --port\n`,
    ]);
  });

  it.each([
    ['', true],
    [' --no-open', false],
  ])('names the other way to open the page on a terminal: console%s', async (flags, opens) => {
    const { run } = await openProfile(undefined);
    const stop = new AbortController();
    const { stderr } = await run(`console${flags}`.split(' '), {
      terminal: 100,
      signal: stop.signal,
      openPageFile: () => Promise.resolve(true),
      onStderr: () => stop.abort(new Error('interrupted')),
    });
    expect(stderr).toMatch(/Console of profile \S+: http:\/\/127\.0\.0\.1:\d+\/#\S{32}/);
    expect(stderr.includes('If the page does not open, open this address')).toBe(opens);
  });

  it('opens the browser with a private file, because others can read its command line', async () => {
    const { run } = await openProfile(undefined);
    const stop = new AbortController();
    const opened: { file: string; text: string; mode: number }[] = [];
    const { stderr, stdout } = await run(['console', '-o', 'json'], {
      signal: stop.signal,
      openPageFile: (file) => {
        opened.push({ file, text: readFileSync(file, 'utf8'), mode: statSync(file).mode & 0o777 });
        stop.abort(new Error('interrupted'));
        return Promise.resolve(false);
      },
    });
    const { url } = JSON.parse(stdout) as { readonly url: string };
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\S{32}$/);
    expect(opened).toMatchObject([
      { text: expect.stringContaining(`content="0;url=${url}"`) as string, mode: 0o600 },
    ]);
    expect(opened[0]?.file).not.toContain(new URL(url).hash.slice(1));
    expect(existsSync(opened[0]?.file ?? '')).toBe(false);
    expect(stderr).toContain('cannot start a browser; open the address above');
  });
});
