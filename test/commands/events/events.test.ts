import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Interrupted } from '../../../src/errors/interrupted.ts';
import type { RunResult } from '../../support/run-ucctl.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import type { Office } from '../office.ts';
import { connectedOffice, eventsIn, live, openTarget } from '../webhook/listening.ts';

const account = '/restapi/v1.0/account/1';
const events = [
  { uuid: 'a', event: `${account}/extension/2/presence`, timestamp: 't', body: { extensionId: '2' } },
  { uuid: 'b', event: `${account}/extension/3/message-store`, timestamp: 't', body: { extensionId: '3' } },
  { uuid: 'c', event: `${account}/extension`, timestamp: 't' },
];

interface Inbox {
  readonly office: Office;
  /** The output of the listener. */
  readonly result: RunResult;
  readonly run: (
    argv: readonly string[] | string,
    stdin?: string,
    signal?: AbortSignal,
  ) => Promise<RunResult>;
}

/** An inbox with three events, received by a listener. */
async function filled(flags = ''): Promise<Inbox> {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  const { ready, result } = await live(office, `webhook listen --no-subscribe --count 3 ${flags}`, { paths });
  for (const event of events) await fetch(ready.address, { method: 'POST', body: JSON.stringify(event) });
  return {
    office,
    result: await result,
    run: (argv, stdin, signal) => office.run(argv, { paths, stdin, ...(signal && { signal }) }),
  };
}

it('lists received events by event, extension and number, without requests to the service', async () => {
  const { run, office } = await filled();
  office.requests();
  const uuids = async (flags: string) =>
    (JSON.parse((await run(`events list -o json ${flags}`)).stdout) as { uuid: string }[]).map(
      ({ uuid }) => uuid,
    );
  expect(await uuids('')).toEqual(['a', 'b', 'c']);
  expect(await uuids('--events messages,presence')).toEqual(['a', 'b']);
  expect(await uuids('--extension 3')).toEqual(['b']);
  expect(await uuids('--limit 2')).toEqual(['b', 'c']);
  expect(await uuids('--recovered')).toEqual([]);
  expect(await uuids('--since 1h')).toEqual(['a', 'b', 'c']);
  expect(await uuids('--since today --tz Europe/Paris')).toEqual(await uuids('--since 24h'));
  expect(await uuids('--since 2020-01-01 --until 2020-01-02')).toEqual([]);
  expect((await run('events list --since soon')).exit).toBe(2);
  const exported = await run('events export --since 2020-01-01');
  expect(exported.stdout.trim().split('\n')).toHaveLength(3);
  expect(office.requests()).toEqual([]);
});

it('lists the events of an extension by its number, name or ID', async () => {
  const { run } = await filled();
  const shown = await run('agent show 102 -o json');
  const { id, name } = JSON.parse(shown.stdout) as { id: number; name: string };
  await run('events import -', JSON.stringify({ uuid: 'd', event: `${account}/extension/${id}/presence` }));
  const uuids = async (extension: string) =>
    (
      JSON.parse((await run(['events', 'list', '--extension', extension, '-o', 'json'])).stdout) as {
        uuid: string;
      }[]
    ).map(({ uuid }) => uuid);
  expect(await uuids('102')).toEqual([]);
  const { exit, stdout, stderr } = await run('events list --extension 102,3 -o json');
  expect([exit, JSON.parse(stdout)]).toMatchObject([0, [{ uuid: 'b' }]]);
  expect(stderr).toContain('No stored event belongs to extension "102"');
  expect(stderr).not.toContain('"3"');
  expect((await run('agent list')).exit).toBe(0);
  for (const known of ['102', name, name.toUpperCase(), String(id)])
    expect(await uuids(known)).toEqual(['d']);
  const twoPeople = await run(['events', 'list', '--extension', 'Chris Smith']);
  expect([twoPeople.exit, twoPeople.stderr]).toEqual([
    2,
    expect.stringMatching(/"Chris Smith" matches 2 extensions\n +104 · Chris Smith · \S+@\S+ · ID \d+\n/),
  ]);
});

it('lists the events of an extension also if only the body or an unknown path names it', async () => {
  const { run } = await filled();
  const lines = [
    { uuid: 'd', event: `${account}/presence`, body: { extensionId: 3 } },
    { uuid: 'e', event: `${account}/extension/3/message-store/instant?type=SMS`, body: { subject: 'Hi' } },
    { uuid: 'f', event: `${account}/extension/33/message-store/instant?type=SMS`, body: { subject: 'Hi' } },
  ];
  await run('events import -', lines.map((line) => JSON.stringify(line)).join('\n'));
  const { stdout } = await run('events list --extension 3 -o csv');
  const [head = '', ...rows] = stdout.trim().split('\n');
  const at = head.split(',').indexOf('extensionId');
  expect(rows.map((row) => row.split(',')[at])).toEqual(['3', '3', '3']);
});

it('warns that it shows only the newest events, notes a limit of the user, and shows all with --all', async () => {
  const { run } = await filled();
  const lines = Array.from({ length: 120 }, (_, index) => JSON.stringify({ uuid: `n${index}`, event: '/x' }));
  await run('events import -', lines.join('\n'));
  const newest = await run('events list -o ndjson');
  expect(newest.stdout.trim().split('\n')).toHaveLength(100);
  const text = 'Showing the newest 100 events. Use --all or --limit N to show earlier ones.\n';
  expect(newest.stderr).toBe(`warning: ${text}`);
  expect((await run('events list -o ndjson -q')).stderr).toBe(`warning: ${text}`);
  expect((await run('events list -o ndjson --limit 100')).stderr).toBe(text);
  expect((await run('events list -o ndjson --limit 100 -q')).stderr).toBe('');
  const all = await run('events list --all -o ndjson');
  expect([all.stdout.trim().split('\n').length, all.stderr]).toEqual([123, '']);
  expect((await run('events list --all --limit 5')).exit).toBe(2);
});

it('describes the newest events as in the whole list, also if the list has a filter', async () => {
  const { run } = await filled();
  const states = ['Ringing', 'CallConnected', 'NoCall'];
  const lines = Array.from({ length: 24 }, (_, index) => {
    const person = String(5 + (index % 4));
    const body = { extensionId: person, telephonyStatus: states[Math.floor(index / 4) % 3] };
    const path = index % 5 === 0 ? '/x' : `${account}/extension/${person}/presence`;
    return JSON.stringify({ uuid: `p${index}`, event: path, body });
  });
  await run('events import -', lines.join('\n'));
  for (const filter of ['', ' --extension 6', ' --extension 6,7 --events presence']) {
    const all = (await run(`events list --all -o ndjson${filter}`)).stdout.trim().split('\n');
    for (let limit = 1; limit < all.length; limit += 1) {
      const { stdout, stderr } = await run(`events list --limit ${limit} -o ndjson${filter}`);
      expect([filter, limit, stdout.trim().split('\n')]).toEqual([filter, limit, all.slice(-limit)]);
      expect(stderr).toContain(`Showing the newest ${limit} events.`);
    }
    expect(
      new Set(all.map((line) => (JSON.parse(line) as { details: string }).details)).size,
    ).toBeGreaterThan(2);
  }
});

it('shows an event by id or uuid, with its deliveries', async () => {
  const target = await openTarget();
  const { run } = await filled(`--forward-to ${target.url}`);
  const byUuid = JSON.parse((await run('events show b -o json')).stdout) as { id: number };
  expect(byUuid).toMatchObject({
    ...events[1],
    origin: 'webhook',
    receiver: 'listen',
    deliveries: [{ target: target.url, state: 'done', attempts: 1, problem: null }],
  });
  expect(JSON.parse((await run(`events show ${byUuid.id} -o json`)).stdout)).toEqual(byUuid);
  const ids = JSON.parse((await run('events list -o json')).stdout) as { id: number }[];
  const last = JSON.parse((await run('events show last -o json')).stdout) as { id: number };
  expect(last.id).toBe(Math.max(...ids.map(({ id }) => id)));
  expect(await run('events show nothing')).toMatchObject({ exit: 3, stdout: '' });
});

it('no message and no list of deliveries shows the password of a target', async () => {
  const target = await openTarget();
  target.statuses.push(400, 503);
  const withPassword = target.url.replace('//', '//ada:Geheim-7f3a@');
  const shown = target.url.replace('//', '//***@');
  const { run, result } = await filled(`--forward-to ${withPassword}`);
  const outputs = [
    await run('events dlq'),
    await run('events show a -o json'),
    await run(`events replay c --forward-to ${withPassword}`),
    await run('events dlq --redeliver'),
  ];
  const texts = [result.stderr, ...outputs.map(({ stdout }) => stdout)];
  expect(texts.map((text) => [text.includes(shown), text.includes('Geheim')])).toEqual(
    texts.map(() => [true, false]),
  );
  expect(result.stderr).toContain(`${shown} accepts events again`);
});

it('replays events to any address, edited on request', async () => {
  const target = await openTarget();
  const { run } = await filled();
  const plain = await run(`events replay a c --forward-to ${target.url} -o json`);
  expect(JSON.parse(plain.stdout)).toMatchObject([
    { uuid: 'a', status: 'delivered' },
    { uuid: 'c', status: 'delivered' },
  ]);
  await run([
    'events',
    'replay',
    'a',
    '--forward-to',
    target.url,
    '--edit',
    '.body.extensionId = "9" | .uuid = "z"',
  ]);
  expect(target.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    events[0],
    events[2],
    { ...events[0], uuid: 'z', body: { extensionId: '9' } },
  ]);
  target.statuses.push(500);
  expect(await run(`events replay a c --forward-to ${target.url}`)).toMatchObject({ exit: 8 });
});

it.each([
  [['events', 'replay', 'a'], 'exactly one of --forward-to URL and --exec COMMAND'],
  [['events', 'replay', 'a', '--forward-to', 'http://127.0.0.1:9/', '--edit', '.['], '--edit'],
  [
    ['events', 'replay', 'a', '--forward-to', 'http://127.0.0.1:9/', '--edit', '1'],
    'does not return a single object',
  ],
])('%j ends with 2', async (argv, words) => {
  const { run } = await filled();
  const { exit, stderr } = await run(argv);
  expect(exit).toBe(2);
  expect(stderr).toContain(words);
});

it('sends no event if the edit of one of them fails', async () => {
  const target = await openTarget();
  const { run } = await filled();
  const edit = 'if .uuid == "c" then empty else . end';
  const { exit } = await run(['events', 'replay', 'a', 'c', '--forward-to', target.url, '--edit', edit]);
  expect([exit, target.requests]).toEqual([2, []]);
});

it('lists by the same event names as listen, and rejects unknown names', async () => {
  const { run } = await filled();
  const plain = await run('events list -o json --events presence');
  expect(JSON.parse(plain.stdout)).not.toEqual([]);
  expect((await run('events list -o json --events Presence')).stdout).toBe(plain.stdout);
  expect(await run('events list -o json --events reminder:120,60')).toMatchObject({
    exit: 0,
    stdout: '[]\n',
  });
  const { exit, stderr } = await run('events list --events mesages');
  expect([exit, stderr]).toEqual([2, expect.stringContaining('"mesages" is not a valid event')]);
});

it('copies events to another machine without duplicates', async () => {
  const { run, office } = await filled();
  const exported = (await run('events export')).stdout;
  expect(eventsIn(exported).map(({ uuid }) => uuid)).toEqual(['a', 'b', 'c']);
  const file = join(temporaryFolder(), 'events.ndjson');
  await writeFile(file, exported);
  const paths = temporaryPaths();
  const there = (argv: string, stdin?: string) => office.run(argv, { paths, stdin });
  expect(JSON.parse((await there(`events import ${file} -o json`)).stdout)).toEqual({ added: 3, skipped: 0 });
  const again = await there('events import - -o json', `${await readFile(file, 'utf8')}{"event":"/bare"}\n`);
  expect(JSON.parse(again.stdout)).toEqual({ added: 1, skipped: 3 });
  const broken = await there('events import -', '{"event":"/x"}\n{"no":"event"}\n');
  expect(broken.exit).toBe(2);
  expect(broken.stderr).toContain('-:2 is not a valid event');
});

it('keeps dead letters until they are redelivered or dropped', async () => {
  const target = await openTarget();
  target.statuses.push(400, 410, 404);
  const { run } = await filled(`--forward-to ${target.url}`);
  const dead = JSON.parse((await run('events dlq -o json')).stdout) as { id: number; problem: string }[];
  expect(dead.map(({ problem }) => problem).toSorted()).toEqual(['HTTP 400', 'HTTP 404', 'HTTP 410']);
  const dropped = await run(`events dlq ${dead[0]?.id} --drop --yes -o json`);
  expect(dropped.stdout).toContain('"dropped"');
  target.statuses.push(500);
  const redelivered = await run('events dlq --redeliver -o json');
  expect(redelivered.exit).toBe(8);
  expect((JSON.parse(redelivered.stdout) as { status: string }[]).map(({ status }) => status)).toEqual([
    'dead',
    'delivered',
  ]);
  expect((await run('events dlq --redeliver')).exit).toBe(0);
  expect((await run('events dlq -o json')).stdout).toBe('[]\n');
  expect((await run('events dlq 999 --drop --yes')).exit).toBe(3);
});

it('shows the dead letters that were redelivered before Ctrl-C', async () => {
  const stop = new AbortController();
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    requests += 1;
    // The listener makes three attempts. Ctrl-C interrupts the second redelivery.
    if (requests === 5) stop.abort(new Interrupted('SIGINT'));
    else response.writeHead(requests <= 3 ? 400 : 200).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  const { run } = await filled(`--forward-to http://127.0.0.1:${port}/in`);
  const { exit, stdout } = await run('events dlq --redeliver -o json', undefined, stop.signal);
  expect([exit, JSON.parse(stdout)]).toMatchObject([130, [{ attempts: 2, status: 'delivered' }]]);
  expect(JSON.parse((await run('events dlq -o json')).stdout)).toHaveLength(2);
});
