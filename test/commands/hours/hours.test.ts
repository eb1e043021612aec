import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hoursNoun } from '../../../src/commands/hours/noun.command.ts';
import { type Desk, openDesk } from '../../matrix/desk.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const file = `hours:
  - owner: company
    saturday: 10:00-14:00
  - owner: Support
    monday: 8:00 - 12:00, 13:00-17:00
    friday: closed
`;

async function open(text = file): Promise<Desk> {
  return openDesk({ sandbox: { dialect: 'current' }, files: { 'hours.yaml': text } });
}

async function hours(desk: Desk): Promise<unknown> {
  return desk.json('hours list company 201');
}

test('changes days of the company and of a queue, and undoes it', async () => {
  await using desk = await open();
  const before = await hours(desk);
  const rows = await desk.json('hours apply -f hours.yaml --yes');
  expect(rows).toMatchObject([
    { title: 'Company', setting: 'saturday', before: 'closed', after: '10:00-14:00', status: 'changed' },
    { title: 'Support (201)', setting: 'monday', after: '08:00-12:00, 13:00-17:00', status: 'changed' },
    { setting: 'friday', before: '09:00-18:00', after: 'closed', status: 'changed' },
  ]);
  expect(await hours(desk)).toMatchObject([
    { owner: 'company', monday: '09:00-18:00', saturday: '10:00-14:00', sunday: 'closed' },
    { monday: '08:00-12:00, 13:00-17:00', tuesday: '09:00-18:00', friday: 'closed' },
  ]);
  expect(await desk.json('hours plan -f hours.yaml')).toMatchObject({ changes: [] });
  expect(await desk.run('history undo last --yes')).toMatchObject({ exit: 0 });
  expect(await hours(desk)).toEqual(before);
});

test('reads back a change whose reply arrived after an interruption', async () => {
  const stop = new AbortController();
  const office = await openOffice(
    'administrator',
    (inside) => async (request) => {
      request.signal?.throwIfAborted();
      const reply = await inside(request);
      if (request.method === 'PUT') stop.abort(new Error('Ctrl-C'));
      return reply;
    },
    ':memory:',
    { dialect: 'current' },
  );
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'hours.yaml'), file);
  const env = { UCCTL_BASE_URL: office.sandbox.url, UCCTL_DIALECT: 'current' };
  const at = { nouns: [hoursNoun], cwd, env, paths: temporaryPaths(), now: () => office.sandbox.clock.now() };
  const { exit, stdout, stderr } = await office.run('hours apply -f hours.yaml --yes -o json', {
    ...at,
    signal: stop.signal,
  });
  expect([exit, stderr]).toEqual([
    130,
    expect.stringMatching(/interrupted: .* left; resume the run: ucctl hours apply --resume/),
  ]);
  expect(JSON.parse(stdout)).toMatchObject([
    { title: 'Company', status: 'changed' },
    { title: 'Support (201)', status: 'not-sent' },
    { title: 'Support (201)', status: 'not-sent' },
  ]);
  expect(await office.run('hours apply --resume last --yes', at)).toMatchObject({ exit: 0 });
});

test('an export is a plan without changes', async () => {
  await using desk = await open();
  const { stdout } = await desk.run('hours export company --queues');
  writeFileSync(join(desk.cwd, 'all.yaml'), stdout);
  expect(await desk.json('hours plan -f all.yaml')).toMatchObject({ changes: [], total: 15 });
});

test('rejects a saved plan after a change by somebody else', async () => {
  await using desk = await open();
  await desk.json('hours plan -f hours.yaml --plan-out plan.json');
  writeFileSync(join(desk.cwd, 'other.yaml'), 'hours:\n  - owner: 201\n    friday: 07:00-09:00\n');
  await desk.json('hours apply -f other.yaml --yes');
  const { exit, stderr } = await desk.run('hours apply -f plan.json --yes');
  expect(exit).toBe(11);
  expect(stderr).toMatch(
    /Support \(201\): friday was 09:00-18:00 and is now 07:00-09:00 \(changed by 100 Avery Quinn/,
  );
});

test('rejects a saved plan after a change of the hours of the company, and names who made it', async () => {
  await using desk = await open();
  await desk.json('hours plan -f hours.yaml --plan-out plan.json');
  writeFileSync(join(desk.cwd, 'other.yaml'), 'hours:\n  - owner: company\n    saturday: 08:00-10:00\n');
  await desk.json('hours apply -f other.yaml --yes');
  await desk.run('queue assign --queue 201 --add 106 --yes');
  const before = await hours(desk);
  const { exit, stderr } = await desk.run('hours apply -f plan.json --yes');
  expect(exit).toBe(11);
  expect(stderr).toMatch(
    /Company: saturday was closed and is now 08:00-10:00 \(changed by 100 Avery Quinn at /,
  );
  expect(await hours(desk)).toEqual(before);
});

test('lists all problems of a file', async () => {
  await using desk = await open(
    'hours:\n  - owner: nobody\n  - owner: 201\n    monday: 9-5\n    tusday: closed\n    friday: 09:00-12:00, 11:00-13:00\n    saturday: 22:00-06:00\n',
  );
  const { exit, stderr } = await desk.run('hours plan -f hours.yaml');
  expect(exit).toBe(2);
  for (const text of [
    'extension "nobody" not found',
    'hours.yaml, line 4, column monday: "9-5" is not a valid time range; use hours such as 09:00-17:00, or closed',
    'hours.yaml, line 5, column 5: unknown setting "tusday"; did you mean "tuesday"?',
    'hours.yaml, line 6, column friday: "09:00-12:00, 11:00-13:00" is not a valid time range',
    '"22:00-06:00" is not a valid time range; use hours such as 09:00-17:00, or closed; separate several ranges with commas, and write hours after midnight on the next day',
  ])
    expect(stderr).toContain(text);
});

test.each(['company', 'Company'])('protects owners: %s', async (name) => {
  await using desk = await open();
  expect(await desk.run(`hours apply -f hours.yaml --yes --protect ${name}`)).toMatchObject({
    exit: 9,
    stderr: expect.stringContaining('Company would change, but --protect') as string,
  });
});

test('an undo does not change owners that are now protected', async () => {
  await using desk = await open();
  await desk.json('hours apply -f hours.yaml --yes');
  const after = await hours(desk);
  for (const name of ['company', 'Support'])
    expect(await desk.run('history undo last --yes', { env: { UCCTL_PROTECT: name } })).toMatchObject({
      exit: 9,
      stderr: expect.stringMatching(/schedule (Company|Support \(201\)) is protected/) as string,
    });
  expect(await hours(desk)).toEqual(after);
  expect(await desk.run('history undo last --yes', { env: { UCCTL_PROTECT: '203' } })).toMatchObject({
    exit: 0,
  });
});

test('keeps the seconds of the other days, and an undo restores them', async () => {
  const days = {
    monday: [{ from: '09:00:30', to: '17:30:45' }],
    saturday: [{ from: '08:00:00', to: '11:59:59' }],
  };
  const path = '/restapi/v1.0/account/~/business-hours';
  await using desk = await open('hours:\n  - owner: company\n    saturday: 10:00-14:00\n');
  const schedule = JSON.stringify({ schedule: { weeklyRanges: days } });
  await desk.run(['api', 'PUT', path, '--yes', '--input', '-'], { stdin: schedule });
  expect(await desk.json('hours apply -f hours.yaml --yes')).toMatchObject([{ before: '08:00-11:59:59' }]);
  const monday = { monday: [{ from: '09:00:30', to: '17:30:45' }] };
  expect(await desk.json(`api GET ${path}`)).toMatchObject({ schedule: { weeklyRanges: monday } });
  expect(await desk.run('history undo last --yes')).toMatchObject({ exit: 0 });
  expect(await desk.json(`api GET ${path}`)).toMatchObject({
    schedule: { weeklyRanges: { ...monday, saturday: [{ from: '08:00', to: '11:59:59' }] } },
  });
});

test('a new schedule closes the days that the file does not name, and an undo removes the schedule', async () => {
  await using desk = await open('hours:\n  - owner: 107\n    monday: 01:00-02:00\n');
  const path = '/restapi/v1.0/account/~/extension/171857107/business-hours';
  await desk.run(['api', 'PUT', path, '--yes', '--input', '-'], { stdin: '{"schedule":{}}' });
  const before = await desk.json(`api GET ${path}`);
  expect(before).toMatchObject({ schedule: {} });
  expect(await desk.json('hours apply -f hours.yaml --yes')).toMatchObject([
    { setting: 'monday', before: null, after: '01:00-02:00', status: 'changed' },
    ...['tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((setting) => ({
      setting,
      before: null,
      after: 'closed',
      status: 'changed',
    })),
  ]);
  expect(await desk.json('hours plan -f hours.yaml')).toMatchObject({ changes: [] });
  expect(await desk.run('history undo last --yes')).toMatchObject({ exit: 0 });
  expect(await desk.json(`api GET ${path}`)).toEqual(before);
});

test('an undo with --force does not close days of a new schedule that somebody has changed', async () => {
  await using desk = await open('hours:\n  - owner: 107\n    monday: 01:00-02:00\n');
  const path = '/restapi/v1.0/account/~/extension/171857107/business-hours';
  await desk.run(['api', 'PUT', path, '--yes', '--input', '-'], { stdin: '{"schedule":{}}' });
  await desk.json('hours apply -f hours.yaml --yes');
  writeFileSync(join(desk.cwd, 'other.yaml'), 'hours:\n  - owner: 107\n    friday: 07:00-09:00\n');
  const paths = { ...desk.paths, state: join(desk.cwd, '.other') };
  expect(await desk.run('hours apply -f other.yaml --yes', { paths })).toMatchObject({ exit: 0 });
  const changed = await desk.json(`api GET ${path}`);
  expect(await desk.run('history undo last --yes')).toMatchObject({ exit: 11 });
  expect(await desk.run('history undo last --yes --force')).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining('schedule Priya Nair (107): monday keeps its value') as string,
  });
  expect(await desk.json(`api GET ${path}`)).toEqual(changed);
});

test('a percentage of --max-changes refers to the owners of the account', async () => {
  await using desk = await open();
  const within = await desk.run('hours plan -f hours.yaml --max-changes 50%');
  expect(within).toMatchObject({ exit: 0, stderr: expect.not.stringContaining('limit') as string });
  const above = await desk.run('hours plan -f hours.yaml --max-changes 1');
  expect(above.stderr).toContain(
    '2 of 15 schedules would change, but the limit is 1; use --max-changes 2 to allow these changes',
  );
});

test.each([
  ['hours', 'csv'],
  ['hours', 'tsv'],
  ['rule', 'csv'],
  ['rule', 'tsv'],
])('%s plan rejects the %s output of an export and names the YAML export', async (noun, format) => {
  const owner = noun === 'hours' ? 'company' : '102';
  await using desk = await open();
  const { stdout } = await desk.run(`${noun} export ${owner} -o ${format}`);
  writeFileSync(join(desk.cwd, 'table.csv'), stdout);
  const { exit, stderr } = await desk.run(`${noun} plan -f table.csv`);
  expect([exit, stderr]).toEqual([
    2,
    expect.stringContaining('table.csv is a table, but this command reads YAML'),
  ]);
  expect(stderr).toContain(`ucctl ${noun} export > ${noun}.yaml`);
  expect((await desk.run(`${noun} export ${owner} -o yaml`)).stdout).toContain(
    `${noun === 'rule' ? 'rules' : noun}:`,
  );
});
