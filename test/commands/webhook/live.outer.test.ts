import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { cpSync, existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownProcess } from '../../../src/platform/own-process.ts';
import { makeCertificates } from '../../../src/sandbox/server/tls.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { eventually } from '../../support/eventually.ts';
import { openOffice } from '../office.ts';
import { connectedOffice, live, openTarget, sendText } from './listening.ts';
import { conditionLimit } from '../../support/limits.ts';

const post = (url: string, body: object) => fetch(url, { method: 'POST', body: JSON.stringify(body) });
const eventOf = (uuid: string, extension: number, body: object = {}) => ({
  uuid,
  event: `/restapi/v1.0/account/1/extension/${extension}/presence`,
  timestamp: '2026-01-05T09:00:00Z',
  body: { extensionId: String(extension), ...body },
});

describe('webhook listen', () => {
  it('listens on the local address only, and exits with 0 on Ctrl-C', async () => {
    const office = await openOffice();
    const { ready, result, interrupt } = await live(office, 'webhook listen --no-subscribe');
    const { port, pathname } = new URL(ready.address);
    expect(new URL(ready.address).hostname).toBe('127.0.0.1');
    // A listener on every address would be reached through this one too.
    const elsewhere = connect(Number(port), '127.0.0.2');
    await expect(once(elsewhere, 'connect')).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL/);
    expect((await post(`http://127.0.0.1:${port}${pathname}`, eventOf('here', 2))).status).toBe(200);
    interrupt();
    expect((await result).exit).toBe(0);
  });
});

describe('webhook listen --where', () => {
  it('shows and counts only events for whose body the expression is true', async () => {
    const office = await openOffice();
    const { ready, result } = await live(
      office,
      `webhook listen --no-subscribe --count 3 --where '.sequence > 1'`,
    );
    await post(ready.address, { uuid: 'bare', event: '/x', timestamp: '' });
    for (const sequence of [1, 2, 'odd', 0, 3]) {
      await post(ready.address, eventOf(`e${sequence}`, 2, { sequence }));
    }
    expect((await result).stdout.match(/"uuid":"\w+"/g)).toEqual([
      '"uuid":"e2"',
      '"uuid":"eodd"',
      '"uuid":"e3"',
    ]);
  });

  it('also limits deliveries, and counts the events on which the expression fails', async () => {
    const office = await connectedOffice();
    const target = await openTarget();
    const { ready, result } = await live(
      office,
      `webhook listen --no-subscribe --count 1 --where '.list[0] == 1' --forward-to ${target.url}`,
    );
    // These events have no uuid.
    for (const list of [1, 2, 3]) await post(ready.address, { ...eventOf('', 2, { list }), uuid: undefined });
    await post(ready.address, eventOf('good', 2, { list: [1] }));
    const { stderr } = await result;
    expect(target.requests.map(({ headers }) => headers['ucctl-event-id'])).toEqual(['good']);
    expect(stderr.split('\n').filter((line) => line.includes('--where'))).toEqual([
      expect.stringMatching(
        /--where failed for event sha256:\w+, so the event is neither shown nor delivered: /,
      ),
      expect.stringMatching(/--where failed for 2 more events, neither shown nor delivered$/),
    ]);
  });

  it('rejects an invalid expression before anything starts', async () => {
    const office = await openOffice();
    office.requests();
    const { exit, stderr } = await office.run(['webhook', 'listen', '--where', '.a |']);
    expect(exit).toBe(2);
    expect(stderr).toContain('--where:');
    expect(office.requests()).toEqual([]);
  });
});

describe('webhook listen --forward-to', () => {
  it('delivers events in order per extension, retries, and routes by event', async () => {
    const office = await connectedOffice();
    const [all, texts] = [await openTarget(), await openTarget()];
    all.statuses.push(503);
    const { ready, result } = await live(
      office,
      `webhook listen --no-subscribe --count 3 --forward-to ${all.url} --forward-to messages=${texts.url}`,
    );
    await post(ready.address, eventOf('first', 2));
    await post(ready.address, eventOf('second', 2));
    const message = { ...eventOf('text', 2), event: '/restapi/v1.0/account/1/extension/2/message-store' };
    await post(ready.address, message);
    const { stderr } = await result;
    expect(stderr.split('\n').filter((line) => line.includes(all.url))).toEqual([
      expect.stringMatching(/could not deliver event \d+ to .+ \(HTTP 503\); retrying$/u),
      expect.stringMatching(/accepts events again, starting with event \d+\.$/u),
    ]);
    const uuids = all.requests.map(({ headers }) => headers['ucctl-event-id']);
    expect(uuids).toEqual(['first', 'first', 'second', 'text']);
    expect(texts.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([message]);
    expect(texts.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('reports a rejected event as a dead letter and continues with the next', async () => {
    const office = await connectedOffice();
    const target = await openTarget();
    target.statuses.push(400);
    const paths = temporaryPaths();
    const { ready, result } = await live(
      office,
      `webhook listen --no-subscribe --count 2 --forward-to ${target.url}`,
      {
        paths,
      },
    );
    await post(ready.address, eventOf('bad', 2));
    await post(ready.address, eventOf('good', 2));
    const { stderr } = await result;
    expect(stderr).toContain(`to ${target.url} (HTTP 400); to list undelivered events: ucctl events dlq`);
    expect(target.requests.map(({ headers }) => headers['ucctl-event-id'])).toEqual(['bad', 'good']);
  });

  it('delivers in the next run what was not delivered before', async () => {
    const office = await connectedOffice();
    const target = await openTarget();
    target.statuses.push(503, 503, 503, 503, 503, 503, 503);
    const paths = temporaryPaths();
    const command = `webhook listen --no-subscribe --forward-to ${target.url}`;
    const first = await live(office, command, { paths });
    await post(first.ready.address, eventOf('waiting', 2));
    await eventually(() => expect(target.requests.length).toBeGreaterThan(0));
    first.interrupt();
    expect((await first.result).stderr).toContain('warning: 1 event is not yet delivered; the next run');
    const tried = target.requests.length;
    target.statuses.length = 0;
    const second = await live(office, command, { paths });
    await eventually(() => expect(target.requests.length).toBe(tried + 1));
    expect(target.requests.at(-1)?.headers['ucctl-event-id']).toBe('waiting');
    second.interrupt();
    await second.result;
  });

  it('does not deliver events of earlier runs without a target', async () => {
    const office = await connectedOffice();
    const target = await openTarget();
    const paths = temporaryPaths();
    const listen = async (uuid: string, flags: string): Promise<void> => {
      const run = await live(office, `webhook listen --no-subscribe --count 1 ${flags}`, { paths });
      await post(run.ready.address, eventOf(uuid, 2));
      await run.result;
    };
    await listen('before', '');
    await listen('first', `--forward-to ${target.url}`);
    await listen('between', '');
    await listen('second', `--forward-to ${target.url}`);
    expect(target.requests.map(({ headers }) => headers['ucctl-event-id'])).toEqual(['first', 'second']);
  });

  it('does not deliver events of a killed run without a target', async () => {
    const office = await connectedOffice();
    const target = await openTarget();
    const [paths, after] = [temporaryPaths(), temporaryPaths()];
    const forward = `webhook listen --no-subscribe --count 1 --forward-to ${target.url}`;
    const first = await live(office, forward, { paths });
    await post(first.ready.address, eventOf('first', 2));
    await first.result;
    const between = await live(office, 'webhook listen --no-subscribe', { paths });
    await post(between.ready.address, eventOf('between', 2));
    await eventually(() => expect(between.shown()).toHaveLength(1));
    // What a kill would leave.
    cpSync(paths.state, after.state, { recursive: true });
    const third = await live(office, forward, { paths: after });
    await post(third.ready.address, eventOf('third', 2));
    await third.result;
    expect(target.requests.map(({ headers }) => headers['ucctl-event-id'])).toEqual(['first', 'third']);
    between.interrupt();
    await between.result;
  });

  it.each([
    ['webhook listen --forward-to', 'ftp://x', '--forward-to: "ftp://x" does not have the form [EVENT=]URL'],
    ['webhook listen --forward-to', 'http://', 'does not have the form [EVENT=]URL'],
    [
      'webhook listen --forward-to',
      'message=http://127.0.0.1/x',
      '--forward-to: "message" is not a valid event',
    ],
    [
      'events replay last --forward-to',
      'localhost:1',
      '--forward-to: "localhost:1" does not have the form [EVENT=]URL',
    ],
    ['webhook listen --exec', ' ', '--exec: the command is empty'],
    ['subscribe tail --exec', ' ', '--exec: the command is empty'],
    ['events replay last --exec', '', '--exec: the value is empty'],
  ])('%s rejects %j', async (command, value, said) => {
    const office = await openOffice();
    const { exit, stderr } = await office.run([...command.split(' '), value]);
    expect(exit).toBe(2);
    expect(stderr).toContain(said);
  });
});

describe('webhook listen --exec', () => {
  it('describes each event to the command of --exec', async () => {
    const office = await openOffice();
    const file = join(temporaryFolder(), 'details');
    const command = `printf %s "$UCCTL_DETAILS" > ${file}`;
    const { result } = await live(office, `subscribe tail --count 1 --exec '${command}'`);
    await office.run('presence set --user-status Busy');
    expect((await result).exit).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('Avery Quinn (100) is busy');
  });

  it('and --forward-to pass the same ID of an event without a uuid, another one for each event', async () => {
    const office = await connectedOffice();
    const target = await openTarget();
    const file = join(temporaryFolder(), 'out');
    const { ready, result } = await live(
      office,
      `webhook listen --no-subscribe --count 2 --forward-to ${target.url} --exec 'echo "$UCCTL_EVENT_ID" >> ${file}'`,
    );
    for (const sequence of [1, 2]) {
      await post(ready.address, { ...eventOf('', 2, { sequence }), uuid: undefined });
    }
    await result;
    const ids = target.requests.map(({ headers }) => headers['ucctl-event-id']);
    expect(ids).toEqual([expect.stringMatching(/^sha256:\w{64}$/), expect.stringMatching(/^sha256:\w{64}$/)]);
    expect(new Set(ids).size).toBe(2);
    expect((await readFile(file, 'utf8')).trim().split('\n')).toEqual(ids);
  });

  it('passes each event to a command, without secrets in its environment', async () => {
    const office = await openOffice();
    const file = join(temporaryFolder(), 'out');
    const command = `cat >> ${file}; echo "$UCCTL_EVENT $UCCTL_EVENT_ID [$UCCTL_TOKEN]" >> ${file}`;
    const { ready, result } = await live(
      office,
      `webhook listen --no-subscribe --count 1 --exec '${command}'`,
    );
    await post(ready.address, eventOf('one', 2));
    await result;
    const [event = '', words] = (await readFile(file, 'utf8')).trim().split('\n');
    expect(JSON.parse(event)).toEqual(eventOf('one', 2));
    expect(words).toBe('presence one []');
  });

  it('terminates a command that does not exit, and the child processes of one that has exited', async () => {
    const office = await openOffice();
    const ends = async (commandTo: (file: string) => string): Promise<void> => {
      const file = join(temporaryFolder(), 'pid');
      const { ready, result, interrupt } = await live(
        office,
        `webhook listen --no-subscribe --exec '${commandTo(file)}'`,
      );
      await post(ready.address, eventOf('one', 2));
      const pid = Number(
        await eventually(async () => {
          const text = await readFile(file, 'utf8');
          expect(text).toMatch(/\d\n$/);
          return text;
        }),
      );
      interrupt();
      expect((await result).stderr).toContain('1 event is not yet delivered');
      // Whoever takes over an orphan may be late to see that it ended.
      await eventually(() => expect(ownProcess.isAlive(pid)).toBe(false));
    };
    // Side by side: each is given seconds to end by itself.
    await Promise.all([
      ends((file) => `trap "" TERM; echo $$ > ${file}; while :; do sleep 1; done`),
      ends((file) => `(trap "" TERM; sh -c "echo \\$PPID > ${file}"; while :; do sleep 1; done) & wait`),
    ]);
  });

  it('runs a terminated command again, also if it exits with 0 on SIGTERM', async () => {
    const office = await openOffice();
    const paths = temporaryPaths();
    const folder = temporaryFolder();
    const [started, done] = [join(folder, 'started'), join(folder, 'done')];
    const program = `if [ -e ${started} ]; then echo $UCCTL_EVENT_ID > ${done}; exit; fi; trap "exit 0" TERM; echo > ${started}; while :; do sleep 1; done`;
    const command = `webhook listen --no-subscribe --exec '${program}'`;
    const first = await live(office, command, { paths });
    await post(first.ready.address, eventOf('one', 2));
    await eventually(() => expect(existsSync(started)).toBe(true));
    first.interrupt();
    expect((await first.result).stderr).toContain('1 event is not yet delivered');
    const second = await live(office, command, { paths });
    await eventually(async () => expect(await readFile(done, 'utf8')).toBe('one\n'));
    second.interrupt();
    expect((await second.result).stderr).not.toContain('not yet delivered');
  });
});

describe('webhook listen --encrypt', () => {
  it('requests encrypted events and shows them decrypted', async () => {
    const office = await openOffice();
    const { result, ready } = await live(office, 'webhook listen --encrypt --count 1');
    const [subscription] = office.sandbox.subscriptions();
    expect(subscription).toMatchObject({ id: ready.subscriptionId });
    await office.run(sendText);
    expect(JSON.parse((await result).stdout)).toMatchObject({
      body: { changes: [{ type: 'SMS', newCount: 1 }] },
    });
  });
});

describe('missed messages', () => {
  it('spec:CLIENT-28 while the listener was stopped are recovered once and marked', async () => {
    const office = await openOffice();
    const paths = temporaryPaths();
    const first = await live(office, 'webhook listen', { paths });
    await office.run(sendText);
    await eventually(() => expect(first.shown()).toHaveLength(1));
    first.interrupt();
    await first.result;
    for (let one = 0; one < 5; one += 1) await office.run(sendText);
    const second = await live(office, 'webhook listen', { paths });
    await office.run(sendText);
    await eventually(() => expect(second.shown()).toHaveLength(6));
    second.interrupt();
    const { stderr } = await second.result;
    expect(stderr).toContain('Recovered 5 messages that arrived after the previous run.');
    expect(second.shown().map(({ recovered }) => recovered ?? false)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    const ids = second
      .shown()
      .map(({ body }) => JSON.stringify(body['changes']).replace(/^.*"newMessageIds":/, ''));
    expect(new Set(ids).size).toBe(6);
    expect(new Set(second.shown().map(({ event }) => event)).size).toBe(1);
  });

  it('are not recovered with --no-recover', async () => {
    const office = await openOffice();
    const paths = temporaryPaths();
    const first = await live(office, 'webhook listen', { paths });
    first.interrupt();
    await first.result;
    await office.run(sendText);
    const second = await live(office, 'webhook listen --no-recover --count 1', { paths });
    await office.run(sendText);
    const { stdout } = await second.result;
    expect(stdout).not.toContain('recovered');
  });
});

describe('webhook listen --tls-cert --tls-key', () => {
  const files = async () => {
    const folder = temporaryFolder();
    const { cert, key, caFile } = await makeCertificates(folder, Date.now());
    await writeFile(join(folder, 'cert.pem'), cert);
    await writeFile(join(folder, 'key.pem'), key);
    await writeFile(join(folder, 'text.pem'), 'no certificate');
    return { folder, ca: await readFile(caFile) };
  };

  it('closes connections that do not start TLS', async () => {
    const office = await openOffice();
    const { folder } = await files();
    const { ready } = await live(
      office,
      `webhook listen --no-subscribe --tls-cert ${folder}/cert.pem --tls-key ${folder}/key.pem`,
    );
    const socket = connect(Number(new URL(ready.address).port), '127.0.0.1').resume();
    await once(socket, 'connect');
    await expect(
      once(socket, 'close', { signal: AbortSignal.timeout(conditionLimit) }),
    ).resolves.toBeDefined();
  });

  it('serves https, and may then listen on every address', async () => {
    const office = await openOffice();
    const { folder, ca } = await files();
    const { ready, result } = await live(
      office,
      `webhook listen --no-subscribe --count 1 --host 0.0.0.0 --tls-cert ${folder}/cert.pem --tls-key ${folder}/key.pem`,
    );
    const url = new URL(ready.address);
    expect(url.protocol).toBe('https:');
    url.hostname = 'localhost';
    const statusOf = (headers: Record<string, string>, body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        httpsRequest(url, { method: 'POST', ca, headers }, (reply) => {
          reply.resume();
          resolve(reply.statusCode);
        })
          .on('error', reject)
          .end(body);
      });
    expect(await statusOf({ 'validation-token': 'abc' }, '')).toBe(200);
    expect(await statusOf({}, JSON.stringify(eventOf('secure', 2)))).toBe(200);
    expect((await result).stdout).toContain('"uuid":"secure"');
  });

  it.each([
    ['--tls-cert cert.pem', '--tls-cert requires --tls-key'],
    ['--tls-cert cert.pem --tls-key missing.pem', 'cannot read missing.pem: file not found'],
    ['--tls-cert text.pem --tls-key key.pem', 'cannot use the certificate'],
  ])('%s ends with 2 before anything starts', async (flags, words) => {
    const office = await openOffice();
    const { folder } = await files();
    const { exit, stderr } = await office.run(`webhook listen --no-subscribe ${flags}`, { cwd: folder });
    expect(exit).toBe(2);
    expect(stderr).toContain(words);
  });
});

describe('webhook listen --ready-file', () => {
  it('exists only while events can arrive, also after a killed run', async () => {
    const office = await openOffice();
    const file = join(temporaryFolder(), 'ready.json');
    await writeFile(file, '{"url":"http://127.0.0.1:1/of-a-killed-run"}');
    const stop = new AbortController();
    const run = office.run(`webhook listen --ready-file ${file}`, { signal: stop.signal });
    await eventually(async () => {
      const text = await readFile(file, 'utf8').catch(() => '');
      expect(text).toContain('subscriptionId');
    });
    stop.abort(new Error('interrupted'));
    await run;
    expect(existsSync(file)).toBe(false);
  });
});

describe('requests for other hosts', () => {
  it('are rejected on every path', async () => {
    const office = await openOffice();
    const { ready } = await live(office, 'webhook listen --no-subscribe');
    const { request } = await import('node:http');
    const statusFor = (host: string, path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const url = new URL(path, ready.address);
        request(url, { method: 'POST', headers: { host } }, (reply) => {
          reply.resume();
          resolve(reply.statusCode);
        })
          .on('error', reject)
          .end();
      });
    const { port, pathname } = new URL(ready.address);
    expect(await statusFor(`evil.test:${port}`, pathname)).toBe(403);
    expect(await statusFor(`evil.test:${port}`, '/')).toBe(403);
    expect(await statusFor(`127.0.0.1.evil.test:${port}`, '/')).toBe(403);
    expect(await statusFor(`LOCALHOST:${port}`, '/')).toBe(404);
  });
});

it('a body of unexpected form is shown, and so are later events', async () => {
  const office = await openOffice();
  const { ready, shown, interrupt, result } = await live(office, 'webhook listen');
  const event = ready.eventFilters[0] ?? '';
  const shapes = [{ changes: [null] }, { changes: [{ newMessageIds: [null, { toString: 1 }, []] }] }];
  for (const [index, body] of shapes.entries())
    await post(ready.address, {
      uuid: `odd-${index}`,
      event,
      timestamp: '',
      body: { ...body, newMessageIds: 1 },
    });
  await post(ready.address, eventOf('after', 2));
  await eventually(() => expect(shown().map(({ uuid }) => uuid)).toEqual(['odd-0', 'odd-1', 'after']));
  interrupt();
  expect((await result).exit).toBe(0);
});

it('a subscription that was deleted elsewhere causes no error on exit', async () => {
  const office = await openOffice();
  const { ready, interrupt, result } = await live(office, 'webhook listen');
  await office.run(['subscribe', 'delete', ready.subscriptionId ?? '']);
  interrupt();
  const { exit, stderr } = await result;
  expect([exit, stderr]).toEqual([0, expect.not.stringContaining('could not delete')]);
});

it('an event counts as delivered by the status, also if the response does not end', async () => {
  const office = await connectedOffice();
  const taken: string[] = [];
  const server = createServer((request, response) => {
    taken.push(String(request.headers['ucctl-event-id']));
    response.writeHead(200);
    response.write('and so on');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { ready, result, interrupt } = await live(
    office,
    `webhook listen --no-subscribe --forward-to http://127.0.0.1:${port}/`,
  );
  for (const uuid of ['one', 'two']) await post(ready.address, eventOf(uuid, 2));
  await eventually(() => expect(taken).toEqual(['one', 'two']));
  interrupt();
  expect((await result).stderr).not.toContain('not yet delivered');
});

it.each([
  'webhook listen',
  'subscribe tail',
  'webhook check http://127.0.0.1:9',
  'webhook trigger messages http://127.0.0.1:9',
])(
  '%s rejects a verification token that is invalid in a header, before anything is sent',
  async (command) => {
    const office = await openOffice();
    const env = { UCCTL_VERIFICATION_TOKEN: 'two\nlines' };
    const { exit, stderr } = await office.run(command, { env });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('UCCTL_VERIFICATION_TOKEN contains')]);
    expect(stderr).not.toContain('lines');
  },
);

it('an address of another machine is reported as such', async () => {
  const folder = temporaryFolder();
  const { cert, key } = await makeCertificates(folder, Date.now());
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key);
  const office = await openOffice();
  const command = 'webhook listen --no-subscribe --host 192.0.2.1 --tls-cert cert.pem --tls-key key.pem';
  const { exit, stderr } = await office.run(command, { cwd: folder });
  expect([exit, stderr]).toEqual([
    12,
    expect.stringContaining('192.0.2.1 is not an address of this machine'),
  ]);
  expect(stderr).toContain('--host');
});

it.each(['hooks.example', 'hooks.example:80', '[::1]:PORT'])(
  'behind a proxy with plain http the host %s is accepted',
  async (host) => {
    const office = await openOffice();
    const { ready } = await live(
      office,
      'webhook listen --no-subscribe --development --public-url http://hooks.example',
    );
    const { port, pathname: path } = new URL(ready.url ?? '');
    const headers = { host: host.replace('PORT', port) };
    const status = await new Promise<number | undefined>((resolve, reject) => {
      httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers }, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      })
        .on('error', reject)
        .end(JSON.stringify(eventOf('one', 2)));
    });
    expect(status).toBe(200);
  },
);

it('a ready file that cannot be written is reported, and no subscription stays', async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  const office = await openOffice();
  const place = join(folder, 'file', 'below');
  const { exit, stderr } = await office.run(`webhook listen --ready-file ${place}`);
  expect([exit, stderr]).toEqual([
    12,
    expect.stringContaining(`cannot write or remove the ready file ${place}`),
  ]);
  expect(stderr).toContain('--ready-file');
  expect(office.sandbox.subscriptions()).toEqual([]);
});
