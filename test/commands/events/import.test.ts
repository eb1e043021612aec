import { expect, it } from 'vitest';
import { Inbox, readNotification, type Origin } from '../../../src/features/live/index.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { connectedOffice, eventsIn, live } from '../webhook/listening.ts';

interface Kept {
  readonly text: string;
  readonly origin: Origin;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly receiver?: string;
}

/** Puts events into an inbox as if they had come one after the other. */
async function keep(paths: ReturnType<typeof temporaryPaths>, kept: readonly Kept[]): Promise<void> {
  let now = 0;
  const inbox = Inbox.open(paths.state, 'default', () => now);
  try {
    for (const { text, origin, at, receiver = 'listen' } of kept) {
      now = at;
      const received = readNotification(text);
      if (received) await inbox.accept(received, receiver, origin);
    }
  } finally {
    inbox.close();
  }
}

/** Lines of an export but for the ids, which are of one inbox. */
function withoutIds(exported: string): readonly string[] {
  return exported.split('\n').map((line) => line.replace(/^\{"id":\d+,/, '{'));
}

it('gives back from an import what was exported: time, receiver, how it came, what was recovered or is sealed', async () => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  await keep(paths, [
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
  expect(JSON.parse(counts.stdout)).toEqual({ added: 6, known: 0 });
  expect(withoutIds((await office.run('events export', { paths: there })).stdout)).toEqual(
    withoutIds(exported),
  );
  const recovered = await office.run('events list --recovered -o ndjson', { paths: there });
  expect(eventsIn(recovered.stdout)).toHaveLength(2);
  const home = await office.run('events import - -o json', { paths, stdin: exported });
  expect(JSON.parse(home.stdout)).toEqual({ added: 0, known: 6 });
});

it('imports what a listener showed, with its mark', async () => {
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
])('imports nothing when the %s of a line is %s', async (member, value) => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  const stdin = `{"uuid":"a","event":"/x"}\n{"uuid":"b","event":"/x","${member}":${value}}\n`;
  const { exit, stderr } = await office.run('events import -', { paths, stdin });
  expect(exit).toBe(2);
  expect(stderr).toContain(`-:2: ${member} `);
  expect((await office.run('events export', { paths })).stdout).toBe('');
});

it('shows no imported event as if it had come', async () => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  const stdin = '{"uuid":"a","event":"/x","receiver":"listen","origin":"webhook"}';
  await office.run('events import -', { paths, stdin });
  const { ready, result } = await live(office, 'webhook listen --no-subscribe --count 1', { paths });
  await fetch(ready.address, { method: 'POST', body: '{"uuid":"fresh","event":"/x"}' });
  expect(eventsIn((await result).stdout).map(({ uuid }) => uuid)).toEqual(['fresh']);
});

it('lists imported events by the time at which they came', async () => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  const at = (uuid: string, time: number, origin: Origin = 'webhook') =>
    ({ text: JSON.stringify({ uuid, event: '/x' }), at: time, origin }) as const;
  await keep(paths, [at('third', 3000), at('fourth', 4000)]);
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

it('takes a file that an editor saved with a byte order mark and the line ends of Windows', async () => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  const stdin = '\uFEFF{"uuid":"a","event":"/x"}\r\n\r\n{"uuid":"b","event":"/x"}\r\n';
  const { stdout } = await office.run('events import - -o json', { paths, stdin });
  expect(JSON.parse(stdout)).toEqual({ added: 2, known: 0 });
});
