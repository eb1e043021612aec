import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { openOffice } from '../../commands/office.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';

/** A journal with three runs that were killed in the middle of their second request. */
async function openDesk() {
  const office = await openOffice();
  const paths = temporaryPaths();
  mkdirSync(paths.state, { recursive: true, mode: 0o700 });
  copyFileSync('test/fixtures/caa7557/runs.db', join(paths.state, 'runs.db'));
  const at = { paths, cwd: temporaryFolder(), env: { UCCTL_BASE_URL: 'http://127.0.0.1:24310' } };
  office.requests();
  return { office, paths, run: (words: string | readonly string[]) => office.run(words, at) };
}

describe('a run journal of commit caa7557', () => {
  it('is listed', async () => {
    const { run } = await openDesk();
    expect((await run('history list --fields id,state,ok,left')).stdout).toBe(
      '20261122-103956-eafb\topen\t1\t4\n20261122-103954-27ed\topen\t1\t2\n20261122-103952-697f\topen\t1\t2\n20261122-103950-6c19\tdone\t1\t0\n',
    );
  });

  it('is listed while another process writes to it', async () => {
    const { run, paths } = await openDesk();
    const writer = openDatabase(join(paths.state, 'runs.db'));
    onTestFinished(() => writer.close());
    writer.exec('BEGIN IMMEDIATE');
    const { exit, stdout } = await run('history list --fields id');
    expect([exit, stdout.trimEnd().split('\n').length]).toEqual([0, 4]);
  });

  it('has a run of texts that blocks its list and is resumed; sends in progress stay unknown', async () => {
    const { run, office } = await openDesk();
    const before = office.sandbox.messages(171_857_100).length;
    const file = join(process.cwd(), 'test/fixtures/caa7557/lists/texts.csv');
    const texts = ['sms', 'send', '-f', file, '--template', 'Hello {{name}}', '--from', '+16505550110'];
    const same = await run([...texts, '--yes']);
    expect([same.exit, same.stderr]).toEqual([11, expect.stringContaining('--resume 20261122-103956-eafb')]);
    const resumed = await run('sms send --resume last --yes');
    expect([resumed.exit, resumed.stdout.match(/\t(sent|unknown)\t/g)]).toEqual([
      14,
      ['sent', 'unknown', 'sent', 'sent', 'sent'].map((word) => `\t${word}\t`),
    ]);
    expect(office.sandbox.messages(171_857_100)).toHaveLength(before + 3);
  });

  it('has a run of assignments and one of presences that are resumed with the rows that they skipped', async () => {
    const { run, office } = await openDesk();
    for (const command of ['queue apply', 'presence set']) {
      const { exit, stderr } = await run(`${command} --resume last --yes`);
      expect([exit, stderr]).toEqual([8, expect.stringContaining('there is no')]);
    }
    expect(office.sandbox.members(171_857_203).map(({ extensionNumber }) => extensionNumber)).toEqual([
      '103',
      '107',
    ]);
  });
});
