import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { openOffice } from '../office.ts';

const env = (url: string) => ({ UCCTL_BASE_URL: url, UCCTL_DIALECT: 'current' });

async function open(who = 'administrator') {
  const office = await openOffice(who, undefined, ':memory:', { dialect: 'current' });
  const { sandbox } = office;
  const [cwd, paths] = [temporaryFolder(), temporaryPaths()];
  const options = {
    cwd,
    paths,
    now: () => sandbox.clock.now(),
    env: env(sandbox.url),
    sleep: async (milliseconds: number) => {
      await sandbox.clock.advance(milliseconds);
    },
  };
  const run = (argv: string, more = {}) => office.run(argv, { ...options, ...more });
  return { ...office, run, cwd };
}

describe('message report', () => {
  it('waits for the report, lists its files, and download stores them', async () => {
    const { run, cwd, sandbox } = await open();
    await sandbox.control('POST', '/triggers/voicemail', { to: '102' });
    await sandbox.control('POST', '/triggers/voicemail', { to: '103' });
    const report = await run('message report --type VoiceMail -o csv');
    expect([report.exit, report.stdout.trim().split('\n').length]).toEqual([0, 3]);
    const stored = await run('download -f - --dir reports', { stdin: report.stdout });
    expect([stored.exit, stored.stderr]).toEqual([0, expect.any(String)]);
    const names = readdirSync(join(cwd, 'reports')).filter((name) => name !== 'SHA256SUMS');
    const types = names.map((name) => {
      const line = gunzipSync(readFileSync(join(cwd, 'reports', name))).toString();
      return (JSON.parse(line) as { readonly type: string }).type;
    });
    expect(types).toEqual(['VoiceMail', 'VoiceMail']);
  });

  it('ends after --wait-timeout with the command that continues', async () => {
    const { run, sandbox } = await open();
    await sandbox.control('POST', '/triggers/voicemail', { to: '102' });
    const early = await run('message report --wait-timeout 1s');
    expect(early.exit).toBe(13);
    const [, id = ''] = /ucctl message report --id (\S+)/.exec(early.stderr) ?? [];
    await sandbox.clock.advance(60_000);
    const later = await run(`message report --id ${id} -o json`);
    expect([later.exit, JSON.parse(later.stdout)]).toEqual([0, [expect.objectContaining({ report: id })]]);
  });

  it('waits as long as requested if the clock is set forward meanwhile', async () => {
    const { run, sandbox } = await open();
    await sandbox.control('POST', '/triggers/voicemail', { to: '102' });
    const begin = sandbox.clock.now();
    const elapsed = () => sandbox.clock.now() - begin;
    const now = () => sandbox.clock.now() + (elapsed() > 0 ? 86_400_000 : 0);
    expect((await run('message report --wait-timeout 10m', { elapsed, now })).exit).toBe(0);
  });

  it.each([
    ['AttemptFailed', true],
    ['Failed', false],
  ])(
    'with the status %s ends, and names the command that reads it later: %s',
    async (status, mayContinue) => {
      const office = await openOffice(
        'administrator',
        (send) => (request) =>
          request.url.pathname.endsWith('-report/5')
            ? Promise.resolve(fakeReply({ status: 200, body: { id: '5', status } }))
            : send(request),
        ':memory:',
        { dialect: 'current' },
      );
      const { exit, stderr } = await office.run('message report --id 5', { env: env(office.sandbox.url) });
      expect([exit, stderr]).toEqual([13, expect.stringContaining(`report 5 has the status ${status}`)]);
      expect(stderr.includes('ucctl message report --id 5')).toBe(mayContinue);
    },
  );

  it.each([
    [500, { message: 'failed' }],
    [202, undefined],
    [202, { login: 'https://wifi.example' }],
    [200, { id: '5' }],
    [202, { id: '5', status: 'Accepted', errorCode: 'CMN-101' }],
  ])('requests a report once, and does not know its outcome after HTTP %i %j', async (status, body) => {
    let posts = 0;
    const office = await openOffice(
      'administrator',
      (send) => (request) => {
        if (request.method !== 'POST' || !request.url.pathname.endsWith('-report')) return send(request);
        posts += 1;
        return Promise.resolve(fakeReply({ status, body }));
      },
      ':memory:',
      { dialect: 'current' },
    );
    const { exit, stderr } = await office.run('message report', { env: env(office.sandbox.url) });
    expect([exit, posts, stderr]).toEqual([14, 1, expect.stringContaining('may be creating a report')]);
  });

  it('requests a report also in a read-only profile, because it changes nothing', async () => {
    const { run, sandbox } = await open();
    const all = { ...env(sandbox.url), UCCTL_READ_ONLY: 'true' };
    expect((await run('message report', { env: all })).exit).toBe(0);
  });

  it('explains an unknown report, a missing permission and the other dialect', async () => {
    const { run } = await open();
    const unknown = await run('message report --id 9');
    expect([unknown.exit, unknown.stderr]).toEqual([3, expect.stringContaining('report 9 not found')]);
    const user = await open('102');
    expect((await user.run('message report')).exit).toBe(5);
    expect((await run('message report --dialect spec')).exit).toBe(2);
  });

  it('is allowed by a policy that only reads', async () => {
    const { run, sandbox } = await open();
    const { exit } = await run('message report -o json', {
      env: { ...env(sandbox.url), UCCTL_READ_ONLY: 'true' },
    });
    expect(exit).toBe(0);
  });
});
