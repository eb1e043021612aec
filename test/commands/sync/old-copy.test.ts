import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const fixture = join(import.meta.dirname, '../../fixtures/caa7557/mailbox');
/** Ten minutes after the last sync of the fixture. */
const startTime = Date.UTC(2026, 10, 22, 14, 10);
/** The signed-in user of the fixture and of the office. */
const own = '+16505550110';

interface Message {
  readonly id: string;
  readonly text: string | null;
}

/** The office, and a copy of the files that version caa7557 wrote for its administrator. */
async function openOldCopy() {
  const office = await openOffice('administrator', undefined, ':memory:', { startTime });
  // Six messages of somebody else, because the fixture has the first six message ids of a sandbox.
  for (let count = 0; count < 6; count += 1)
    await office.sandbox.control('POST', '/triggers/sms', { to: '102' });
  const paths = temporaryPaths();
  const file = join(paths.data, 'mailbox', 'default.sqlite');
  cpSync(fixture, join(paths.data, 'mailbox'), { recursive: true });
  const run = (argv: string | readonly string[]) =>
    office.run(argv, { paths, now: () => office.sandbox.clock.now() });
  const json = async <T>(argv: string | readonly string[]): Promise<T> => {
    const { exit, stdout } = await run(argv);
    expect(exit).toBe(0);
    return JSON.parse(stdout) as T;
  };
  const messages = () =>
    json<readonly Message[]>(['sync', 'sql', 'select id, text from v_message order by id', '-o', 'json']);
  return { ...office, file, run, json, messages };
}

const oldMessages = [
  { id: '401654758001', text: 'Refund for invoice 4711, please' },
  { id: '401654758002', text: 'The café opens at nine' },
  { id: '401654758004', text: null },
  { id: '401654758005', text: null },
  { id: '401654758006', text: 'On my way' },
];

describe('a mailbox copy that version caa7557 wrote', () => {
  it('is opened, searched and checked without the service', async () => {
    const { run, json, messages, requests } = await openOldCopy();
    requests();
    expect(await messages()).toEqual(oldMessages);
    expect(await json('sync status -o json')).toMatchObject([
      { type: null, direction: null, messages: 4, errors: 0, dateFrom: '2000-01-01T00:00:00.000Z' },
      { type: 'Fax', direction: 'Inbound', messages: 1, dateFrom: '2026-10-23T13:49:23.517Z' },
      { type: 'Calls', calls: 3, messages: 0 },
    ]);
    expect(await json('sync search cafe is:deleted -o json')).toMatchObject([{ id: '401654758002' }]);
    expect(await json('sync search type:voicemail has:attachment -o json')).toMatchObject([
      { id: '401654758004', from: '+15555550104' },
    ]);
    expect(await json('sync verify --sample 0 -o json')).toMatchObject([
      { check: 'database', wrong: 0 },
      { check: 'full text', wrong: 0 },
      { check: 'attachments', checked: 3, wrong: 0 },
    ]);
    expect(await json('calllog stats --local --since 2026-11-22 -o json')).toMatchObject({
      totals: { calls: 2, answered: 2, talkSeconds: 74 },
    });
    const { stderr } = await run('sync erase --phone +15555550101 --dry-run');
    expect(stderr).toContain('/tmp/ucctl-archive/messages.ndjson');
    expect(requests()).toEqual([]);
  });

  it('is synced without loss: messages, versions, attachments, calls and erased numbers stay', async () => {
    const { sandbox, json, messages } = await openOldCopy();
    expect(await json('calllog sync -o json')).toMatchObject({ changed: 0 });
    const send = (from: string, text: string) =>
      sandbox.control('POST', '/triggers/sms', { to: own, from, text });
    await send('+15555550103', 'From the erased number');
    await send('+15555550108', 'After the update');
    const [first] = await json<readonly unknown[]>('sync --media -o json');
    expect(first).toMatchObject({ repaired: true, added: 1, errors: 0, vanished: 4 });
    expect(await messages()).toEqual(expect.arrayContaining([...oldMessages]));
    expect((await messages()).map(({ text }) => text)).toContain('After the update');
    expect((await messages()).map(({ text }) => text)).not.toContain('From the erased number');
    const counts =
      'select (select count(*) from message_version) versions, (select count(*) from media) media, (select count(*) from v_call) calls';
    expect(await json(['sync', 'sql', counts, '-o', 'json'])).toMatchObject([
      { versions: 1, media: 3, calls: 3 },
    ]);
    expect(await json('sync verify --sample 0 -o json')).toMatchObject([
      { wrong: 0 },
      { wrong: 0 },
      { wrong: 0 },
    ]);
  });

  it('continues each sync scope under its old key', async () => {
    const { json, file } = await openOldCopy();
    await json('sync --type Fax --direction Inbound --since 30d -o json');
    const db = openDatabase(file);
    expect(db.prepare('SELECT count(*) AS n, max(date_from) AS since FROM stream').get()).toMatchObject({
      n: 2,
      since: '2026-10-23T13:49:23.517Z',
    });
    db.close();
  });

  it('continues an earlier export', async () => {
    const { json, file, sandbox } = await openOldCopy();
    const target = join(temporaryFolder(), 'messages.ndjson');
    cpSync(join(fixture, 'messages.ndjson'), target);
    const db = openDatabase(file);
    db.prepare('UPDATE export_state SET target = ?').run(target);
    db.close();
    await sandbox.control('POST', '/triggers/sms', {
      to: own,
      from: '+15555550108',
      text: 'After the update',
    });
    await json('sync -o json');
    const report = await json(['sync', 'export', '--format', 'ndjson', '--to', target, '-o', 'json']);
    expect(report).toMatchObject({ incremental: true });
    const old = readFileSync(join(fixture, 'messages.ndjson'), 'utf8');
    const now = readFileSync(target, 'utf8');
    expect(now.startsWith(old)).toBe(true);
    expect(now.slice(old.length)).toContain('After the update');
  });
});
