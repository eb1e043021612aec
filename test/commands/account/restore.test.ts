import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk, type Desk, type DeskOptions } from '../../matrix/desk.ts';

function open(files: DeskOptions['files'] = {}): Promise<Desk> {
  return openDesk({ sandbox: { dialect: 'current' }, files });
}

/** Makes a change of somebody else. */
async function change(desk: Desk, noun: string, text: string): Promise<void> {
  writeFileSync(join(desk.cwd, 'other.yaml'), text);
  expect(await desk.run(`${noun} apply -f other.yaml --yes`)).toMatchObject({ exit: 0 });
}

/**
 * Applies a file of the folder. Returns whether the folder differed from the account before, whether it differs now, and
 * the exit code of a further plan.
 */
async function restore(desk: Desk, noun: string, file: string) {
  const before: readonly unknown[] = await desk.json('account diff company');
  expect(await desk.run(`${noun} apply -f company/${file} --yes`)).toMatchObject({ exit: 0 });
  const after: readonly unknown[] = await desk.json('account diff company');
  const { exit } = await desk.run(`${noun} plan -f company/${file} --detailed-exitcode`);
  return { differed: before.length > 0, differs: after.length > 0, exit };
}

const restored = { differed: true, differs: false, exit: 0 };

const texts = ['lastName', 'company', 'jobTitle', 'department', 'businessPhone', 'mobilePhone'];

test('an export removes every contact detail of a person that was set since', async () => {
  await using desk = await open();
  const id = '171857102';
  await change(
    desk,
    'agent',
    `agents:\n  - agent: "102"\n${texts.map((one) => `    ${one}: null\n`).join('')}`,
  );
  await desk.json('account export company');
  expect(readFileSync(join(desk.cwd, 'company/people.yaml'), 'utf8')).toContain('jobTitle: null');
  const set = texts.map((name) => `    ${name}: "+4930123"\n`).join('');
  await change(desk, 'agent', `agents:\n  - agent: "${id}"\n${set}`);
  expect(await desk.json('account diff company')).toEqual(
    texts.map(
      (name) => expect.objectContaining({ id, name, inFolder: null, inAccount: '+4930123' }) as unknown,
    ),
  );
  expect(await restore(desk, 'agent', 'people.yaml')).toEqual(restored);
});

test('the exports of queues, hours and rules restore what somebody else has changed', async () => {
  await using desk = await open();
  await desk.json('account export company');
  await change(
    desk,
    'queue',
    'queues:\n  - queue: Support\n    settings: { alertTimer: 60, serviceLevel: { goal: 12 } }\n    agents: [102, 107]\n',
  );
  expect(await restore(desk, 'queue', 'queues.yaml')).toEqual(restored);
  await change(desk, 'hours', 'hours:\n  - owner: company\n    sunday: 10:00-14:00\n    monday: closed\n');
  expect(await restore(desk, 'hours', 'hours.yaml')).toEqual(restored);
  await change(
    desk,
    'rule',
    'rules:\n  - extension: 201\n    rule: after-hours-rule\n    callers: [{ callerId: "+16505550100" }]\n    enabled: false\n',
  );
  expect(await restore(desk, 'rule', 'rules.yaml')).toEqual(restored);
});

test('hours of an owner without a schedule are removed again', async () => {
  await using desk = await open();
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  await change(
    desk,
    'hours',
    `hours:\n  - owner: Support\n${days.map((day) => `    ${day}: null\n`).join('')}`,
  );
  await desk.json('account export company');
  await change(desk, 'hours', 'hours:\n  - owner: Support\n    monday: 09:00-17:00\n');
  expect(await restore(desk, 'hours', 'hours.yaml')).toEqual(restored);
});

test('the days of a weekly schedule that the file does not name are closed', async () => {
  await using desk = await open();
  const rule = (days: string): string =>
    `rules:\n  - extension: 201\n    name: Weekly\n    schedule:\n      weeklyRanges: { ${days} }\n`;
  const monday = 'monday: [{ from: "09:00", to: "17:00" }]';
  await change(desk, 'rule', rule(monday));
  await desk.json('account export company');
  await change(desk, 'rule', rule(`${monday}, tuesday: [{ from: "09:00", to: "17:00" }]`));
  expect(await restore(desk, 'rule', 'rules.yaml')).toEqual(restored);
});

test('account diff counts the differences that no plan changes', async () => {
  await using desk = await open();
  await desk.json('account export company');
  const path = join(desk.cwd, 'company/people.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/^ +jobTitle: .*\n/gm, ''));
  await change(desk, 'agent', 'agents:\n  - agent: "102"\n    jobTitle: Lead\n');
  const { stdout, stderr } = await desk.run('account diff company -o json');
  expect(JSON.parse(stdout)).toMatchObject([{ name: 'jobTitle', inFolder: null, inAccount: 'Lead' }]);
  expect(stderr).not.toContain('start with ucctl agent plan');
  expect(stderr).toContain(
    '1 value in the account is not in people.yaml, so no plan changes it. To add it, run ucctl account export company. ' +
      'To remove it from the account, set it to null in the file; if the plan rejects null, use the account portal\n',
  );
  expect(await desk.run('agent plan -f company/people.yaml --detailed-exitcode')).toMatchObject({ exit: 0 });
});

test.each([
  ['agent', 'agents:\n  - agent: "102"\n    email: null\n', '"email" cannot be removed'],
  ['agent', 'agents:\n  - agent: "102"\n    firstName: ~\n', '"firstName" cannot be removed'],
  ['agent', 'agents:\n  - agent: "102"\n    extensionNumber: Null\n', '"extensionNumber" cannot be removed'],
  ['agent', 'agents:\n  - agent: "102"\n    status: null\n', '"status" cannot be removed'],
  ['agent', 'agents:\n  - agent: "102"\n    site: null\n', '"site" cannot be removed'],
  [
    'queue',
    'queues:\n  - queue: "201"\n    settings: { alertTimer: null }\n',
    '"alertTimer" cannot be removed',
  ],
  [
    'queue',
    'queues:\n  - queue: "201"\n    settings: { serviceLevel: { goal: ~ } }\n',
    '"serviceLevel.goal" cannot be removed',
  ],
  ['hours', 'hours:\n  - owner: company\n    monday: null\n', 'use closed for a day without hours'],
  [
    'rule',
    'rules:\n  - extension: 201\n    rule: after-hours-rule\n    name: null\n',
    '"name" cannot be removed',
  ],
  [
    'rule',
    'rules:\n  - extension: 201\n    rule: after-hours-rule\n    schedule: ~\n',
    '"schedule" cannot be removed',
  ],
])('%s plan rejects null for a value that no request removes: %j', async (noun, text, problem) => {
  await using desk = await open({ 'file.yaml': text });
  const { exit, stderr } = await desk.run(`${noun} plan -f file.yaml`);
  expect([exit, stderr]).toEqual([2, expect.stringContaining(problem)]);
});

test('a quoted null is text, and a value without text stays unchanged', async () => {
  await using desk = await open({
    'people.yaml': 'agents:\n  - agent: "102"\n    lastName: "null"\n    company: "~"\n    department:\n',
  });
  expect(await desk.json('agent plan -f people.yaml')).toMatchObject({
    changes: [{ after: { lastName: 'null', company: '~' } }],
  });
});

test('in a table, --remove-empty removes the values of empty cells that can be removed', async () => {
  await using desk = await open({ 'set.csv': 'agent,jobTitle,email\n102,Lead,\n' });
  expect(await desk.run('agent apply -f set.csv --yes')).toMatchObject({ exit: 0 });
  writeFileSync(join(desk.cwd, 'empty.csv'), 'agent,jobTitle,email\n102,,\n');
  expect(await desk.json('agent plan -f empty.csv')).toMatchObject({ changes: [] });
  expect(await desk.json('agent plan -f empty.csv --remove-empty')).toMatchObject({
    changes: [{ before: { jobTitle: 'Lead' }, after: { jobTitle: null } }],
  });
  expect(await desk.run('agent apply -f empty.csv --remove-empty --yes')).toMatchObject({ exit: 0 });
  expect(await desk.json('agent plan -f empty.csv --remove-empty')).toMatchObject({ changes: [] });
  expect(await desk.run('history undo last --yes')).toMatchObject({ exit: 0 });
  expect(await desk.json('agent plan -f set.csv')).toMatchObject({ changes: [] });
});
