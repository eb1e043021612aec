import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import type { RunOptions, RunResult } from '../../support/run-ucctl.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice, type Office } from '../office.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';

interface Ready {
  readonly url: string;
  readonly address: string;
  readonly subscriptionId: string | null;
  readonly eventFilters: readonly string[];
  readonly pid: number;
}
interface Listening {
  readonly ready: Ready;
  readonly result: Promise<RunResult>;
  /** As Ctrl-C does. */
  readonly interrupt: () => void;
}

/** The date that precedes the first line. */
const day = 'Monday, 5 January 2026 (UTC)';

const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const done of cleanup.splice(0).reverse()) await done();
});

/** Starts the listener and waits until it says in its file that it is ready. */
async function listen(office: Office, flags = '', options: RunOptions = {}): Promise<Listening> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-listen-'));
  const file = join(folder, 'ready.json');
  const stop = new AbortController();
  const result = office.run(`webhook listen --ready-file ${file} ${flags}`, {
    signal: stop.signal,
    ...options,
  });
  cleanup.push(async () => {
    stop.abort(new Error('the test is over'));
    await result;
    await rm(folder, { recursive: true });
  });
  const ready = await eventually(async () => JSON.parse(await readFile(file, 'utf8')) as Ready);
  return { ready, result, interrupt: () => stop.abort(new Error('interrupted')) };
}

async function serveElsewhere(): Promise<string> {
  const server: Server = createServer((request, response) => {
    response.setHeader('validation-token', request.headers['validation-token'] ?? '');
    response.setHeader('content-type', 'application/json');
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const text = ['sms', 'send', '--to', '+16505550112', 'hello', '--yes'];

describe('webhook listen', () => {
  it('writes each event as NDJSON when piped, and deletes its subscription', async () => {
    const office = await openOffice();
    const { ready, result } = await listen(office, '--count 2');
    expect(ready.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hook\/[0-9A-Za-z]{22}$/);
    expect(ready).toMatchObject({ address: ready.url, pid: process.pid });
    expect(ready.eventFilters).toEqual(['/restapi/v1.0/account/400131426/extension/171857100/message-store']);
    expect(office.sandbox.subscriptions()).toMatchObject([{ id: ready.subscriptionId, address: ready.url }]);
    await office.run(text);
    await office.run(text);
    const { exit, stdout, stderr } = await result;
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events).toHaveLength(2);
    expect(Object.keys(events[0] ?? {})).toEqual([
      'uuid',
      'event',
      'timestamp',
      'subscriptionId',
      'ownerId',
      'body',
      'details',
    ]);
    expect(events[0]).toMatchObject({
      event: ready.eventFilters[0],
      subscriptionId: ready.subscriptionId,
      body: { changes: [{ type: 'SMS', newCount: 1 }] },
    });
    expect(exit).toBe(0);
    const owner = String(ready.eventFilters[0]).split('/').at(-2);
    expect(stderr).toBe(
      `Ready: watching messages of extension ${owner}. Press Ctrl-C to stop.\nThe service sends the events to:\n${ready.url}\nSubscription ${ready.subscriptionId}\nSubscription ${ready.subscriptionId} deleted.\n`,
    );
    expect(office.sandbox.subscriptions()).toEqual([]);
  });

  it('shows lines with names on a terminal', async () => {
    const office = await openOffice();
    const { result } = await listen(office, '--count 2 --events messages,presence --color never', {
      terminal: 100,
    });
    await office.run(text);
    await office.run('presence set --user-status Busy');
    const [heading, sent, busy, ...rest] = (await result).stdout.split('\n');
    expect(heading).toBe(day);
    // The status of the text changes while it is read.
    expect(sent).toMatch(
      /^09:00:00 {2}SMS from Avery Quinn \(100\) to Dana Okafor \(\+1 650 555 0112\) \(\w+\): hello$/,
    );
    expect([busy, ...rest]).toEqual(['09:00:00  Avery Quinn (100) is busy', '']);
  });

  it('points an administrator who watches only the own extension to --all-extensions', async () => {
    const stderrOf = async (who: string, flags: string): Promise<string> => {
      const office = await openOffice(who);
      const end = new AbortController();
      const onStderr = (text: string): void => {
        if (text.includes('Press Ctrl-C')) setImmediate(() => end.abort());
      };
      const argv = `webhook listen --color never ${flags}`;
      return (await office.run(argv, { terminal: 200, onStderr, signal: end.signal })).stderr;
    };
    const note =
      'ucctl watches only your own extension. As an administrator, use --all-extensions to watch all users.';
    expect(await stderrOf('administrator', '')).toContain(note);
    expect(await stderrOf('administrator', '--all-extensions')).not.toContain(note);
    expect(await stderrOf('administrator', '--extension 102')).not.toContain(note);
    expect(await stderrOf('102', '')).not.toContain(note);
  });

  it('reads the text of a message in a pipe only with --lookup, and adds it to the JSON', async () => {
    const paths = temporaryPaths();
    const office = await openOffice();
    const { result } = await listen(office, '--count 1 --lookup', { paths });
    await office.run(text);
    const [event] = (await result).stdout.split('\n');
    expect(JSON.parse(event ?? '')).toMatchObject({
      details: expect.stringMatching(/^SMS from .*: hello$/),
      messages: [{ type: 'SMS', subject: 'hello' }],
    });
    const stored = await office.run('events list -o json', { paths });
    expect(JSON.parse(stored.stdout)).toMatchObject([{ messages: [{ subject: 'hello' }] }]);
  });

  it('reads nothing with --no-lookup', async () => {
    const office = await openOffice();
    const { result } = await listen(office, '--count 1 --no-lookup --color never', { terminal: 100 });
    await office.run(text);
    expect((await result).stdout).toBe(`${day}\n09:00:00  Avery Quinn (100): 1 new SMS\n`);
    expect(
      office
        .requests()
        .filter((line) => line.startsWith('GET /account/~/extension/') && line.includes('message-store')),
    ).toEqual([]);
  });

  it('shows the event without the text if the message cannot be read', async () => {
    const office = await openOffice('administrator', (send) => async (request) => {
      const reply = await send(request);
      const isRead = request.method === 'GET' && request.url.pathname.includes('/message-store/');
      return isRead ? { ...reply, status: 404 } : reply;
    });
    const { result } = await listen(office, '--count 2 --color never', { terminal: 100 });
    await office.run(text);
    await office.run(text);
    const { stdout, exit } = await result;
    expect(stdout).toBe(`${day}\n${'09:00:00  Avery Quinn (100): 1 new SMS\n'.repeat(2)}`);
    expect(exit).toBe(0);
  });

  it('shows who is ringing, and who calls', async () => {
    const office = await openOffice();
    const { result } = await listen(
      office,
      '--count 1 --events presence:detailed --extension 102 --color never',
      { terminal: 100 },
    );
    await office.sandbox.control('POST', '/triggers/call', { from: '+16505550199', to: '102' });
    expect((await result).stdout).toBe(
      `${day}\n09:00:00  Dana Okafor (102) is ringing: call from +1 650 555 0199\n`,
    );
  });

  it('watches other extensions by name', async () => {
    const office = await openOffice();
    const { ready, result } = await listen(
      office,
      '--count 1 --events presence --extension 102,mei.lin@example.com',
    );
    expect(ready.eventFilters).toEqual([
      '/restapi/v1.0/account/400131426/extension/171857102/presence',
      '/restapi/v1.0/account/400131426/extension/171857106/presence',
    ]);
    await office.run('presence set 106 --queue-calls off');
    expect(JSON.parse((await result).stdout)).toMatchObject({ body: { extensionId: '171857106' } });
  });

  it('deletes its subscription on Ctrl-C', async () => {
    const office = await openOffice();
    const { ready, result, interrupt } = await listen(office);
    interrupt();
    const { stdout, stderr } = await result;
    expect(stdout).toBe('');
    expect(stderr).toContain(`Subscription ${ready.subscriptionId} deleted.`);
    expect(office.sandbox.subscriptions()).toEqual([]);
    await expect(fetch(ready.url)).rejects.toThrow('fetch failed');
  });

  it('exits when the reader of its output exits, and deletes its subscription', async () => {
    const office = await openOffice();
    const gone = (): never => {
      throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    };
    const { result } = await listen(office, '', { onStdout: gone });
    await office.run(text);
    expect(await result).toMatchObject({ exit: 0, stdout: '' });
    expect(office.sandbox.subscriptions()).toEqual([]);
  });

  it('spec:WEBHOOK-6 shows a duplicate notification once', async () => {
    const office = await openOffice();
    const { ready, result } = await listen(office, '--count 2');
    for (const uuid of ['a', 'a', 'a', 'b']) {
      const body = JSON.stringify({ uuid, event: '/restapi/v1.0/account/1/extension', timestamp: '' });
      expect((await fetch(ready.url, { method: 'POST', body })).status).toBe(200);
    }
    expect((await result).stdout.match(/"uuid":"\w"/g)).toEqual(['"uuid":"a"', '"uuid":"b"']);
  });

  it('escapes control characters of events on the terminal', async () => {
    const office = await openOffice();
    const { ready, result } = await listen(office, '--count 2 --color never', { terminal: 100 });
    const hostile = '\u001b]0;owned\u0007\u001b[2J\r\u009b31m\u202egnp';
    for (const event of [hostile, '/restapi/v1.0/account/1/extension/2/message-store']) {
      const body = JSON.stringify({
        event,
        timestamp: hostile,
        body: { changes: [{ type: hostile, newCount: 1 }] },
      });
      await fetch(ready.url, { method: 'POST', body });
    }
    const { stdout } = await result;
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    // oxlint-disable-next-line no-control-regex -- the point of the test
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it('accepts only events with the verification token if one is configured', async () => {
    const office = await openOffice();
    const { ready, result } = await listen(office, '--count 1', {
      env: { UCCTL_VERIFICATION_TOKEN: 'agreed' },
    });
    const forged = await fetch(ready.url, { method: 'POST', body: '{"event":"/forged"}' });
    expect(forged.status).toBe(401);
    await office.run(text);
    expect((await result).stdout).not.toContain('forged');
  });

  it('spec:CLIENT-5 answers any handshake and creates nothing with --no-subscribe', async () => {
    const office = await openOffice();
    office.requests();
    const { ready, result, interrupt } = await listen(office, '--no-subscribe');
    expect(ready.subscriptionId).toBeNull();
    expect(office.requests()).toEqual([]);
    const created = await office.run(`subscribe create --events messages --address ${ready.url}`);
    expect(created.exit).toBe(0);
    interrupt();
    expect((await result).stderr).toBe(
      `Ready. Press Ctrl-C to stop. Create a subscription with this delivery address:\n${ready.url}\n`,
    );
    expect(office.sandbox.subscriptions()).toHaveLength(1);
  });

  it('uses a fixed path and port behind a public address', async () => {
    const office = await openOffice();
    const port = await freePort();
    const first = await listen(office, `--path /in --port ${port}`);
    const busy = await office.run(`webhook listen --port ${port}`);
    expect(busy.exit).toBe(12);
    expect(busy.stderr).toContain(`port ${port} of 127.0.0.1 is already in use`);
    first.interrupt();
    await first.result;
    const again = await listen(office, `--path /in --port ${port} --public-url http://localhost:${port}/`);
    expect(again.ready).toMatchObject({
      url: `http://127.0.0.1:${port}/in`,
      address: `http://localhost:${port}/in`,
    });
  });
});

describe('a listener that cannot be reached', () => {
  it('is not ready if another receiver answered the handshake', async () => {
    const office = await openOffice();
    const { exit, stderr } = await office.run(`webhook listen --public-url ${await serveElsewhere()}`);
    expect(exit).toBe(1);
    expect(stderr).toContain('no handshake reached this listener');
    expect(stderr).not.toContain('ready');
    expect(office.sandbox.subscriptions()).toEqual([]);
  });

  it('gets a hint if nothing answered the handshake', async () => {
    const office = await openOffice();
    const { exit, stderr } = await office.run('webhook listen --public-url http://127.0.0.1:9');
    expect(exit).toBe(1);
    expect(stderr).toMatch(/rejected the address http:\/\/127\.0\.0\.1:9\/hook\/\w+: .*SUB-521/);
    expect(stderr).toContain('--public-url');
  });

  it('finds its subscription if the response to its creation is lost', async () => {
    const losesAnswer =
      (send: HttpSend): HttpSend =>
      async (request) => {
        const reply = await send(request);
        if (request.method === 'POST')
          throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
        return reply;
      };
    const office = await openOffice('administrator', losesAnswer);
    const { ready, result, interrupt } = await listen(office);
    expect(office.sandbox.subscriptions()).toMatchObject([{ id: ready.subscriptionId }]);
    interrupt();
    await result;
    expect(office.sandbox.subscriptions()).toEqual([]);
  });
});

describe('usage errors', () => {
  it.each([
    ['--events mesages', 2, '"mesages" is not a valid event'],
    ['--events reminder:10,20', 2, 'must not exceed half of its threshold'],
    ['--transport websocket --events reminder:50000,600', 2, 'half of the subscription lifetime (86400 s)'],
    ['--extension 999', 3, 'extension "999" not found'],
    ['--public-url http://hooks.example.com', 2, 'is not a valid https:// URL'],
    ['--public-url https://hooks.example.com/?x=1', 2, 'is not a valid https:// URL'],
    ['--host 0.0.0.0', 2, 'other machines can reach 0.0.0.0'],
    ['--path hook', 2, 'is not a valid path'],
    ['--path /a?b', 2, 'is not a valid path'],
    ['--count 0', 2, '--count'],
  ])('webhook listen %s ends with %d', async (flags, exit, words) => {
    const office = await openOffice();
    const result = await office.run(`webhook listen ${flags}`);
    expect([result.exit, result.stdout]).toEqual([exit, '']);
    expect(result.stderr).toContain(words);
    expect(office.sandbox.subscriptions()).toEqual([]);
  });
});
