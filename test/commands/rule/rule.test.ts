import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Interrupted } from '../../../src/errors/interrupted.ts';
import { ConnectionError } from '../../../src/errors/service.ts';
import { type Desk, openDesk } from '../../matrix/desk.ts';
import { send } from '../../sandbox/request.ts';
import { signInAs } from '../../support/sandbox.ts';
import { openCurrent } from '../queue/open-current.ts';

const file = `rules:
  - extension: 102
    rule: after-hours-rule
    callHandlingAction: PlayAnnouncementOnly
  - extension: 102
    name: Holiday
    callers:
      - callerId: +14155550100
    schedule:
      ranges:
        - from: 2026-12-24T00:00:00Z
          to: 2026-12-27T00:00:00Z
    callHandlingAction: TakeMessagesOnly
`;

async function open(text = file, settings = {}): Promise<Desk> {
  return openDesk({ sandbox: { dialect: 'current', settings }, files: { 'rules.yaml': text } });
}

interface Rule {
  readonly name: string;
  readonly enabled: boolean;
  readonly [member: string]: unknown;
}
async function rules(desk: Desk): Promise<readonly Rule[]> {
  return desk.json('rule list 102');
}

test('changes and creates rules; undo restores one and disables the other', async () => {
  await using desk = await open();
  const before = await rules(desk);
  const plan = await desk.run('rule plan -f rules.yaml', { terminal: 120, env: { NO_COLOR: '1' } });
  expect(plan.stdout + plan.stderr).toContain('+ callers: +14155550100\n');
  const { exit, stderr } = await desk.run('rule apply -f rules.yaml --yes');
  expect([exit, stderr]).toEqual([
    0,
    expect.stringContaining('Undo disables created rules; it does not delete them.') as string,
  ]);
  expect(await rules(desk)).toMatchObject([
    before[0],
    { name: 'After hours', callHandlingAction: 'PlayAnnouncementOnly' },
    { name: 'Holiday', type: 'Custom', enabled: true, callers: [{ callerId: '+14155550100' }] },
  ]);
  expect(await desk.json('rule plan -f rules.yaml')).toMatchObject({ changes: [] });
  expect(await desk.run('history undo last --yes')).toMatchObject({ exit: 0 });
  const after = await rules(desk);
  expect([after.slice(0, 2), after[2]?.enabled]).toEqual([before, false]);
});

test('an export is a plan without changes, and may be of several extensions', async () => {
  await using desk = await open();
  await desk.json('rule apply -f rules.yaml --yes');
  const { stdout } = await desk.run('rule export 102 103');
  writeFileSync(join(desk.cwd, 'all.yaml'), stdout);
  expect(await desk.json('rule plan -f all.yaml')).toMatchObject({ changes: [], total: 14 });
});

test('rules are read-only on an account with new call handling, with that reason', async () => {
  await using desk = await open(file, { newCallHandling: true });
  expect(await desk.json('rule plan -f rules.yaml')).toMatchObject({ summary: { create: 1, update: 1 } });
  desk.writes();
  expect(await desk.run('rule apply -f rules.yaml --yes')).toMatchObject({
    exit: 9,
    stderr: expect.stringContaining(
      'answering rules are read-only: the account has new call handling',
    ) as string,
  });
  expect(desk.writes()).toEqual([]);
});

test('sends no request if the file is missing, or if a plan or a run belongs to another service', async () => {
  await using desk = await open();
  expect(await desk.run('rule plan -f rules.yaml --plan-out plan.json')).toMatchObject({ exit: 0 });
  expect(await desk.run('rule apply -f rules.yaml --yes')).toMatchObject({ exit: 0 });
  const [{ id }]: readonly [{ readonly id: string }] = await desk.json('history list');
  // Nothing listens there, so a request would fail with exit code 7.
  const elsewhere = async (words: string) =>
    (await desk.run(`rule apply ${words} --base-url http://127.0.0.1:9 --retry 0 --yes`)).exit;
  expect(await elsewhere('')).toBe(2);
  expect(await elsewhere('-f plan.json')).toBe(11);
  expect(await elsewhere(`--resume ${id}`)).toBe(11);
});

test('Ctrl-C while a plan is compared with the present rules says that nothing was changed', async () => {
  await using desk = await open();
  expect(await desk.run('rule plan -f rules.yaml --plan-out plan.json')).toMatchObject({ exit: 0 });
  const signal = AbortSignal.abort(new Interrupted('SIGINT'));
  for (const file of ['rules.yaml', 'plan.json']) {
    const { exit, stderr } = await desk.run(`rule apply -f ${file} --yes`, { signal });
    expect([exit, stderr]).toEqual([130, 'warning: interrupted; nothing was changed\n']);
  }
});

test('lists all problems of a file', async () => {
  await using desk = await open(`rules:
  - extension: 999
    name: x
  - extension: 102
    rule: "4711"
    enabled: perhaps
  - extension: 102
    colour: red
  - name: y
`);
  const { exit, stderr } = await desk.run('rule plan -f rules.yaml');
  expect(exit).toBe(2);
  for (const text of [
    'rules.yaml, line 2, column 16: extension "999" not found',
    'rules.yaml, line 5, column 11: rule "4711" not found; omit "rule:" to create a rule',
    'rules.yaml, line 6, column 14: "enabled" must be true or false',
    'rules.yaml, line 8, column 5: unknown setting "colour"',
    'a rule needs "rule:" with its ID, or "name:"',
    '"extension:" is missing',
  ])
    expect(stderr).toContain(text);
});

test('a rule whose creation got no reply and that somebody then changed is not created twice', async () => {
  let meddle = async (): Promise<void> => undefined;
  let isLost = false;
  const { run, write, sandbox, requests } = await openCurrent((real) => async (request) => {
    const reply = await real(request);
    if (isLost || request.method !== 'POST' || !request.url.pathname.endsWith('/answering-rule'))
      return reply;
    isLost = true;
    await meddle();
    throw new ConnectionError('ECONNRESET', 'unknown', 'https://x.example', undefined);
  });
  const token = await signInAs(sandbox, 'administrator');
  const path = '/account/~/extension/171857102/answering-rule';
  const list = async () => (await send(sandbox, 'GET', path, { token })).body.records;
  meddle = async () => {
    const made = (await list()).find(({ name }) => name === 'Holiday');
    const changed = { token, json: { enabled: false } };
    await send(sandbox, 'PUT', `${path}/${String(made?.['id'])}`, changed);
  };
  write('rules.yaml', file.replace('name: Holiday', 'name: Holiday\n    enabled: true'));
  const { exit, stderr } = await run('rule apply -f rules.yaml --yes');
  expect((await list()).filter(({ name }) => name === 'Holiday')).toMatchObject([{ enabled: false }]);
  const posts = requests().filter((line) => line.startsWith('POST') && line.endsWith('/answering-rule'));
  expect(posts).toHaveLength(1);
  expect([exit, stderr]).toEqual([8, expect.stringContaining('a rule with this name exists') as string]);
});

test('a plan and the list show when a rule applies', async () => {
  await using desk = await open();
  const when = '2026-12-24 00:00Z to 2026-12-27 00:00Z';
  const wide = { terminal: 200, env: { NO_COLOR: '1' } };
  const plan = await desk.run('rule plan -f rules.yaml', wide);
  expect(plan.stderr).toContain(`+ schedule: ${when}\n`);
  const applied = await desk.run('rule apply -f rules.yaml --yes', wide);
  expect(applied.stdout).toContain(`  ${when}  `);
  const lines = (await desk.run('rule list 102', wide)).stdout.split('\n');
  expect(lines[0]).toMatch(/ WHEN$/);
  expect(lines.find((line) => line.includes('Holiday'))).toContain(`${when}, calls from +14155550100`);
  const csv = await desk.run('rule list 102 --fields name,schedule -o csv');
  expect(csv.stdout).toContain('Holiday,"{""ranges"":[{""from"":""2026-12-24T00:00:00');
});
