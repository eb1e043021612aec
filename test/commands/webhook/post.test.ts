import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';

const address = 'https://chat.example/webhook/1';
const isJson = { 'content-type': 'application/json' };

/** Runs `webhook post` with a network that replies to each request. */
function post(argv: readonly string[], stdin: string, http: HttpSend, more: { signal?: AbortSignal } = {}) {
  const paths = temporaryPaths();
  const sandbox = {
    http,
    env: { UCCTL_BASE_URL: 'https://service.example', UCCTL_TOKEN: 'token-of-the-user' },
  };
  const run = (line: readonly string[], options = {}) => runUcctl(line, { paths, sandbox, ...options });
  return { run, result: run(['webhook', 'post', ...argv], { stdin, ...more }) };
}

/** A network that confirms every post, and the posts. */
function confirming() {
  const posts: unknown[] = [];
  const http: HttpSend = (request) => {
    posts.push(JSON.parse(String(request.body)));
    return Promise.resolve(fakeReply({ status: 200, body: { status: 'OK' }, headers: isJson }));
  };
  return { http, posts };
}

describe('webhook post', () => {
  it.each([
    [address, 0],
    ['http://localhost:8080/webhook/1', 0],
    ['http://service.example/webhook/1', 2],
  ])('to the address %s exits with %i', async (given, exit) => {
    const { http, posts } = confirming();
    const result = await post(['-', '--title', 'T'], `${given}\n`, http).result;
    expect([result.exit, posts]).toEqual([exit, exit === 0 ? [{ title: 'T' }] : []]);
  });

  it('adds the card of the options to the attachments of the file', async () => {
    const { http, posts } = confirming();
    const file = join(temporaryFolder(), 'post.json');
    writeFileSync(file, '{"attachments":[{"type":"Card","title":"One"}]}');
    await post(['-', '-f', file, '--card-title', 'Two'], `${address}\n`, http).result;
    expect(posts).toEqual([
      {
        attachments: [
          { type: 'Card', title: 'One' },
          { type: 'Card', title: 'Two' },
        ],
      },
    ]);
  });

  it('does not post an empty body from standard input with a title', async () => {
    const { http, posts } = confirming();
    const { exit, stderr } = await post(['-', '--title', 'T', '--body', '-'], `${address}\n\n`, http).result;
    expect([exit, stderr]).toEqual([2, expect.stringContaining('the body on standard input is empty')]);
    expect(posts).toEqual([]);
  });

  it('does not report a webhook as not found if the user may not read it', async () => {
    const body = { errorCode: 'CMN-401', message: 'no permission' };
    const http: HttpSend = () => Promise.resolve(fakeReply({ status: 403, body, headers: isJson }));
    const { exit, stderr } = await post(['77', '--title', 'T'], '', http).result;
    expect([exit, stderr]).toEqual([5, expect.stringContaining('no permission')]);
  });

  it('that is interrupted before the reply has an unknown outcome', async () => {
    const stop = new AbortController();
    const http: HttpSend = () => {
      stop.abort(new Error('interrupted'));
      return Promise.reject(stop.signal.reason as Error);
    };
    const { run, result } = post(['-', '--title', 'T'], `${address}\n`, http, { signal: stop.signal });
    expect((await result).exit).not.toBe(0);
    const { stdout } = await run(['outcome', 'list', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject([{ kind: 'chat-post', state: 'unknown' }]);
  });
});
