import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runUcctl } from '../support/run-ucctl.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { openOffice } from './office.ts';

it.each([
  ['sms send --to +16505550112 hi --wait-timeout 5s', '--wait-timeout requires --wait'],
  ['fax send --to +16505550112 --cover-text hi --wait-timeout 5s', '--wait-timeout requires --wait'],
  ['ringout start --to +16505550112 --wait-timeout 5s', '--wait-timeout requires --wait'],
  ['ringout start --to +16505550112 --interval 5s', '--interval requires --wait'],
  ['queue list --interval 5s', '--interval requires --watch'],
  ['calllog stats --database calls.sqlite', '--database requires --local'],
  ['calllog stats --parents', '--parents requires --report'],
  ['sms send --to +16505550112 hi --results sent.csv', '--results requires a list'],
  ['sms send --to +16505550112 hi --errors problems.csv', '--errors requires a list'],
  ['sms send --to +16505550112 hi --skip-invalid', '--skip-invalid requires a list'],
  ['sms send --to +16505550112 hi --max-errors 1', '--max-errors requires a list'],
  ['sms send --to +16505550112 hi --fail-fast', '--fail-fast requires a list'],
  ['sms send --to +16505550112 hi --map Who=to', '--map requires a list'],
  ['sms send --to +16505550112 hi --sheet People', '--sheet requires a list'],
  ['presence set 104 --message hi --skip-invalid', '--skip-invalid requires a list'],
  ['presence set 104 --message hi --errors problems.csv', '--errors requires a list'],
  ['outcome resolve 1 --all', 'outcome IDs and --all cannot be used together'],
])('%s is rejected, because an option would have no effect', async (words, problem) => {
  const { exit, stdout, stderr } = await runUcctl(`${words} --yes`);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(stderr).toContain(`error: ${problem}\n`);
});

it.each([
  ['events dlq --drop', '--drop'],
  ['events dlq --redeliver', '--redeliver'],
  ['events consumers crm --remove', '--remove'],
  ['events consumers crm --replay-from start', '--replay-from'],
  ['events receivers office --remove', '--remove'],
  ['sandbox delivery replay 17', 'ID'],
  ['fax status 4711 --wait', '--wait'],
])('%s is rejected with --watch, because it does not only read', async (words, option) => {
  const { exit, stdout, stderr } = await runUcctl(`${words} --watch`);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(stderr).toContain(`error: ${option} and --watch cannot be used together\n`);
});

it('presence set writes the results of one person, too', async () => {
  const { run } = await openOffice();
  const file = join(temporaryFolder(), 'results.csv');
  const { exit } = await run(['presence', 'set', '104', '--message', 'hi', '--results', file, '--yes']);
  expect(exit).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('104');
});
