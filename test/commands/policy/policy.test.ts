import * as fc from 'fast-check';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathsIn } from '../../support/paths.ts';
import type { HttpSend } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { openLiveOffice } from '../live-office.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ucctl-policy-'));
  await writeFile(join(folder, 'page.txt'), 'a page');
  await writeFile(
    join(folder, 'sms.json'),
    '{"from":{"phoneNumber":"+16505550110"},"to":[{"phoneNumber":"+16505550112"}],"text":"x"}',
  );
  await writeFile(join(folder, 'list.csv'), 'to,name\n+16505550113,Ann\n+16505550112,Bob\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const to = '+16505550112';
const sms = '/restapi/v1.0/account/~/extension/~/sms';

/** Every way in which something can reach that number. */
const reaching: readonly (readonly string[])[] = [
  ['sms', 'send', '--to', to, 'hello'],
  ['sms', 'send', '--to', '(650) 555-0112', 'hello'],
  ['sms', 'send', '--to', to, 'hello', '--wait', '--from', '+16505550110'],
  ['sms', 'send', '-f', 'list.csv', '--template', 'Hello {{name}}'],
  ['fax', 'send', '--to', `+16505550113,${to}`, 'page.txt'],
  ['fax', 'resend', '1', '--to', to],
  ['ringout', 'start', '--to', to],
  ['ringout', 'start', '--to', to, '--wait'],
  ['ringout', 'start', '--to', to, '--from-label', 'My mobile'],
  ['ringout', 'start', '--to', '+16505550113', '--from', to],
  ['api', 'POST', sms, '--input', 'sms.json'],
  ['api', 'POST', `${sms}/`, '--input', 'sms.json'],
  ['api', 'POST', sms.replace('/sms', '/%73ms'), '--input', 'sms.json'],
  ['api', 'POST', sms.replace('/sms', '/ring-out'), '--input', 'sms.json'],
  ['api', 'POST', sms.replace('/sms', '/fax'), '--input', 'page.txt', '--header', 'content-type:text/plain'],
];
/** What also changes something at the service. */
const changing: readonly (readonly string[])[] = [
  ['pager', 'send', '--to', '102', 'hello'],
  ['pager', 'reply', '1', 'hello'],
  ['ringout', 'cancel', '1'],
  ['fax', 'cancel', '1'],
  ['message', 'read', '1'],
  ['message', 'delete', '1'],
  ['message', 'purge', '--type', 'SMS'],
  ['message', 'restore', '1'],
  ['presence', 'set', '104', '--queue-calls', 'off'],
  ['queue', 'assign', '--queue', 'Support', '--add', '107'],
  ['subscribe', 'delete', 'x'],
  ['api', 'PUT', '/restapi/v1.0/account/~/extension/~/presence', '--field', 'message=x'],
  ['api', 'DELETE', '/restapi/v1.0/account/~/extension/~/message-store/1'],
];
const pages = [['pager', 'send', '--to', '102', 'hello']] as const;

/** Policies that forbid reaching the number, at nine in the morning UTC. */
const forbidding: readonly Readonly<Record<string, string>>[] = [
  { UCCTL_FORBID_PREFIXES: '+1650555011' },
  { UCCTL_FORBID_PREFIXES: `+49,${to}` },
  { UCCTL_ALLOW_PREFIXES: '+49,+1202', UCCTL_FORBID_PREFIXES: '+1900' },
  { UCCTL_QUIET_HOURS: '08:00-10:00 UTC' },
  { UCCTL_QUIET_HOURS: '22:00-09:01 UTC' },
  { UCCTL_MAX_PER_HOUR: '0' },
  { UCCTL_READ_ONLY: 'true' },
];

describe('the policy', () => {
  it('property: no command path reaches the transport when the policy forbids it', async () => {
    const { run, requests, sandbox } = await openLiveOffice();
    const forbidden = fc.oneof(
      fc.tuple(fc.constantFrom(...forbidding), fc.constantFrom(...reaching)),
      fc.tuple(fc.constantFrom(...forbidding.slice(3)), fc.constantFrom(...pages)),
      fc.tuple(fc.constant({ UCCTL_READ_ONLY: 'true' } as const), fc.constantFrom(...changing)),
    );
    await fc.assert(
      fc.asyncProperty(
        forbidden,
        fc.subarray(['--quiet', '--retry=0', '--debug']),
        async ([env, words], more) => {
          requests();
          const { exit, stdout, stderr } = await run([...words, '--yes', ...more], {
            env: { ...env, UCCTL_DEFAULT_COUNTRY: 'US' },
            cwd: folder,
          });
          expect([exit, stdout, requests(), words]).toEqual([9, '', [], words]);
          expect(stderr).toContain('blocked by the policy of this profile');
        },
      ),
      { seed: 11, numRuns: 150 },
    );
    expect(sandbox.messages()).toEqual([]);
  });

  it('every one of these paths is tried', async () => {
    const { run, requests } = await openLiveOffice();
    requests();
    for (const words of [...reaching, ...changing]) {
      const { exit } = await run([...words, '--yes'], {
        env: { UCCTL_READ_ONLY: '1', UCCTL_DEFAULT_COUNTRY: 'US' },
        cwd: folder,
      });
      expect([words, exit]).toEqual([words, 9]);
    }
    for (const words of reaching) {
      const { exit } = await run([...words, '--yes'], {
        env: { UCCTL_FORBID_PREFIXES: to, UCCTL_DEFAULT_COUNTRY: 'US' },
        cwd: folder,
      });
      expect([words, exit]).toEqual([words, 9]);
    }
    expect(requests()).toEqual([]);
  });

  it('permits what it does not forbid, including reads', async () => {
    const { run } = await openLiveOffice();
    const env = {
      UCCTL_ALLOW_PREFIXES: '+1650',
      UCCTL_QUIET_HOURS: '22:00-07:00 UTC',
      UCCTL_MAX_PER_HOUR: '9',
    };
    expect((await run(`sms send --to ${to} hello --yes`, { env })).exit).toBe(0);
    expect((await run('message list', { env: { UCCTL_READ_ONLY: 'true' } })).exit).toBe(0);
    expect(
      (await run(`api GET ${sms.replace('/sms', '/message-store')}`, { env: { UCCTL_READ_ONLY: 'true' } }))
        .exit,
    ).toBe(0);
    expect((await run(`sms send --to ${to} hello -n`, { env: { UCCTL_READ_ONLY: 'true' } })).exit).toBe(0);
  });

  it('counts messages of the last hour over all processes', async () => {
    const { run, sandbox } = await openLiveOffice();
    const paths = pathsIn(join(folder, 'hour'));
    const env = { UCCTL_MAX_PER_HOUR: '3' };
    const send = async (): Promise<number> =>
      (await run(`sms send --to ${to} hello --yes`, { env, paths })).exit;
    expect([await send(), await send()]).toEqual([0, 0]);
    expect(
      (await run('fax send --to +14155550100,+14155550101 page.txt --yes', { env, paths, cwd: folder })).exit,
    ).toBe(9);
    expect([await send(), await send()]).toEqual([0, 9]);
    const later = { env, paths, now: () => sandbox.clock.now() + 3_600_001 };
    expect((await run(`sms send --to ${to} hello --yes`, later)).exit).toBe(0);
  });

  it.each([
    [
      'message-threads/messages',
      (to: readonly string[]) => ({ to: to.map((phoneNumber) => ({ phoneNumber })), text: 'x' }),
    ],
    [
      'a2p-sms/batches',
      (to: readonly string[]) => ({ from: '+16505550110', messages: to.map((one) => ({ to: [one] })) }),
    ],
    ['some-new-way', (to: readonly string[]) => ({ to, text: 'x' })],
    ['chats/7/posts', (to: readonly string[]) => ({ to, text: 'x' })],
  ])('api POST %s applies forbidden numbers and counts by recipients', async (path, bodyTo) => {
    const sent: string[] = [];
    const accepting =
      (send: HttpSend): HttpSend =>
      (request) => {
        if (!request.url.pathname.endsWith(path)) return send(request);
        sent.push(request.method);
        return Promise.resolve(fakeReply({ status: 200, body: { id: 'b1' } }));
      };
    const { run } = await openLiveOffice('administrator', {}, accepting);
    const paths = pathsIn(join(folder, `api-${path.replaceAll('/', '-')}`));
    const post = async (to: readonly string[], env: Record<string, string>): Promise<number> => {
      const words = ['api', 'POST', `/restapi/v1.0/account/~/${path}`, '--input', '-', '--yes'];
      return (await run(words, { env, paths, stdin: JSON.stringify(bodyTo(to)) })).exit;
    };
    expect(await post([to, '+491700000000'], { UCCTL_FORBID_PREFIXES: '+49' })).toBe(9);
    expect(sent).toEqual([]);
    const env = { UCCTL_MAX_PER_HOUR: '4' };
    const three = [to, '+16505550113', '+16505550114'];
    expect([await post(three, env), await post([to, three[1] ?? ''], env), await post([to], env)]).toEqual([
      0, 9, 0,
    ]);
    expect(sent).toHaveLength(2);
  });

  it('concurrent processes together send no more than the limit', async () => {
    const { run, sandbox } = await openLiveOffice();
    const paths = pathsIn(join(folder, 'crowd'));
    const all = await Promise.all(
      Array.from({ length: 8 }, () =>
        run(`sms send --to ${to} hello --yes --from +16505550110`, {
          env: { UCCTL_MAX_PER_HOUR: '3' },
          paths,
        }),
      ),
    );
    expect(all.map(({ exit }) => exit).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 9, 9, 9, 9, 9]);
    expect(sandbox.messages(171_857_102)).toHaveLength(3);
  });

  it.each([
    ['fax', '2020-01-01T23:59:30Z', 'quiet hours: 00:00-23:59 UTC'],
    ['fax', '2099-01-01T23:59:30', 'ucctl cannot read the delivery time'],
    ['sms', '2099-01-01T23:59:30Z', 'quiet hours: 00:00-23:59 UTC'],
  ])('checks an api request for %s with sendTime %s against quiet hours', async (path, sendTime, reason) => {
    const { run, requests } = await openLiveOffice();
    requests();
    const fields = ['-f', `to[][phoneNumber]=${to}`, '-f', `sendTime=${sendTime}`];
    const env = { UCCTL_QUIET_HOURS: '00:00-23:59 UTC' };
    const words = ['api', 'POST', sms.replace('sms', path), ...fields, '--yes'];
    const { exit, stderr } = await run(words, { env });
    expect([exit, stderr]).toEqual([9, expect.stringContaining(reason)]);
    expect(requests()).toEqual([]);
  });

  it.each([
    'sms send --to +4402079460958 hello',
    'ringout start --to +4402079460958',
    'api POST {sms} -f to[][phoneNumber]=+4402079460958 -f text=hello',
  ])('applies to a number with a trunk prefix: %s', async (words) => {
    const { run, requests } = await openLiveOffice();
    requests();
    const { exit, stderr } = await run(`${words.replace('{sms}', sms)} --yes`, {
      env: { UCCTL_FORBID_PREFIXES: '+4420' },
    });
    expect([exit, stderr]).toEqual([9, expect.stringContaining('+4420 are forbidden: +442079460958')]);
    expect(requests()).toEqual([]);
  });

  it('policy test prints the result of the check, and sends nothing', async () => {
    const { run, requests } = await openLiveOffice();
    requests();
    const env = {
      UCCTL_FORBID_PREFIXES: '+1900',
      UCCTL_QUIET_HOURS: '22:00-07:00 UTC',
      UCCTL_DEFAULT_COUNTRY: 'US',
    };
    const yes = await run('policy test "(650) 555-0112" -o json', { env });
    expect([yes.exit, JSON.parse(yes.stdout)]).toEqual([0, { number: to, kind: 'sms', allowed: true }]);
    const no = await run('policy test +19005550112 --kind ringout -o json', { env });
    expect([no.exit, JSON.parse(no.stdout)]).toMatchObject([
      9,
      { allowed: false, reason: 'numbers with the prefix +1900 are forbidden: +19005550112' },
    ]);
    const trunk = await run('policy test +4402079460958 -o json', {
      env: { UCCTL_FORBID_PREFIXES: '+4420' },
    });
    expect([trunk.exit, JSON.parse(trunk.stdout)]).toMatchObject([
      9,
      { number: '+442079460958', reason: 'numbers with the prefix +4420 are forbidden: +442079460958' },
    ]);
    const night = await run(`policy test ${to} --at 2026-01-06T03:00:00Z -o json`, { env });
    expect([night.exit, JSON.parse(night.stdout)]).toMatchObject([
      9,
      { reason: 'quiet hours: 22:00-07:00 UTC' },
    ]);
    expect(requests()).toEqual([]);
  });

  it.each([
    ['a delay into the quiet hours', '2h', 9],
    ['a delay after the quiet hours', '11h', 0],
    ['a time in the quiet hours', '2026-01-05T11:00', 9],
    ['a time after the quiet hours', '2026-01-05T20:00', 0],
  ])('policy test and fax send agree about --at: %s', async (_, at, exit) => {
    const { run } = await openLiveOffice();
    const env = { UCCTL_QUIET_HOURS: '10:00-19:00 UTC', UCCTL_DEFAULT_COUNTRY: 'US' };
    const tested = await run(`policy test ${to} --kind fax --at ${at} -o json`, { env });
    expect([tested.exit, JSON.parse(tested.stdout)]).toMatchObject([exit, { allowed: exit === 0 }]);
    const sent = await run(`fax send --to ${to} --at ${at} page.txt --dry-run`, { cwd: folder, env });
    expect(sent.exit).toBe(exit);
  });

  it('policy test accepts a time in the past, and names the forms of --at', async () => {
    const { run } = await openLiveOffice();
    const env = { UCCTL_QUIET_HOURS: '22:00-07:00 UTC' };
    expect((await run(`policy test ${to} --at 2025-12-31T12:00:00Z`, { env })).exit).toBe(0);
    const { exit, stderr } = await run(`policy test ${to} --at soon`, { env });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('or a delay such as 2h')]);
  });

  it('is set in the profile, and an invalid rule blocks every command', async () => {
    const { run, requests } = await openLiveOffice();
    const paths = pathsIn(join(folder, 'profile'));
    const configNoun = (await import('../../../src/commands/config/noun.command.ts')).configNoun;
    const set = (key: string, value: string) =>
      run(['config', 'set', key, value], { paths, nouns: [configNoun] });
    expect((await set('forbid-prefixes', '+1650,+1900')).exit).toBe(0);
    expect((await set('forbid-prefixes', '1900')).exit).toBe(2);
    expect((await set('quiet-hours', 'at night')).exit).toBe(2);
    for (const wrong of ['25:00-07:00', '07:00-07:00', '22:00-07:00 Nowhere/Land'])
      expect((await set('quiet-hours', wrong)).exit).toBe(2);
    expect((await set('max-per-hour', 'many')).exit).toBe(2);
    expect((await set('read-only', 'false')).exit).toBe(0);
    expect((await run(`sms send --to ${to} hello --yes`, { paths })).exit).toBe(9);
    requests();
    const broken = await run(`sms send --to ${to} hello --yes`, {
      env: { UCCTL_QUIET_HOURS: '22:00-07:00 Nowhere/Land' },
    });
    expect([broken.exit, requests()]).toEqual([2, []]);
  });
});
