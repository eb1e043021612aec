import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { withProcessLock } from '../../../src/platform/process-lock.ts';
import { openDatabase, openPrivateDatabase } from '../../../src/platform/sqlite.ts';
import type { SandboxOptions } from '../../../src/sandbox/index.ts';
import { userClient } from '../../sandbox/request.ts';
import { fakeReply } from '../../support/fake-service.ts';
import type { RunOptions, RunResult } from '../../support/run-ucctl.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const mailbox = '/account/~/extension/~/message-store';

/** The office with messages for 102, who is signed in, and a copy that outlives a run. */
async function openMailbox(
  texts: readonly string[],
  around?: (send: HttpSend) => HttpSend,
  who = '102',
  more: Partial<SandboxOptions> = {},
) {
  const office = await openOffice(who, around, undefined, more);
  const paths = temporaryPaths();
  const other = await userClient(office.sandbox, '103');
  const user = await userClient(office.sandbox, '102');
  const send = async (text: string) => {
    const body = { from: { phoneNumber: '+16505550113' }, to: [{ phoneNumber: '+16505550112' }], text };
    await other.post('/account/~/extension/~/sms', body);
    await office.sandbox.clock.advance(60_000);
  };
  for (const text of texts) await send(text);
  office.requests();
  return {
    ...office,
    user,
    send,
    file: join(paths.data, 'mailbox', 'default.sqlite'),
    paths,
    run: (argv: string | readonly string[], options: RunOptions = {}) =>
      office.run(argv, { paths, now: () => office.sandbox.clock.now(), ...options }),
  };
}

/** Replaces text in the replies of sync. */
function spoiled(change: (text: string) => string): (send: HttpSend) => HttpSend {
  return (send) => async (request) => {
    const reply = await send(request);
    if (!request.url.pathname.endsWith('/message-sync')) return reply;
    const text = change(await reply.text());
    return {
      ...reply,
      async *bytes() {
        yield new TextEncoder().encode(text);
      },
    };
  };
}

describe('sync', () => {
  it('copies everything, then new messages; without new messages in one request', async () => {
    const it = await openMailbox(['one', 'two']);
    const first = await it.run('sync -o json');
    expect([first.exit, first.stderr]).toEqual([0, '']);
    expect(JSON.parse(first.stdout)).toMatchObject([
      { mailbox: '171857102', syncType: 'FSync', received: 2, added: 2, errors: 0 },
    ]);
    expect(statSync(it.file).mode & 0o777).toBe(0o600);
    it.requests();
    expect(JSON.parse((await it.run('sync -o json')).stdout)).toMatchObject([
      { syncType: 'ISync', received: 0 },
    ]);
    expect(it.requests()).toEqual(['GET /account/~/extension/~/message-sync']);
    await it.send('three');
    expect(JSON.parse((await it.run('sync -o json')).stdout)).toMatchObject([{ added: 1 }]);
    expect((await it.run('sync search one three -o json')).stdout).toBe('[]\n');
    const three = await it.run(['sync', 'search', 'from:+1650555 three after:2026-01-01', '-o', 'json']);
    expect(JSON.parse(three.stdout)).toMatchObject([{ text: 'three', from: '+16505550113' }]);
    const number = await it.run(['sync', 'search', '(650) 555-0113'], { terminal: true });
    expect(number.stderr).toBe('No messages found. To search for the number, use with:"(650) 555-0113".\n');
    const key = await it.run('sync search sender:+1650', { terminal: true });
    expect(key.stderr).toContain('No messages found. sender: is not a filter; to list the filters:');
    expect((await it.run(['sync', 'search', 'with:"(650) 555-0113"', '-o', 'json'])).stdout).toContain(
      'three',
    );
  });

  it('repairs the copy if the service rejects the token, and reports the repair', async () => {
    const it = await openMailbox(['one', 'two']);
    await it.run('sync');
    const db = openDatabase(it.file);
    db.exec("UPDATE stream SET sync_token = 'lost'; DELETE FROM message WHERE subject = 'one'");
    db.close();
    const { exit, stdout, stderr } = await it.run('sync -o json');
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, [{ repaired: true, added: 1, unchanged: 1 }]]);
    expect(stderr).toBe(
      'the service rejected the sync token of mailbox 171857102; a full sync repaired the local mailbox copy: 2 received, 1 added, 0 changed, 0 no longer on the service\n',
    );
  });

  it.each([
    [200, 1, 'with an HTML page'],
    [400, 1, 'the service replied with HTTP 400'],
    [403, 1, 'the service replied with HTTP 403'],
    [404, 3, 'the service replied with HTTP 404'],
  ])(
    'keeps its token if another server, such as a sign-in page, answers with HTTP %i',
    async (status, code, words) => {
      let isOnline = true;
      const page = fakeReply({ status, headers: { 'content-type': 'text/html' }, body: 'page' });
      const it = await openMailbox(['one'], (send) => (request) => {
        const isPage = !isOnline && request.url.pathname.endsWith('/message-sync');
        return isPage ? Promise.resolve(page) : send(request);
      });
      await it.run('sync');
      isOnline = false;
      it.requests();
      const { exit, stderr } = await it.run('sync');
      expect([exit, stderr]).toEqual([code, expect.stringContaining(words)]);
      expect(it.requests()).toHaveLength(1);
      isOnline = true;
      expect(JSON.parse((await it.run('sync -o json')).stdout)).toMatchObject([{ syncType: 'ISync' }]);
    },
  );

  it('under --purge equals the service', async () => {
    const it = await openMailbox(['one', 'two', 'three']);
    await it.run('sync --on-delete purge');
    const [one, two] = it.sandbox.messages('171857102');
    await it.user.delete(`${mailbox}/${one?.id}`);
    await it.user.delete(`${mailbox}/${two?.id}?purge=true`);
    const { stdout } = await it.run('sync --on-delete purge -o json');
    expect(JSON.parse(stdout)).toMatchObject([{ deleted: 1, purged: 1 }]);
    expect((await it.run(['sync', 'sql', 'select text from v_message', '-o', 'tsv'])).stdout).toBe('three\n');
    expect((await it.run('sync verify --whole')).exit).toBe(0);
  });

  it('keeps a token for each type', async () => {
    const it = await openMailbox(['one']);
    const { stdout } = await it.run('sync --type SMS,Fax --since 2025-12-01 -o json');
    expect(JSON.parse(stdout)).toMatchObject([
      { type: 'SMS', syncType: 'FSync', added: 1 },
      { type: 'Fax', syncType: 'FSync', added: 0 },
    ]);
    const status = await it.run('sync status -o json');
    expect(JSON.parse(status.stdout)).toMatchObject([
      { type: 'SMS', messages: 1, errors: 0, lagSeconds: 0, dateFrom: '2025-12-01T00:00:00.000Z' },
      { type: 'Fax', messages: 0 },
    ]);
  });

  it('reads days of --since and of a search in the zone of --tz', async () => {
    const it = await openMailbox(['one']);
    await it.run('sync --type SMS --since 2025-12-01 --tz Asia/Tokyo');
    const status = await it.run('sync status -o json');
    expect(JSON.parse(status.stdout)).toMatchObject([{ dateFrom: '2025-11-30T15:00:00.000Z' }]);
    const today = new Date(it.sandbox.clock.now()).toISOString().slice(0, 10);
    const found = async (search: string) => (await it.run(`sync search ${search} -o tsv --no-header`)).stdout;
    expect(await found(`after:${today}`)).not.toBe('');
    expect(await found(`after:${today} --tz Etc/GMT+12`)).toBe('');
    const target = join(it.paths.data, 'today.csv');
    const exported = await it.run(
      `sync export --format csv --to ${target} --only after:${today} --tz Etc/GMT+12 -o json`,
    );
    expect(JSON.parse(exported.stdout)).toMatchObject({ messages: 0 });
  });

  it('states on a terminal how old the searched copy is', async () => {
    const it = await openMailbox(['one']);
    await it.run('sync');
    const search = async (minutes: number, terminal: boolean) => {
      const now = () => it.sandbox.clock.now() + minutes * 60_000;
      return (await it.run('sync search one', { terminal, now })).stderr;
    };
    expect(await search(15, true)).not.toContain('Copied');
    const note = 'To keep the copy up to date: ucctl sync --watch';
    expect(await search(16, true)).toContain(`Copied 16 minutes ago. ${note}`);
    expect(await search(16, true)).not.toContain('--extension');
    expect(await search(61, true)).toContain('Copied 1 hour ago.');
    expect(await search(3 * 24 * 60, true)).toContain('Copied 3 days ago.');
    expect(await search(16, false)).toBe('');
  });

  it('names the mailbox of the results that was copied longest ago', async () => {
    const it = await openMailbox(['one'], undefined, '100');
    await it.run('sync --extension 102 --extension 103');
    await it.sandbox.clock.advance(30 * 60_000);
    await it.run('sync --extension 103');
    const now = () => it.sandbox.clock.now() + 16 * 60_000;
    const search = async (words: string) =>
      (await it.run(`sync search ${words}`, { terminal: true, now })).stderr.replaceAll(/\s+/g, ' ');
    const note = 'To keep the copy up to date: ucctl sync --watch --extension';
    expect(await search('one')).toContain(`Mailbox 102 copied 46 minutes ago. ${note} 102`);
    expect(await search('one mailbox:103')).toContain(`Copied 16 minutes ago. ${note} 103`);
    expect(await search('one mailbox:102')).toContain(`Copied 46 minutes ago. ${note} 102`);
    const about = await search('nothing');
    expect(about).toContain(`Oldest mailbox copied 46 minutes ago. ${note} `);
    const [, extension = ''] = /--extension (\S+)/.exec(about) ?? [];
    const { stdout } = await it.run(`sync --extension ${extension} -o json`);
    expect(JSON.parse(stdout)).toMatchObject([{ mailbox: '102' }]);
  });

  it('spec:CLIENT-11 reports mailboxes without permission, and copies the rest', async () => {
    const it = await openMailbox(['one']);
    const { exit, stdout, stderr } = await it.run('sync --extension all -o json');
    const lines = JSON.parse(stdout) as { mailbox: string; problem?: string; added?: number }[];
    expect(exit).toBe(8);
    expect(lines.find((line) => line.mailbox === '102')).toMatchObject({ added: 1 });
    expect(lines.filter(({ problem }) => problem !== undefined).length).toBe(lines.length - 1);
    expect(stderr).toContain('could not read ');
  });

  it("copies other people's mailboxes for an administrator", async () => {
    const it = await openMailbox(['one'], undefined, 'administrator');
    const { exit, stdout } = await it.run('sync --extension 102 -o json');
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, [{ mailbox: '102', added: 1 }]]);
  });

  it('copies what it can, exits with 8, and retry fetches the rest', async () => {
    let broken = true;
    const spoil = spoiled((text) =>
      broken
        ? text
            .replace('"type":"SMS"', '"type":"SMS","creationTime":"?"')
            .replace(/"creationTime":"2026[^"]*",/, '')
        : text,
    );
    const it = await openMailbox(['one', 'two'], spoil);
    const first = await it.run('sync -o json');
    expect([first.exit, JSON.parse(first.stdout)]).toMatchObject([8, [{ added: 1, errors: 1 }]]);
    expect(first.stderr).toContain('ucctl sync retry');
    broken = false;
    const { exit, stdout } = await it.run('sync retry -o json');
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, [{ status: 'copied' }]]);
    expect((await it.run('sync verify')).exit).toBe(0);
    expect((await it.run('sync retry -o json')).stdout).toBe('[]\n');
  });

  it('spec:CURRENT-17 verify and retry read shared messages in the mailboxes of the queues', async () => {
    let broken = true;
    const spoil = spoiled((text) =>
      broken ? text.replaceAll(/"creationTime":"2[^"]*"/g, '"creationTime":"?"') : text,
    );
    const it = await openMailbox([], spoil, '102', { dialect: 'current' });
    const run = (line: string) => it.run(`${line} --dialect current -o json`);
    await it.sandbox.control('POST', '/triggers/voicemail', { to: '201' });
    expect(JSON.parse((await run('sync')).stdout)).toMatchObject([{ added: 0, errors: 1 }]);
    const { path } = it.sandbox.requestLog().find(({ operation }) => operation === 'syncMessages') ?? {};
    expect(path).toContain('&owner=Any&voicemailOwner=Any');
    broken = false;
    const { exit, stdout } = await run('sync retry');
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, [{ status: 'copied' }]]);
    it.requests();
    const verified = await run('sync verify');
    expect([verified.exit, verified.stderr]).toEqual([0, '']);
    expect(it.requests().map((line) => line.replace(/\d{10,}$/, 'ID'))).toEqual([
      'GET /account/~/extension/171857102/message-store/ID',
      'GET /account/~/call-queues',
      'GET /account/~/extension/171857201/message-store/ID',
    ]);
  });

  it('spec:CURRENT-17 a full sync in dialect spec does not remove shared messages', async () => {
    const it = await openMailbox([], undefined, '102', { dialect: 'current' });
    await it.sandbox.control('POST', '/triggers/voicemail', { to: '201' });
    const run = (line: string) => it.run(`sync ${line} -o json`);
    expect(JSON.parse((await run('--dialect current')).stdout)).toMatchObject([{ added: 1 }]);
    const personal = await run('--dialect spec --full --on-delete purge');
    expect(JSON.parse(personal.stdout)).toMatchObject([{ received: 0, vanished: 0 }]);
    const whole = await run('--dialect current --full');
    expect(JSON.parse(whole.stdout)).toMatchObject([{ unchanged: 1 }]);
  });

  it('keeps the old copy if the reply is truncated', async () => {
    let cut = false;
    const it = await openMailbox(
      ['one'],
      spoiled((text) => (cut ? text.slice(0, -20) : text)),
    );
    await it.run('sync');
    await it.send('two');
    cut = true;
    const { exit, stderr } = await it.run('sync');
    expect(exit).toBe(7);
    expect(stderr).toContain('the local mailbox copy is unchanged');
    expect((await it.run(['sync', 'sql', 'select count(*) n from message', '-o', 'tsv'])).stdout).toBe('1\n');
  });

  it('waits for a sync in progress, and reports it', async () => {
    const it = await openMailbox(['one']);
    let second: Promise<RunResult> | undefined;
    await withProcessLock(`${it.file}.lock`, {}, async () => {
      const said = new Promise<string>((resolve) => {
        second = it.run('sync', { onStderr: resolve });
      });
      expect(await said).toContain(`another sync is using ${it.file} (process ${process.pid}, since`);
    });
    expect((await second)?.exit).toBe(0);
  });

  it('copies attachments once, by their content, and checks their hashes', async () => {
    const it = await openMailbox([]);
    for (const from of ['101', '103']) {
      await it.sandbox.control('POST', '/triggers/voicemail', { to: '102', from });
    }
    const { exit, stdout } = await it.run('sync --media -o json');
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, [{ added: 2, media: 2 }]]);
    expect(JSON.parse((await it.run('sync --media -o json')).stdout)).toMatchObject([{ media: 0 }]);
    const verified = await it.run('sync verify -o json');
    expect(JSON.parse(verified.stdout)).toMatchObject([{}, {}, { check: 'attachments', wrong: 0 }, {}]);
  });

  it('fetches damaged or missing attachments again during a full sync', async () => {
    const it = await openMailbox([]);
    for (const from of ['101', '103']) {
      await it.sandbox.control('POST', '/triggers/voicemail', { to: '102', from });
    }
    await it.run('sync --media');
    const folder = `${it.file}.media`;
    const [first = '', second = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.length > 60)
      .map((name) => join(folder, name));
    const whole = readFileSync(first);
    writeFileSync(first, whole.subarray(0, 1000));
    rmSync(second);
    const damaged = await it.run('sync verify -o json');
    expect([damaged.exit, JSON.parse(damaged.stdout)]).toMatchObject([11, [{}, {}, { wrong: 2 }, {}]]);
    expect(damaged.stderr).toContain('ucctl sync --full --media');
    const { exit, stdout } = await it.run('sync --full --media -o json');
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, [{ media: 2 }]]);
    expect((await it.run('sync verify')).exit).toBe(0);
    expect(readFileSync(first).equals(whole)).toBe(true);
    expect(JSON.parse((await it.run('sync --full --media -o json')).stdout)).toMatchObject([{ media: 0 }]);
  });

  it('warns about an attachment of another size and type than its message states', async () => {
    const pdf = Buffer.from('%PDF-1.7 something');
    const headers = { 'content-type': 'audio/mpeg', 'content-length': String(pdf.length) };
    const it = await openMailbox([], (send) => async (request) => {
      const isContent = request.url.pathname.includes('/content/');
      return isContent ? fakeReply({ status: 200, headers, body: pdf }) : send(request);
    });
    await it.sandbox.control('POST', '/triggers/voicemail', { to: '102', from: '101' });
    const { exit, stdout, stderr } = await it.run('sync --media -o json');
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, [{ added: 1, media: 1 }]]);
    const address = /^warning: (attachment http:\S+\/message-store\/\d+\/content\/\d+): /.exec(stderr)?.[1];
    expect(stderr).toMatch(/: the content has 18 bytes, but the service stated \d+ bytes; compare a second/);
    expect(stderr).toContain(`warning: ${address}: the content is pdf, not audio/x-wav\n`);
  });

  it('sends the token for attachments only to the service, and reports another host that requires it', async () => {
    const elsewhere = spoiled((text) =>
      text.replaceAll(/"uri":"https?:\/\/[^/"]+(\/[^"]*\/content\/)/g, '"uri":"https://elsewhere.example$1'),
    );
    const tokens: (string | undefined)[] = [];
    const it = await openMailbox([], (send) =>
      elsewhere((request) => {
        if (request.url.host === 'elsewhere.example') tokens.push(request.headers['authorization']);
        return send(request);
      }),
    );
    await it.sandbox.control('POST', '/triggers/voicemail', { to: '102', from: '101' });
    const { exit, stdout, stderr } = await it.run('sync --media -o json');
    expect([exit, JSON.parse(stdout)]).toMatchObject([8, [{ added: 1, media: 0, mediaErrors: 1 }]]);
    expect(stderr).toMatch(
      /could not copy 1 attachment of mailbox 171857102: .*media-hosts elsewhere\.example/,
    );
    expect(tokens).toEqual([undefined]);
  });

  it('resumes an attachment where an interrupted run ended', async () => {
    const asked: (string | undefined)[] = [];
    let cutAfter: number | undefined = 3000;
    const it = await openMailbox([], (send) => async (request) => {
      const reply = await send(request);
      if (!request.url.pathname.includes('/content/')) return reply;
      asked.push(request.headers['range']);
      const limit = cutAfter;
      if (limit === undefined) return reply;
      return {
        ...reply,
        async *bytes() {
          let left = limit;
          for await (const chunk of reply.bytes()) {
            yield chunk.subarray(0, left);
            left -= chunk.length;
            if (left <= 0) throw new Error('the plug was pulled');
          }
        },
      };
    });
    await it.sandbox.control('POST', '/triggers/voicemail', { to: '102', from: '101' });
    const first = await it.run('sync --media -o json');
    expect(JSON.parse(first.stdout)).toMatchObject([{ added: 1, media: 0 }]);
    cutAfter = undefined;
    expect(JSON.parse((await it.run('sync --media -o json')).stdout)).toMatchObject([{ media: 1 }]);
    expect(asked.at(-1)).toMatch(/^bytes=3000-/);
    expect((await it.run('sync verify --sample 0')).exit).toBe(0);
    expect(existsSync(`${it.file}.media/unfinished`)).toBe(false);
  });

  it('verify --sample ignores a member that only the reply to a read of one message has', async () => {
    const it = await openMailbox(['one', 'two'], undefined, '102', { dialect: 'current' });
    const env = { UCCTL_DIALECT: 'current' };
    expect(await it.run('sync', { env })).toMatchObject({ exit: 0 });
    expect(await it.run('sync verify --sample 10', { env })).toMatchObject({ exit: 0 });
  });

  it('verify reports a copy that differs', async () => {
    const it = await openMailbox(['one', 'two']);
    await it.run('sync');
    const [one] = it.sandbox.messages('171857102');
    await it.user.put(`${mailbox}/${one?.id}`, { readStatus: 'Read' });
    for (const how of ['--whole', '--sample 10']) {
      const { exit, stderr } = await it.run(`sync verify ${how}`);
      expect(exit).toBe(11);
      expect(stderr).toContain('the local mailbox copy has errors or differences');
    }
  });

  it('sync sql names the columns also without rows, so that its csv is a list', async () => {
    const it = await openMailbox(['one']);
    await it.run('sync');
    const { exit, stdout } = await it.run('sync sql "select id, text from v_message where id < 0" -o csv');
    expect([exit, stdout]).toEqual([0, 'id,text\r\n']);
  });

  it('sync sql shows the columns in the order of the statement, and selects them by any name', async () => {
    const it = await openMailbox(['one']);
    await it.run('sync');
    const run = async (flags: string) => {
      const { exit, stdout } = await it.run(`sync sql 'select 5 as "2", 6 as "1", 7 as "a.b"' ${flags}`);
      return [exit, stdout];
    };
    expect(await run('-o csv')).toEqual([0, '2,1,a.b\r\n5,6,7\r\n']);
    expect(await run('-o ndjson --fields a.b,2')).toEqual([0, '{"2":5,"a.b":7}\n']);
  });

  it.each([
    ['sync sql "delete from message"', 'accepts only read statements'],
    ['sync sql "with x as (select 1) delete from message"', 'readonly'],
    ['sync sql "select 1 as a, 2 as b, 3 as a"', 'the result has several columns named "a"'],
    ['sync sql "select id, text as id from v_message where id < 0"', 'several columns named "id"'],
    ['sync sql "select missing"', 'no such column'],
    ['sync search type:', 'type: the value is missing'],
    ['sync search after:soon', 'after: "soon" is not a valid time'],
    [
      'sync search before:6M',
      'before: "6M" is not a valid time; write 6 minutes as 6m; for 6 months, use 180d or a date',
    ],
    ['sync search type:foo', 'type: "foo" is not a valid message type; use sms, text, fax, pager, voicemail'],
    ['sync --since soon', '--since: "soon" is not a valid time'],
  ])('%s exits with 2', async (line, words) => {
    const it = await openMailbox(['one']);
    await it.run('sync');
    const { exit, stderr } = await it.run(line);
    expect(exit).toBe(2);
    expect(stderr).toContain(words);
  });

  it('sync sql lists the tables for a missing name, but not for other mistakes', async () => {
    const it = await openMailbox(['one']);
    await it.run('sync');
    const hint = async (statement: string): Promise<string | undefined> => {
      const { stderr } = await it.run(['sync', 'sql', statement, '-o', 'json']);
      return (JSON.parse(stderr) as { readonly error: { readonly hint?: string } }).error.hint;
    };
    const tables = expect.stringMatching(/^to list the tables and views: ucctl sync sql /) as string;
    for (const name of ['select missing', 'select * from v_messages'])
      expect(await hint(name)).toEqual(tables);
    expect(await hint('with x as (select 1) delete from message')).toMatch(
      /^for other statements, use sqlite3 /,
    );
    for (const other of ['select no_such_function(1)', 'select 1 +'])
      expect(await hint(other)).toBeUndefined();
  });

  it.each(['sync', 'sync --extension all', 'sync --watch', 'calllog sync'])(
    'leaves no empty copy behind when %s has no session',
    async (line) => {
      const it = await openMailbox(['one']);
      const { exit } = await it.run(line, { env: { UCCTL_TOKEN: undefined, UCCTL_STORE: 'file' } });
      expect([exit, existsSync(it.file)]).toEqual([4, false]);
      const status = await it.run('sync status');
      expect([status.exit, status.stderr]).toEqual([
        3,
        expect.stringContaining('no local mailbox copy found'),
      ]);
    },
  );

  it.each([
    ['a missing copy', () => undefined],
    [
      'a copy without tables, as after an interrupted first sync',
      (file: string) => openPrivateDatabase(file).close(),
    ],
  ])('reports %s', async (_, create) => {
    const it = await openMailbox([]);
    create(it.file);
    for (const line of ['sync status', 'sync search x', 'sync sql "select 1"', 'sync verify']) {
      const { exit, stderr } = await it.run(line);
      expect([exit, stderr.includes('ucctl sync')]).toEqual([3, true]);
    }
  });
});

describe('sync export and erase', () => {
  it('writes a file, and asks before it erases', async () => {
    const it = await openMailbox(['one', 'two']);
    await it.run('sync');
    const target = join(it.paths.data, 'm.csv');
    const { exit, stdout } = await it.run([
      'sync',
      'export',
      '--format',
      'csv',
      '--to',
      target,
      '-o',
      'json',
    ]);
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { messages: 2, incremental: false, target }]);
    const unconfirmed = await it.run('sync erase --phone +16505550113');
    expect(unconfirmed.exit).toBe(9);
    const preview = await it.run('sync erase --phone +1-650-555-0113 -n -o json');
    expect(JSON.parse(preview.stdout)).toMatchObject({ erased: false, messages: 2, exports: [target] });
    expect(preview.stderr).toContain('+16505550113: 2 messages, 0 older versions, 0 attachments');
    expect((await it.run('sync erase --phone +16505550113 --yes')).exit).toBe(0);
    expect((await it.run(['sync', 'sql', 'select count(*) n from v_message', '-o', 'tsv'])).stdout).toBe(
      '0\n',
    );
    expect((await it.run('sync verify --sample 0')).exit).toBe(0);
  });

  it('of search results continues only with the same search', async () => {
    const it = await openMailbox(['one', 'two']);
    await it.run('sync');
    const target = join(it.paths.data, 'm.ndjson');
    const exported = (only: string, ...more: readonly string[]) =>
      it.run(['sync', 'export', '--format', 'ndjson', '--to', target, '--only', only, '-o', 'json', ...more]);
    expect(JSON.parse((await exported('from:+1650 one is:in')).stdout)).toMatchObject({ messages: 1 });
    await it.send('one more');
    await it.run('sync');
    const next = await exported('from:+1650 one is:in');
    expect(JSON.parse(next.stdout)).toMatchObject({ messages: 1, incremental: true });
    expect(readFileSync(target, 'utf8').match(/"subject":"one/g)).toHaveLength(2);
    const other = await exported('two');
    expect([other.exit, other.stderr.includes('--fresh')]).toEqual([11, true]);
    expect(JSON.parse((await exported('two', '--fresh')).stdout)).toMatchObject({ messages: 1 });
  });

  it.each(['csv', 'ndjson', 'parquet', 'mbox', 'html'])('writes %s of a selection', async (format) => {
    const it = await openMailbox(['one', 'two']);
    await it.run('sync');
    const target = join(it.paths.data, 'out');
    const argv = [
      'sync',
      'export',
      '--format',
      format,
      '--to',
      target,
      '--only',
      'two type:sms',
      '-o',
      'json',
    ];
    expect(JSON.parse((await it.run(argv)).stdout)).toMatchObject({ messages: 1, format });
  });

  it.each([
    ['sync export --format xls --to x', 2],
    ['sync export --format csv --to x --only type:', 2],
    ['sync export --format csv --to -', 2],
    ['sync export --format csv --to /dev/null', 2],
    ['sync export --format html --to /dev/null', 2],
    ['sync export --format csv --to x', 3],
    ['sync erase --phone 103', 2],
  ])('%s exits with %i', async (line, code) => {
    const it = await openMailbox([]);
    expect((await it.run(line)).exit).toBe(code);
  });
});
