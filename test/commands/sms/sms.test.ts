import { mkdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { runUcctl, type RunResult } from '../../support/run-ucctl.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { sandboxHttp, userOf } from '../../support/sandbox.ts';
import { openLiveOffice } from '../live-office.ts';
import { openOffice } from '../office.ts';

const to = '+16505550112';

describe('sms send', () => {
  it('sends from the only number of the user, after showing the message', async () => {
    const { run, sandbox } = await openOffice();
    const { exit, stdout, stderr } = await run([
      'sms',
      'send',
      '--to',
      to,
      'Your parcel is here',
      '--yes',
      '-o',
      'json',
    ]);
    expect([exit, stderr]).toEqual([
      0,
      `from +16505550110 to ${to}, 19 of 1000 UTF-16 units:\nYour parcel is here\n`,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'SMS',
      direction: 'Outbound',
      subject: 'Your parcel is here',
      from: { phoneNumber: '+16505550110' },
      to: [{ phoneNumber: to }],
    });
    expect(sandbox.messages(171_857_102)).toMatchObject([
      { subject: 'Your parcel is here', direction: 'Inbound' },
    ]);
  });

  it('reads the text from standard input without its last line break', async () => {
    const { run, sandbox } = await openOffice();
    expect((await run(`sms send --to ${to} -f - --yes`, { stdin: 'two\nlines\n' })).exit).toBe(0);
    expect(sandbox.messages(171_857_102)).toMatchObject([{ subject: 'two\nlines' }]);
  });

  it('reads the text from standard input for -', async () => {
    const { run, sandbox } = await openOffice();
    expect((await run(`sms send --to ${to} - --yes`, { stdin: 'two\nlines\n' })).exit).toBe(0);
    expect(sandbox.messages(171_857_102)).toMatchObject([{ subject: 'two\nlines' }]);
    const without = await run(`sms send --to ${to} - --yes`);
    expect(without).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('the text is empty') as string,
    });
  });

  it('rejects --template -, which would send the character to everyone', async () => {
    const { run, requests } = await openOffice();
    const { exit, stderr } = await run('sms send --file list.csv --template - --yes', { stdin: 'Hi' });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('--template cannot read standard input')]);
    expect(requests()).toEqual([]);
  });

  it('sends the line breaks of a file from Windows, or of an old Mac, as line feeds', async () => {
    const { run, sandbox } = await openOffice();
    for (const stdin of ['two\r\n\r\nlines\r\n', 'two\r\rlines\r'])
      expect((await run(`sms send --to ${to} -f - --yes`, { stdin })).exit).toBe(0);
    const sent = { subject: 'two\n\nlines' };
    expect(sandbox.messages(171_857_102)).toMatchObject([sent, sent]);
  });

  it.each([
    ['UTF-8 with a byte-order mark', Buffer.from('\uFEFFGrüße\n'), ''],
    ['UTF-16', Buffer.from('\uFEFFGrüße\r\n', 'utf16le'), 'standard input as UTF-16 (little endian)'],
    ['Windows-1252', Buffer.from('Grüße\n', 'latin1'), 'if the text looks wrong, save the file as UTF-8'],
  ])('sends a text of a file in %s unchanged', async (_, stdin, note) => {
    const { run, sandbox } = await openOffice();
    const { exit, stderr } = await run(`sms send --to ${to} -f - --yes`, { stdin });
    expect([exit, stderr]).toEqual([0, expect.stringContaining(note)]);
    expect(sandbox.messages(171_857_102)).toMatchObject([{ subject: 'Grüße' }]);
  });

  it('rejects a file that is not text', async () => {
    const { run, sandbox } = await openOffice();
    const stdin = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff]);
    const { exit, stderr } = await run(`sms send --to ${to} -f - --yes`, { stdin });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('not a text file; save it as UTF-8 text')]);
    expect(sandbox.messages()).toEqual([]);
  });

  it('needs a confirmation, and without a terminal --yes', async () => {
    const { run, sandbox } = await openOffice();
    const { exit, stderr } = await run(`sms send --to ${to} hello`);
    expect(exit).toBe(9);
    expect(stderr).toContain('--yes');
    expect(sandbox.messages()).toEqual([]);
  });

  it('shows the text under --quiet only before a confirmation', async () => {
    const { run } = await openOffice();
    expect((await run(`sms send --to ${to} hello -q`)).stderr).toContain(`to ${to}`);
    for (const flag of ['--yes', '-n'])
      expect(await run(`sms send --to ${to} hello -q ${flag}`)).toMatchObject({ exit: 0, stderr: '' });
  });

  it('with --force-number accepts a number of another length', async () => {
    const { run } = await openOffice();
    const dry = 'sms send --to +165055501123 hello -n -o json';
    expect((await run(dry)).exit).toBe(2);
    const forced = await run(`${dry} --force-number`);
    expect([forced.exit, forced.stdout]).toEqual([0, expect.stringContaining('+165055501123')]);
  });

  it('prints the request under --dry-run', async () => {
    const { run, sandbox } = await openOffice();
    const { exit, stdout } = await run(`sms send --to ${to} hello -n -o json`);
    expect([exit, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        method: 'POST',
        body: { from: { phoneNumber: '+16505550110' }, to: [{ phoneNumber: to }], text: 'hello' },
      },
    ]);
    expect(sandbox.messages()).toEqual([]);
  });

  it.each(['once', 'order:507f1f77bcf86cd799439011'])(
    'rejects a used --dedupe-key %s under --dry-run, too',
    async (name) => {
      const { run, sandbox } = await openOffice();
      const keyed = `sms send --to ${to} hello --yes --dedupe-key ${name}`;
      const own = { paths: temporaryPaths() };
      expect((await run(keyed, own)).exit).toBe(0);
      const sent = sandbox.messages();
      const { exit, stdout, stderr } = await run(`${keyed} --dry-run`, own);
      expect([exit, stdout]).toEqual([11, '']);
      expect(stderr).toContain(`an earlier request used the key "${name}" at`);
      expect((await run(`sms send --to ${to} hello --dedupe-key other --dry-run`, own)).exit).toBe(0);
      expect(sandbox.messages()).toEqual(sent);
    },
  );

  it('states the earlier send with the key in the JSON error', async () => {
    const { run } = await openOffice();
    const own = { paths: temporaryPaths() };
    const keyed = `sms send --to ${to} hello --yes -o json --dedupe-key k`;
    const { id } = JSON.parse((await run(keyed, own)).stdout) as { readonly id: number };
    const { exit, stderr } = await run(keyed, own);
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { readonly error: object };
    expect([exit, error]).toMatchObject([
      11,
      { code: 'duplicate', earlier: { outcome: 1, state: 'sent', id: String(id) } },
    ]);
  });

  it.each([
    ['1000 letters', 'x'.repeat(1000)],
    ['500 emoji', '😀'.repeat(500)],
  ])('sends %s', async (_, text) => {
    const { run, sandbox } = await openOffice();
    expect((await run(['sms', 'send', '--to', to, text, '--yes'])).exit).toBe(0);
    expect(sandbox.messages(171_857_102)).toMatchObject([{ subject: text }]);
  });

  it.each([
    ['1001 letters', 'x'.repeat(1001), 'the text has 1001 UTF-16 code units, but the maximum is 1000'],
    ['an emoji too many', `${'😀'.repeat(500)}x`, '1001 UTF-16 code units'],
    ['half an emoji too many', `${'x'.repeat(999)}😀`, '1001 UTF-16 code units'],
    ['nothing', ' \n', 'the text is empty'],
  ])('rejects %s before anything is sent', async (_, text, words) => {
    const { run, requests } = await openOffice();
    requests();
    const { exit, stdout, stderr } = await run(['sms', 'send', '--to', to, text, '--yes']);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
    expect(requests()).toEqual([]);
  });

  it.each(['6505550112', '+0650555', '0016505550112', '102', '+1650555011212345'])(
    'rejects the number %j before anything is sent',
    async (number) => {
      const { run, requests } = await openOffice();
      requests();
      for (const flags of [
        ['--to', number],
        ['--to', to, '--from', number],
      ]) {
        const { exit, stderr } = await run(['sms', 'send', ...flags, 'hello', '--yes']);
        expect(exit).toBe(2);
        const kind = number === '102' ? 'an extension, not a valid phone number' : 'not a valid phone number';
        expect(stderr).toContain(`"${number}" is ${kind}`);
      }
      expect(requests()).toEqual([]);
    },
  );

  it.each([
    ['Dana', 'write the number with + and the country code, as in +15551234567\n'],
    ['6505550112', 'or set the country: ucctl config set default-country US\n'],
  ])('suggests a default country for %j only if it would help', async (number, hint) => {
    const { run } = await openOffice();
    const { stderr } = await run(['sms', 'send', '--to', number, 'hello', '--yes']);
    expect(stderr).toContain(hint);
  });

  it.each([
    [`--to ${to} --yes`, 'the text is missing'],
    [`--to ${to} hello -f - --yes`, 'cannot be used together'],
    [`--to ${to} -f missing.txt --yes`, 'cannot read missing.txt'],
    ['hello --yes', '--to'],
  ])('with %s exits with 2', async (flags, words) => {
    const { run } = await openOffice();
    const { exit, stderr } = await run(`sms send ${flags}`);
    expect(exit).toBe(2);
    expect(stderr).toContain(words);
  });

  it('reports that no number can send', async () => {
    const { run } = await openOffice('105');
    const { exit, stderr } = await run(`sms send --to ${to} hello --yes`);
    expect(exit).toBe(3);
    expect(stderr).toContain('none of your numbers can send texts');
  });

  it('lists the numbers when several can send', async () => {
    const twice =
      (send: HttpSend): HttpSend =>
      async (request) => {
        const reply = await send(request);
        if (!request.url.pathname.endsWith('/phone-number')) return reply;
        const list = JSON.parse(await reply.text()) as { records: { id: number; phoneNumber: string }[] };
        const first = list.records.find(({ phoneNumber }) => phoneNumber === '+16505550110');
        const records = [...list.records, { ...first, id: 1, phoneNumber: '+16505550999', label: 'Second' }];
        return { ...reply, text: () => Promise.resolve(JSON.stringify({ records })) };
      };
    const { run, sandbox } = await openOffice('administrator', twice);
    const { exit, stderr } = await run(`sms send --to ${to} hello --yes`);
    expect(exit).toBe(2);
    expect(stderr).toContain('+16505550110 · DirectNumber\n  +16505550999 · DirectNumber · Second');
    expect(stderr).toContain('--from');
    expect(sandbox.messages()).toEqual([]);
  });

  it('exits with 14 if the reply is lost, having sent once', async () => {
    const losesAnswer =
      (send: HttpSend): HttpSend =>
      async (request) => {
        const reply = await send(request);
        if (request.method === 'POST')
          throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
        return reply;
      };
    const { run, sandbox } = await openOffice('administrator', losesAnswer);
    const { exit, stdout, stderr } = await run(`sms send --to ${to} hello --yes -o json`);
    expect([exit, stdout]).toEqual([14, '']);
    expect(JSON.parse(stderr.split('\n').at(-2) ?? '')).toMatchObject({
      error: { code: 'outcome_unknown', retryable: false },
    });
    expect(sandbox.messages(171_857_102)).toHaveLength(1);
  });

  it("shows the service's error", async () => {
    const { run } = await openOffice();
    const { exit, stdout, stderr } = await run(`sms send --to ${to} --from ${to} hello --yes`);
    expect([exit, stdout]).toEqual([1, '']);
    expect(stderr).toContain('does not belong to the extension [MSG-304, HTTP 403]');
    expect(stderr).toContain('to list the numbers that can send texts: ucctl sms numbers');
  });

  it('exits with 7 if the service is down', async () => {
    const down = (): HttpSend => (request) =>
      Promise.reject(new ConnectionError('ECONNREFUSED', 'no', request.url.origin, undefined));
    const { run } = await openOffice('administrator', down);
    expect((await run(`sms send --to ${to} --from +16505550110 hello --yes`)).exit).toBe(7);
  });
});

it('rejects a second recipient without --group, and names both ways to send to several', async () => {
  const { run, requests } = await openOffice();
  const { exit, stderr } = await run('sms send --to +16505550112 --to +16505550113 hello --yes');
  expect(exit).toBe(2);
  expect(stderr).toContain('--to has 2 numbers, but a text has one recipient');
  expect(stderr).toMatch(/add --group.*--file LIST with --template TEXT/s);
  expect(requests().filter((line) => line.endsWith('/sms'))).toEqual([]);
});

describe('sms numbers', () => {
  it('lists those that can send', async () => {
    const { run } = await openOffice();
    expect((await run('sms numbers')).stdout).toBe('+16505550110\tDirectNumber\t\tNormal\tUnited States\n');
  });

  it('omits records without a number, and lists a number without a country', async () => {
    const features = ['SmsSender'];
    const records = [
      { id: 1, features },
      { id: 2, phoneNumber: to, features },
    ];
    const only =
      (send: HttpSend): HttpSend =>
      (request) =>
        request.url.pathname.endsWith('/phone-number')
          ? Promise.resolve(fakeReply({ status: 200, body: { records } }))
          : send(request);
    const { run } = await openLiveOffice('administrator', {}, only);
    expect((await run('sms numbers')).stdout).toBe(`${to}\t\t\t\t\n`);
    const { stderr } = await run(`sms send --to ${to} hello --dry-run`);
    expect(stderr).toContain(`from ${to} to ${to}`);
  });

  it('reports an empty list on a terminal', async () => {
    const { run } = await openOffice('105');
    expect(await run('sms numbers', { terminal: true })).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'None of your numbers can send texts.\n',
    });
    expect((await run('sms numbers -o json')).stdout).toBe('[]\n');
  });
});

describe('sms send --wait', () => {
  it('spec:MESSAGE-33 to MESSAGE-37: ends with 0 at Delivered', async () => {
    const { run } = await openLiveOffice();
    const { exit, stdout } = await run(`sms send --to ${to} hello --yes --wait -o json`);
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { messageStatus: 'Delivered' }]);
  });

  it.each([
    ['+16505550190', 'SendingFailed', 'could not be sent'],
    ['+16505550191', 'DeliveryFailed', 'not delivered to the phone'],
    ['+16505550192', 'Sent', 'no delivery report arrived'],
    ['+16505550118', 'Sent', 'the service discards texts to Disabled or Frozen extensions'],
    ['+16505550119', 'Sent', 'the service discards texts to Disabled or Frozen extensions'],
  ])('spec:MESSAGE-33 to MESSAGE-37, SMS-7: to %s ends with 13 at %s', async (number, status, words) => {
    const { run, sandbox } = await openLiveOffice();
    const start = sandbox.clock.now();
    const { exit, stdout, stderr } = await run(
      `sms send --to ${number} hello --yes --wait --wait-timeout 30s -o json`,
    );
    expect([exit, JSON.parse(stdout)]).toMatchObject([13, { messageStatus: status }]);
    expect(JSON.parse(stderr.split('\n').at(-2) ?? '')).toMatchObject({
      error: { code: 'state_not_reached' },
    });
    expect(stderr).toContain(words);
    expect(sandbox.clock.now() - start).toBeLessThanOrEqual(30_000);
  });

  it('spec:CLIENT-20 at --wait-timeout a queued text exits with 13 and its last status', async () => {
    const { run } = await openLiveOffice('administrator', { messageProgression: 'manual' });
    const { exit, stderr } = await run(`sms send --to ${to} hello --yes --wait --wait-timeout 5s`);
    expect([exit, stderr]).toEqual([13, expect.stringContaining('still queued for sending')]);
  });

  it('stays within the limit of the light group', async () => {
    const { run, requests } = await openLiveOffice('administrator', { messageProgression: 'manual' });
    requests();
    await run(`sms send --to ${to} hello --yes --wait --wait-timeout 60s`);
    expect(
      requests().filter((line) => line.startsWith('GET') && line.includes('message-store')).length,
    ).toBeLessThan(20);
  });
});

it.each(['+1 (650) 555-0112', '(650) 555-0112', '1 650.555.0112'])(
  'spec:CLIENT-32 interprets %j with the country of the profile, and shows the result',
  async (typed) => {
    const { run, sandbox } = await openLiveOffice();
    const { exit, stderr } = await run(['sms', 'send', '--to', typed, 'hello', '--yes'], {
      env: { UCCTL_DEFAULT_COUNTRY: 'us' },
    });
    expect([exit, stderr]).toEqual([0, `from +16505550110 to ${to} (US), 5 of 1000 UTF-16 units:\nhello\n`]);
    expect(sandbox.messages(171_857_102)).toHaveLength(1);
  },
);

it.each([
  ['102', '+16505550100', 'to send from a company number, sign in as the Operator Extension'],
  ['102', '+16505550121', 'direct number of a queue, sign in as its manager'],
])('spec:SMS-5, SMS-6: as %s from %s the rejection is explained', async (who, from, words) => {
  const { run } = await openLiveOffice(who);
  const { exit, stderr } = await run(`sms send --to +16505550113 --from ${from} hello --yes`);
  expect([exit, stderr]).toEqual([1, expect.stringContaining(words)]);
});

it('spec:SMS-2: a recipient that cannot receive texts is explained', async () => {
  const { run } = await openLiveOffice();
  const { exit, stderr } = await run('sms send --to +16505550121 hello --yes');
  expect([exit, stderr]).toEqual([
    1,
    expect.stringContaining('only users and voicemail-only extensions can receive the message'),
  ]);
});

it('spec:CLIENT-32 stores --from in the profile after the first success', async () => {
  const { sandbox } = await openLiveOffice();
  const paths = temporaryPaths();
  const http = sandboxHttp(sandbox);
  const run = (words: string, stdin?: string): Promise<RunResult> =>
    runUcctl(words, {
      sandbox: { http, env: { UCCTL_BASE_URL: sandbox.url } },
      paths,
      now: () => sandbox.clock.now(),
      stdin,
    });
  const { username, password, extension } = userOf(sandbox, '100');
  const app = sandbox.ready.apps[0];
  const login = await runUcctl(
    [
      'login',
      '--flow',
      'password',
      '--username',
      username,
      '--extension',
      extension,
      '--store',
      'file',
      '--password-stdin',
      '--client-id',
      app?.clientId ?? '',
    ],
    {
      sandbox: { http, env: { UCCTL_BASE_URL: sandbox.url, UCCTL_CLIENT_SECRET: app?.clientSecret ?? '' } },
      paths,
      now: () => sandbox.clock.now(),
      stdin: password,
    },
  );
  expect(login.stderr + String(login.exit)).toMatch(/0$/);
  expect((await run(`sms send --to ${to} --from +16505550999 hello --yes`)).exit).toBe(1);
  const lock = join(paths.config, 'config.lock.db');
  await rm(lock);
  await mkdir(lock);
  const list = 'to\n+16505550112\n';
  for (const [words, stdin] of [
    [`sms send --to ${to} --from +16505550110 hello --yes`, undefined],
    ['sms send --file - --template hello --from +16505550110 --yes', list],
  ] as const) {
    const sent = await run(words, stdin);
    expect([sent.exit, sent.stderr]).toEqual([
      0,
      expect.stringContaining(
        'warning: could not store +16505550110 as the sender of this profile: cannot write the config file',
      ),
    ]);
    expect(sent.stdout).toContain(to);
  }
  await rmdir(lock);
  expect((await run(`sms send --to ${to} --from +16505550110 hello --yes`)).stderr).toContain(
    'Stored +16505550110 as the sender of this profile',
  );
  const again = await run(`sms send --to ${to} later --yes`);
  expect([again.exit, again.stderr]).toEqual([
    0,
    `from +16505550110 to ${to}, 5 of 1000 UTF-16 units:\nlater\n`,
  ]);
  expect((await run('config get sms-from')).stdout).toContain('+16505550110');
});

it('removes the trunk 0 of the sender in the setting sms-from', async () => {
  const { run } = await openOffice('102');
  const env = { UCCTL_SMS_FROM: '+4402079460958' };
  const { stdout } = await run(`sms send --to ${to} hello --dry-run -o json`, { env });
  expect(JSON.parse(stdout)).toMatchObject({ body: { from: { phoneNumber: '+442079460958' } } });
});
