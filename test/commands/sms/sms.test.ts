import { describe, expect, it } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import { runUcctl, type RunResult } from '../../support/run-ucctl.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { sandboxHttp, userOf } from '../../support/sandbox.ts';
import { openLiveOffice } from '../live-office.ts';
import { openOffice } from '../office.ts';

const to = '+16505550112';

describe('sms send', () => {
  it("sends from one's only number, after saying what it will do", async () => {
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

  it('takes the text from standard input without its last line break', async () => {
    const { run, sandbox } = await openOffice();
    expect((await run(`sms send --to ${to} -f - --yes`, { stdin: 'two\nlines\n' })).exit).toBe(0);
    expect(sandbox.messages(171_857_102)).toMatchObject([{ subject: 'two\nlines' }]);
  });

  it('needs a confirmation, and without a terminal --yes', async () => {
    const { run, sandbox } = await openOffice();
    const { exit, stderr } = await run(`sms send --to ${to} hello`);
    expect(exit).toBe(9);
    expect(stderr).toContain('--yes');
    expect(sandbox.messages()).toEqual([]);
  });

  it('shows the text under --quiet before a question, and not where none follows', async () => {
    const { run } = await openOffice();
    expect((await run(`sms send --to ${to} hello -q`)).stderr).toContain(`to ${to}`);
    for (const flag of ['--yes', '-n'])
      expect(await run(`sms send --to ${to} hello -q ${flag}`)).toMatchObject({ exit: 0, stderr: '' });
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

  it.each([
    ['1000 letters', 'x'.repeat(1000)],
    ['500 emoji', '😀'.repeat(500)],
  ])('sends %s', async (_, text) => {
    const { run, sandbox } = await openOffice();
    expect((await run(['sms', 'send', '--to', to, text, '--yes'])).exit).toBe(0);
    expect(sandbox.messages(171_857_102)).toMatchObject([{ subject: text }]);
  });

  it.each([
    ['1001 letters', 'x'.repeat(1001), 'the text has 1001 UTF-16 code units; at most 1000 can be sent'],
    ['an emoji too many', `${'😀'.repeat(500)}x`, '1001 UTF-16 code units'],
    ['half an emoji too many', `${'x'.repeat(999)}😀`, '1001 UTF-16 code units'],
    ['nothing', ' \n', 'the text is empty'],
  ])('refuses %s before anything is sent', async (_, text, words) => {
    const { run, requests } = await openOffice();
    requests();
    const { exit, stdout, stderr } = await run(['sms', 'send', '--to', to, text, '--yes']);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
    expect(requests()).toEqual([]);
  });

  it.each(['6505550112', '+0650555', '0016505550112', '102', '+1650555011212345'])(
    'refuses the number %j before anything is sent',
    async (number) => {
      const { run, requests } = await openOffice();
      requests();
      for (const flags of [
        ['--to', number],
        ['--to', to, '--from', number],
      ]) {
        const { exit, stderr } = await run(['sms', 'send', ...flags, 'hello', '--yes']);
        expect(exit).toBe(2);
        expect(stderr).toContain(`"${number}" is not an E.164 number`);
      }
      expect(requests()).toEqual([]);
    },
  );

  it.each([
    [`--to ${to} --yes`, 'there is no text to send'],
    [`--to ${to} hello -f - --yes`, 'cannot be given together'],
    [`--to ${to} -f missing.txt --yes`, 'cannot read missing.txt'],
    ['hello --yes', '--to'],
  ])('with %s ends with 2', async (flags, words) => {
    const { run } = await openOffice();
    const { exit, stderr } = await run(`sms send ${flags}`);
    expect(exit).toBe(2);
    expect(stderr).toContain(words);
  });

  it('says so when no number can send', async () => {
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

  it('ends with 14 when the answer is lost, having sent once', async () => {
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

  it("passes on the service's refusal", async () => {
    const { run } = await openOffice();
    const { exit, stdout, stderr } = await run(`sms send --to ${to} --from ${to} hello --yes`);
    expect([exit, stdout]).toEqual([1, '']);
    expect(stderr).toContain('does not belong to the extension [MSG-304, HTTP 403]');
    expect(stderr).toContain('try:     numbers that can send texts: ucctl sms numbers');
  });

  it('ends with 7 when the service is down', async () => {
    const down = (): HttpSend => (request) =>
      Promise.reject(new ConnectionError('ECONNREFUSED', 'no', request.url.origin, undefined));
    const { run } = await openOffice('administrator', down);
    expect((await run(`sms send --to ${to} --from +16505550110 hello --yes`)).exit).toBe(7);
  });
});

it('refuses a second recipient instead of dropping the first', async () => {
  const { run, requests } = await openOffice();
  const { exit, stderr } = await run('sms send --to +16505550112 --to +16505550113 hello --yes');
  expect(exit).toBe(2);
  expect(stderr).toContain('--to was given 2 times');
  expect(requests().filter((line) => line.endsWith('/sms'))).toEqual([]);
});

describe('sms numbers', () => {
  it('lists those that can send', async () => {
    const { run } = await openOffice();
    expect((await run('sms numbers')).stdout).toBe('+16505550110\tDirectNumber\t\tNormal\tUnited States\n');
  });

  it('says on a terminal that there is none', async () => {
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
    ['+16505550191', 'DeliveryFailed', 'not delivered to the handset'],
    ['+16505550192', 'Sent', 'no delivery report'],
    ['+16505550118', 'Sent', 'dropped and stays in your outbox only'],
    ['+16505550119', 'Sent', 'dropped and stays in your outbox only'],
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

  it('spec:CLIENT-20 at --wait-timeout a queued text ends with 13 and its last status', async () => {
    const { run } = await openLiveOffice('administrator', { messageProgression: 'manual' });
    const { exit, stderr } = await run(`sms send --to ${to} hello --yes --wait --wait-timeout 5s`);
    expect([exit, stderr]).toEqual([13, expect.stringContaining('still queued for sending')]);
  });

  it('stays inside the light group', async () => {
    const { run, requests } = await openLiveOffice('administrator', { messageProgression: 'manual' });
    requests();
    await run(`sms send --to ${to} hello --yes --wait --wait-timeout 60s`);
    expect(
      requests().filter((line) => line.startsWith('GET') && line.includes('message-store')).length,
    ).toBeLessThan(20);
  });
});

it.each(['+1 (650) 555-0112', '(650) 555-0112', '1 650.555.0112'])(
  'spec:CLIENT-32 understands %j with the country of the profile, and shows what it understood',
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
  ['102', '+16505550100', "the company number is the Operator Extension's"],
  ['102', '+16505550121', "a queue's direct number needs a sign-in as the queue's manager"],
])('spec:SMS-5, SMS-6: as %s from %s the refusal is explained', async (who, from, words) => {
  const { run } = await openLiveOffice(who);
  const { exit, stderr } = await run(`sms send --to +16505550113 --from ${from} hello --yes`);
  expect([exit, stderr]).toEqual([1, expect.stringContaining(words)]);
});

it('spec:SMS-2: what cannot receive texts is explained', async () => {
  const { run } = await openLiveOffice();
  const { exit, stderr } = await run('sms send --to +16505550121 hello --yes');
  expect([exit, stderr]).toEqual([
    1,
    expect.stringContaining('texts reach users and voicemail-only extensions'),
  ]);
});

it('spec:CLIENT-32 remembers --from in the profile, once it worked', async () => {
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
  expect((await run(`sms send --to ${to} --from +16505550110 hello --yes`)).stderr).toContain(
    'from +16505550110 from now on',
  );
  const again = await run(`sms send --to ${to} hello --yes`);
  expect([again.exit, again.stderr]).toEqual([
    0,
    `from +16505550110 to ${to}, 5 of 1000 UTF-16 units:\nhello\n`,
  ]);
  expect((await run('config get sms-from')).stdout).toContain('+16505550110');
});
