import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hoursNoun } from '../../../src/commands/hours/noun.command.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { withMembers } from '../../support/without-members.ts';
import { nouns, openOffice } from '../office.ts';

type Members = Readonly<Record<string, unknown>>;

/** Values of Support, of Dana and of each Tuesday, which the service returns instead of its own. */
interface Returned {
  queue?: Members;
  level?: Members;
  person?: Members;
  contact?: Members;
  tuesday?: Members | undefined;
}

/** An office whose service returns other values, which may change between commands. */
async function open(returned: Returned) {
  const isOf = (value: unknown, id: string): value is Members =>
    typeof value === 'object' && value !== null && String((value as Members)['id']) === id;
  const changing = withMembers((name, value) => {
    if (name === 'tuesday' && returned.tuesday) return [returned.tuesday];
    if (name === 'serviceLevelSettings') return { ...(value as Members), ...returned.level };
    if (isOf(value, '171857201') && 'alertTimer' in value) return { ...value, ...returned.queue };
    if (isOf(value, '171857102') && 'contact' in value)
      return {
        ...value,
        ...returned.person,
        contact: { ...(value['contact'] as Members), ...returned.contact },
      };
    return value;
  });
  const office = await openOffice('administrator', changing, undefined, { dialect: 'current' });
  const cwd = temporaryFolder();
  const options = {
    paths: temporaryPaths(),
    cwd,
    env: { UCCTL_DIALECT: 'current' },
    nouns: [...nouns, hoursNoun],
  };
  const run = (line: string) => office.run(line, options);
  return {
    run,
    read: (file: string) => readFileSync(join(cwd, 'company', file), 'utf8'),
    differences: async () =>
      JSON.parse((await run('account diff company -o json')).stdout) as readonly Members[],
  };
}

const nightly = { from: '22:00', to: '02:00' };
const unlisted = {
  queue: { extensionNumber: '2010000000', alertTimer: 25 },
  level: { slaGoal: 150 },
  person: { status: 'Unassigned' },
  contact: { email: 'unreadable' },
  tuesday: nightly,
};
const warnings = {
  queue:
    /warning: Support \(201\): no file can contain number 2010000000, serviceLevel\.goal 150, alertTimer 25; exports omit these values/,
  person:
    /warning: Dana Okafor \(102\): no file can contain email unreadable, status Unassigned; exports omit/,
  hours: /warning: Company: no file can contain tuesday 22:00-02:00; exports omit this value/,
};

test.each([
  ['account export company', ['queue', 'person', 'hours']],
  ['queue export Support --settings -o yaml', ['queue']],
  ['agent export 102', ['person']],
  ['agent export 102 -o yaml', ['person']],
  ['hours export', ['hours']],
] as const)('%s names the values that it omits', async (line, parts) => {
  const { run } = await open(unlisted);
  const { exit, stderr } = await run(line);
  expect(exit).toBe(0);
  for (const part of parts) expect(stderr).toMatch(warnings[part]);
});

test('an export without omitted values has no warning', async () => {
  const { run } = await open({});
  for (const line of ['account export company', 'agent export', 'hours export company --queues'])
    expect((await run(line)).stderr).not.toContain('no file can contain');
});

test('account diff shows values that no file can contain, and no plan changes them', async () => {
  const returned: Returned = { tuesday: nightly };
  const { run, differences } = await open(returned);
  await run('account export company');
  returned.tuesday = { from: '23:00', to: '03:00' };
  returned.person = { status: 'Unassigned' };
  const { exit, stdout, stderr } = await run('account diff company --detailed-exitcode -o json');
  expect(exit).toBe(10);
  expect(JSON.parse(stdout)).toMatchObject([
    { file: 'people.yaml', id: '171857102', name: 'status', inFolder: 'Enabled', inAccount: 'Unassigned' },
    { file: 'hours.yaml', id: 'company', name: 'tuesday', inFolder: null, inAccount: '23:00-03:00' },
    ...['171857201', '171857202', '171857203'].map((id) => ({ id, inAccount: '23:00-03:00' })),
  ]);
  expect(stderr).toContain('warning: Company: no file can contain tuesday 23:00-03:00');
  expect(stderr).toContain('no file can contain status Unassigned');
  // An export cannot add these values to the file.
  expect(stderr).not.toContain('in the account are not in hours.yaml');
  expect(await run('hours plan -f company/hours.yaml --detailed-exitcode')).toMatchObject({ exit: 0 });
  returned.tuesday = undefined;
  expect((await differences()).filter(({ file }) => file === 'hours.yaml')).toMatchObject(
    Array.from({ length: 4 }, () => ({ name: 'tuesday', inFolder: null })),
  );
});

test.each(['NotActivated', 'Unassigned'])('a file can contain the queue status %s', async (status) => {
  const { run, read, differences } = await open({ queue: { status } });
  expect((await run('account export company')).stderr).not.toContain('no file can contain');
  expect(read('queues.yaml')).toContain(`status: ${status}`);
  expect(await differences()).toEqual([]);
  expect(await run('queue plan -f company/queues.yaml --detailed-exitcode')).toMatchObject({ exit: 0 });
});
