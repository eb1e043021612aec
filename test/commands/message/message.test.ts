import { fakeReply } from '../../support/fake-service.ts';
import { describe, expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { ConnectionError } from '../../../src/client/index.ts';
import { openLiveOffice } from '../live-office.ts';
import { openOffice, type Office } from '../office.ts';
import { signInAs } from '../../support/sandbox.ts';

interface Row {
  readonly id: number;
  readonly status?: string;
  readonly problem?: string;
  readonly availability?: string;
  readonly subject?: string;
  readonly conversationId?: string;
}
const rows = (text: string): readonly Row[] => JSON.parse(text) as Row[];
const subjects = (text: string): readonly (string | undefined)[] => rows(text).map(({ subject }) => subject);

/** Texts of the signed-in person to Dana, oldest first: their ids. */
async function write({ sandbox }: Office, count: number): Promise<readonly string[]> {
  const authorization = `Bearer ${await signInAs(sandbox, 'administrator')}`;
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const text = { from: { phoneNumber: '+16505550110' }, to: [{ phoneNumber: '+16505550112' }] };
    const reply = await sandbox.fetch(
      new Request(`${sandbox.url}/restapi/v1.0/account/~/extension/~/sms`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ ...text, text: `text-${index}` }),
      }),
    );
    ids.push(String(((await reply.json()) as Row).id));
  }
  return ids;
}

describe('message', () => {
  it('spec:MESSAGE-25, MESSAGE-26: deletes, restores, purges, and a second delete does not purge', async () => {
    const office = await openLiveOffice();
    const [id = '', other = ''] = await write(office, 2);
    const { run } = office;
    expect(rows((await run(`message delete ${id} -o json`)).stdout)).toMatchObject([{ status: 'deleted' }]);
    const again = await run(`message delete ${id} ${other} -o json`);
    expect(rows(again.stdout)).toMatchObject([
      { id, status: 'unchanged' },
      { id: other, status: 'deleted' },
    ]);
    const hidden = await run(`message show ${id}`);
    expect([hidden.exit, hidden.stderr]).toEqual([
      3,
      expect.stringContaining('--availability Alive,Deleted,Purged'),
    ]);
    expect(JSON.parse((await run(`message show ${id} --availability Deleted -o json`)).stdout)).toMatchObject(
      { availability: 'Deleted' },
    );
    expect(rows((await run(`message restore ${id} -o json`)).stdout)).toMatchObject([{ status: 'restored' }]);
    expect((await run(`message purge ${id}`)).exit).toBe(9);
    const purged = await run(`message purge ${id} --yes -o json`);
    expect([purged.exit, rows(purged.stdout)]).toMatchObject([0, [{ status: 'purged' }]]);
    expect(purged.stderr).toContain('cannot be undone');
    expect(purged.stderr).toContain('erases messages and attachments');
    const restored = await run(`message restore ${id} -o json`);
    expect([restored.exit, restored.stderr]).toEqual([
      1,
      expect.stringContaining('purged message cannot be restored'),
    ]);
  });

  it('spec:BATCH-1, BATCH-2 marks many at a time in the fewest requests', async () => {
    const office = await openLiveOffice();
    const ids = await write(office, 55);
    office.requests();
    const read = await office.run(`message read ${ids.join(' ')} -o json`);
    expect([read.exit, rows(read.stdout).length]).toEqual([0, 55]);
    expect(rows(read.stdout).every(({ status }) => status === 'read')).toBe(true);
    expect(office.requests()).toEqual(['PUT /account/~/extension/~/message-store/*']);
    expect((await office.run(`message unread ${ids.slice(0, 50).join(' ')}`)).exit).toBe(0);
    const deleted = await office.run(`message delete ${ids.join(' ')} -o json`);
    expect(rows(deleted.stdout).filter(({ status }) => status === 'deleted')).toHaveLength(55);
    expect(rows((await office.run('message list --availability Deleted -o json')).stdout)).toHaveLength(55);
  });

  it('exits with 8 if some are not found, with 3 if all are', async () => {
    const office = await openLiveOffice();
    const [id = ''] = await write(office, 1);
    const { run } = office;
    for (const verb of ['read', 'show', 'delete']) {
      expect((await run(`message ${verb} ${id} 999`)).exit).toBe(8);
      expect((await run(`message ${verb} 998 999`)).exit).toBe(3);
      expect((await run(`message ${verb} 999`)).exit).toBe(3);
    }
  });

  it('spec:CLIENT-21 no command sends DELETE on the message store without an id or a filter', async () => {
    const { run, requests } = await openLiveOffice();
    requests();
    for (const words of [
      '',
      '--type All',
      '1 --type SMS',
      '*',
      '1,*',
      '~',
      '1 --before 30d',
      '--conversation x',
    ]) {
      for (const verb of ['delete', 'purge']) {
        expect((await run(`message ${verb} ${words} --yes`)).exit).toBe(2);
      }
    }
    expect(requests()).toEqual([]);
  });

  it('deletes by filter after a confirmation', async () => {
    const office = await openLiveOffice();
    await write(office, 3);
    const { run, sandbox } = office;
    await sandbox.clock.advance(10_000);
    expect((await run('message delete --type SMS')).exit).toBe(9);
    expect((await run('message delete --type Fax --yes')).exit).toBe(0);
    expect(await run('message delete --type SMS --before 6M --yes')).toMatchObject({
      exit: 2,
      stderr:
        'error: --before: "6M" is not a valid time\n' +
        '  try:     write 6 minutes as 6m; for 6 months, use 180d or a date\n',
    });
    expect(rows((await run('message list -o json')).stdout)).toHaveLength(3);
    const deleted = await run('message delete --type SMS --before 2s --yes -o json');
    expect([deleted.exit, rows(deleted.stdout)]).toEqual([
      0,
      [{ id: '*', status: 'deleted', filter: expect.stringMatching(/^of type SMS created before /) }],
    ]);
    expect(rows((await run('message list -o json')).stdout)).toEqual([]);
  });

  it('asks to check the messages after a deletion by filter without a reply', async () => {
    const { run } = await openOffice('administrator', (send) => (request) => {
      if (request.method !== 'DELETE') return send(request);
      return Promise.reject(new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined));
    });
    const { exit, stderr } = await run('message purge --type SMS --yes', { nouns: undefined });
    expect([exit, stderr]).toEqual([
      14,
      expect.stringContaining(
        'before you run the command again, check: ucctl message list --availability Alive,Deleted',
      ),
    ]);
  });

  it.each(['no answer', 'HTTP 502', 'HTTP 408', 'HTTP 499'])(
    'spec:CLIENT-2 after %s to a DELETE the message is read again, and DELETE is never sent again',
    async (what) => {
      let lose = false;
      const around =
        (send: HttpSend): HttpSend =>
        async (request) => {
          const reply = await send(request);
          if (request.method !== 'DELETE' || !lose) return reply;
          if (what.startsWith('HTTP ')) return fakeReply({ status: Number(what.slice(5)) });
          throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
        };
      const office = await openLiveOffice('administrator', {}, around);
      const ids = await write(office, 2);
      lose = true;
      office.requests();
      const { exit, stdout } = await office.run(`message delete ${ids.join(' ')} -o json`);
      expect([exit, rows(stdout)]).toMatchObject([0, [{ status: 'deleted' }, { status: 'deleted' }]]);
      expect(office.requests().filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
      const { stdout: now } = await office.run(
        `message show ${ids.join(' ')} --availability Deleted -o json`,
      );
      expect(rows(now).map(({ availability }) => availability)).toEqual(['Deleted', 'Deleted']);
    },
  );

  it('spec:MESSAGE-45 lists with every filter', async () => {
    const office = await openLiveOffice();
    const [id = ''] = await write(office, 2);
    await office.sandbox.clock.advance(10_000);
    await office.run('pager send --to 102 hello --yes');
    const { run, sandbox } = office;
    const count = async (flags: string): Promise<number> =>
      rows((await run(`message list ${flags} -o json`)).stdout).length;
    expect(await count('')).toBe(3);
    expect(await count('--type SMS')).toBe(2);
    expect(await count('--type Pager,Fax')).toBe(1);
    expect(await count('--direction Inbound')).toBe(0);
    expect(await count('--distinct')).toBe(2);
    expect(await count('--phone "+1 650 555 0112"')).toBe(2);
    expect(await count('--phone +16505550113')).toBe(0);
    expect(await count('--read')).toBe(3);
    expect(await count('--unread')).toBe(0);
    expect(await count('--availability Deleted,Purged')).toBe(0);
    expect(await count('-L 1')).toBe(1);
    expect(await count('--extension 171857102')).toBe(3);
    const { conversationId } = JSON.parse((await run(`message show ${id} -o json`)).stdout) as {
      conversationId: string;
    };
    expect(await count(`--conversation ${conversationId}`)).toBe(2);
    const [page] = rows((await run('message list --type Pager -o json')).stdout);
    const all = rows((await run('message list -o json')).stdout);
    office.requests();
    const both = `--conversation ${conversationId},${String(page?.conversationId)},${conversationId}`;
    expect(rows((await run(`message list ${both} -o json`)).stdout)).toEqual(all);
    // The service accepts one conversationId in a request.
    expect(office.requests()).toHaveLength(2);
    expect(rows((await run(`message list ${both} -L 2 -o json`)).stdout)).toEqual(all.slice(0, 2));
    await sandbox.clock.advance(1_800_000);
    expect(await count('--since 10m')).toBe(0);
    expect(await count('--since 1h')).toBe(3);
    expect(await count('--since 1h --until 40m')).toBe(0);
    expect((await run('message list --since later')).exit).toBe(2);
    expect((await run('message list --since 1d --until 2d')).exit).toBe(2);
  });

  it('spec:ERROR-30 shows the texts of a short code, and does not send to it', async () => {
    const { run, sandbox } = await openLiveOffice();
    await sandbox.control('POST', '/triggers/sms', { from: '72345', to: '100', text: 'Your code is 1234' });
    const thread = await run('sms thread 72345 -o json');
    expect(subjects(thread.stdout)).toEqual(['Your code is 1234']);
    expect(thread.stderr).toContain('ucctl treats 72345 as a short code, not as an extension number.');
    for (const list of ['sms list', 'message list'])
      expect(subjects((await run(`${list} --phone 72345 -o json`)).stdout)).toEqual(['Your code is 1234']);
    const sent = await run('sms send --to 72345 hello --yes');
    expect(sent.exit).toBe(2);
    expect(sent.stderr).toContain('"72345" is a short code or an extension, not a valid phone number');
    expect(sent.stderr).toContain('texts to short codes are not possible');
  });

  it('names the phone number that a short code could be in the default country', async () => {
    const { run } = await openLiveOffice();
    const env = { UCCTL_DEFAULT_COUNTRY: 'FO' };
    for (const argv of ['sms thread 301234', 'message list --phone 301234', 'calllog list --phone 301234'])
      expect((await run(argv, { env })).stderr).toContain(
        'For the phone number +298301234, write the country code.',
      );
    for (const argv of ['sms thread 72345', 'calllog list --phone 72345'])
      expect((await run(argv, { env })).stderr).not.toContain('phone number');
  });

  it('shows threads oldest first', async () => {
    const office = await openLiveOffice();
    const [id = ''] = await write(office, 3);
    const { run } = office;
    expect(subjects((await run(`message thread ${id} -o json`)).stdout)).toEqual([
      'text-0',
      'text-1',
      'text-2',
    ]);
    expect(subjects((await run('sms thread +16505550112 -L 2 -o json')).stdout)).toEqual([
      'text-1',
      'text-2',
    ]);
    expect(subjects((await run('sms list -o json')).stdout)).toEqual(['text-2', 'text-1', 'text-0']);
  });

  it('lists voicemails with their length', async () => {
    const { run, sandbox } = await openLiveOffice();
    await sandbox.control('POST', '/triggers/voicemail', { to: '100', seconds: 12 });
    const { exit, stdout } = await run('voicemail list --unread --fields seconds,readStatus');
    expect([exit, stdout]).toEqual([0, '12\tUnread\n']);
    expect((await run('fax list -o json')).stdout).toBe('[]\n');
  });
});

it('spec:CURRENT-18 dialect current has no availability of single messages, and no type Text', async () => {
  const office = await openOffice('administrator', undefined, ':memory:', { dialect: 'current' });
  const run = (argv: string) => office.run(argv, { env: { UCCTL_DIALECT: 'current' } });
  const [id = '', other = ''] = await write(office, 2);
  expect((await run(`message delete ${id}`)).exit).toBe(0);
  expect(rows((await run(`message delete ${id} -o json`)).stdout)).toMatchObject([{ status: 'unchanged' }]);
  const hidden = await run(`message show ${id}`);
  expect([hidden.exit, hidden.stderr]).toEqual([
    3,
    expect.stringContaining('--availability Alive,Deleted,Purged'),
  ]);
  const deleted = await run(`message show ${id} ${other} --availability Deleted -o json`);
  expect([deleted.exit, rows(deleted.stdout)]).toMatchObject([8, [{ availability: 'Deleted' }]]);
  const text = await run('message list --type Text');
  expect([text.exit, text.stderr]).toEqual([
    2,
    expect.stringContaining('"Text" is not a valid message type'),
  ]);
  expect((await run('message list --type SMS')).exit).toBe(0);
  expect(office.sandbox.requestLog().flatMap(({ unread }) => unread)).toEqual([]);
});
