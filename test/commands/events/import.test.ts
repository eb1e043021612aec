import { expect, it } from 'vitest';
import { Inbox, readNotification, type Origin } from '../../../src/features/live/index.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { connectedOffice, eventsIn, live } from '../webhook/listening.ts';

interface StoredText {
  readonly text: string;
  readonly origin: Origin;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly receiver?: string;
}

/** Stores events in an inbox as if they had arrived one after the other. */
async function store(paths: ReturnType<typeof temporaryPaths>, events: readonly StoredText[]): Promise<void> {
  let now = 0;
  const inbox = Inbox.open(paths.state, 'default', () => now);
  try {
    for (const { text, origin, at, receiver = 'listen' } of events) {
      now = at;
      const received = readNotification(text);
      if (received) await inbox.accept(received, receiver, origin);
    }
  } finally {
    inbox.close();
  }
}

/** Lines of an export without the ids, which differ from inbox to inbox. */
function withoutIds(exported: string): readonly string[] {
  return exported.split('\n').map((line) => line.replace(/^\{"id":\d+,/, '{'));
}

it('restores all members of exported events: time, receiver, origin, recovered and encrypted ones', async () => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  await store(paths, [
    { text: '{"uuid":"a","event":"/x","body":{"id":9007199254740993}}', origin: 'webhook', at: 1000 },
    { text: '{"uuid":"b","event":"/x","timestamp":"t"}', origin: 'recovered', at: 2000 },
    { text: '{"uuid":"a","event":"/x"}', origin: 'channel', at: 3000, receiver: 'tail' },
    { text: '{"event":"/without/uuid"}', origin: 'gap', at: 4000 },
    { text: JSON.stringify(Buffer.alloc(32).toString('base64')), origin: 'channel', at: 5000 },
    { text: '{"uuid":"i","event":"/x"}', origin: 'import', at: 6000, receiver: 'import' },
  ]);
  const exported = (await office.run('events export', { paths })).stdout;
  const there = temporaryPaths();
  const counts = await office.run('events import - -o json', { paths: there, stdin: exported });
  expect(JSON.parse(counts.stdout)).toEqual({ added: 6, skipped: 0 });
  expect(withoutIds((await office.run('events export', { paths: there })).stdout)).toEqual(
    withoutIds(exported),
  );
  const recovered = await office.run('events list --recovered -o ndjson', { paths: there });
  expect(eventsIn(recovered.stdout)).toHaveLength(2);
  const home = await office.run('events import - -o json', { paths, stdin: exported });
  expect(JSON.parse(home.stdout)).toEqual({ added: 0, skipped: 6 });
});

it('imports encrypted events that an earlier version exported as `sealed`', async () => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  const encrypted = Buffer.alloc(32).toString('base64');
  const stdin = `{"uuid":"sha256:0","event":"encrypted","timestamp":"t","sealed":"${encrypted}"}`;
  const { stdout } = await office.run('events import - -o json', { paths, stdin });
  expect(JSON.parse(stdout)).toEqual({ added: 1, skipped: 0 });
  const [event] = eventsIn((await office.run('events export', { paths })).stdout);
  expect(event).toMatchObject({ event: 'encrypted', encryptedBody: encrypted, origin: 'import' });
});

it('imports the output of a listener with its recovered mark', async () => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  await office.run('events import -', { paths, stdin: '{"uuid":"a","event":"/x","recovered":true}\n' });
  const [event] = eventsIn((await office.run('events export', { paths })).stdout);
  expect(event).toMatchObject({ uuid: 'a', receiver: 'import', origin: 'recovered', recovered: true });
});

it.each([
  ['receivedAt', '"yesterday"'],
  ['receivedAt', '5'],
  ['origin', '"pigeon"'],
  ['receiver', '{}'],
  ['receiver', '""'],
])('imports nothing if the %s of a line is %s', async (member, value) => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  const stdin = `{"uuid":"a","event":"/x"}\n{"uuid":"b","event":"/x","${member}":${value}}\n`;
  const { exit, stderr } = await office.run('events import -', { paths, stdin });
  expect(exit).toBe(2);
  expect(stderr).toContain(`-:2: ${member} `);
  expect((await office.run('events export', { paths })).stdout).toBe('');
});

it('a listener does not show imported events', async () => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  const stdin = '{"uuid":"a","event":"/x","receiver":"listen","origin":"webhook"}';
  await office.run('events import -', { paths, stdin });
  const { ready, result } = await live(office, 'webhook listen --no-subscribe --count 1', { paths });
  await fetch(ready.address, { method: 'POST', body: '{"uuid":"fresh","event":"/x"}' });
  expect(eventsIn((await result).stdout).map(({ uuid }) => uuid)).toEqual(['fresh']);
});

it('lists imported events by the time at which they were received', async () => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  const at = (uuid: string, time: number, origin: Origin = 'webhook') =>
    ({ text: JSON.stringify({ uuid, event: '/x' }), at: time, origin }) as const;
  await store(paths, [at('third', 3000), at('fourth', 4000)]);
  const earlier = { event: '/x', receiver: 'listen', origin: 'webhook' };
  const lines = [
    { ...earlier, uuid: 'first', receivedAt: new Date(1000).toISOString() },
    { ...earlier, uuid: 'second', receivedAt: new Date(2000).toISOString() },
  ];
  const stdin = lines.map((line) => JSON.stringify(line)).join('\n');
  await office.run('events import -', { paths, stdin });
  const uuids = async (argv: string) =>
    eventsIn((await office.run(argv, { paths })).stdout).map(({ uuid }) => uuid);
  expect(await uuids('events export')).toEqual(['first', 'second', 'third', 'fourth']);
  expect(await uuids('events list --limit 2 -o ndjson')).toEqual(['third', 'fourth']);
});

it('lists an event whose uuid is not a text', async () => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  await store(paths, [{ text: '{"uuid":{"a":1},"event":"/x"}', origin: 'webhook', at: 1000 }]);
  const { stdout } = await office.run('events list', { paths });
  expect(stdout).toMatch(/^1\t1970-01-01T00:00:01\.000Z\t\/x\t\t.*\twebhook\t\n$/);
});

it('imports a file with a byte order mark and Windows line ends', async () => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  const stdin = '\uFEFF{"uuid":"a","event":"/x"}\r\n\r\n{"uuid":"b","event":"/x"}\r\n';
  const { stdout } = await office.run('events import - -o json', { paths, stdin });
  expect(JSON.parse(stdout)).toEqual({ added: 2, skipped: 0 });
});
