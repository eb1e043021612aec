import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Desk, openDesk } from '../../matrix/desk.ts';
import { send } from '../../sandbox/request.ts';
import { signInAs } from '../../support/sandbox.ts';

const ruleOf = (setting: string): string =>
  `rules:\n  - extension: 102\n    rule: after-hours-rule\n${setting.replaceAll(/^/gm, '    ')}\n`;

interface Rule {
  readonly id: string;
  readonly rule: string;
  readonly name: string;
  readonly [member: string]: unknown;
}

async function open(text: string, settings = {}): Promise<Desk> {
  return openDesk({ sandbox: { dialect: 'current', settings }, files: { 'rules.yaml': text } });
}

async function afterHours(desk: Desk): Promise<Rule | undefined> {
  const { rules }: { readonly rules: readonly Rule[] } = await desk.json('rule export 102');
  return rules.find(({ rule }) => rule === 'after-hours-rule');
}

async function apply(desk: Desk, setting: string): Promise<void> {
  writeFileSync(join(desk.cwd, 'rules.yaml'), ruleOf(setting));
  const { exit, stderr } = await desk.run('rule apply -f rules.yaml --yes');
  expect([exit, stderr]).toEqual([0, expect.any(String)]);
  expect(await desk.json('rule plan -f rules.yaml')).toMatchObject({ changes: [] });
}

test('a list of callers is removed with [], and restored by an undo', async () => {
  await using desk = await open('');
  await apply(desk, 'callers:\n  - callerId: "+14155550100"');
  await apply(desk, 'callers: []');
  expect(await afterHours(desk)).toMatchObject({ callers: [] });
  expect((await desk.run('history undo last --yes')).exit).toBe(0);
  expect(await afterHours(desk)).toMatchObject({ callers: [{ callerId: '+14155550100' }] });
});

test('ignores members of an object that the file does not name, and removes a member that is null', async () => {
  await using desk = await open('');
  await apply(desk, 'forwarding: { ringingMode: Sequentially, mobileTimeout: true }');
  writeFileSync(join(desk.cwd, 'rules.yaml'), ruleOf('forwarding: { ringingMode: Sequentially }'));
  expect(await desk.json('rule plan -f rules.yaml')).toMatchObject({ changes: [] });
  await apply(desk, 'forwarding: { ringingMode: Sequentially, mobileTimeout: null }');
  expect((await afterHours(desk))?.['forwarding']).toEqual({ ringingMode: 'Sequentially' });
  expect((await desk.run('history undo last --yes')).exit).toBe(0);
  expect((await afterHours(desk))?.['forwarding']).toEqual({
    ringingMode: 'Sequentially',
    mobileTimeout: true,
  });
});

test('screening: Off changes nothing in a rule without screening, and an undo restores Off', async () => {
  await using desk = await open(ruleOf('screening: Off'));
  expect((await afterHours(desk))?.['screening']).toBeUndefined();
  expect(await desk.json('rule plan -f rules.yaml')).toMatchObject({ changes: [] });
  await apply(desk, 'screening: Always');
  expect(await desk.run('history undo last --yes')).toMatchObject({ exit: 0 });
  expect(await afterHours(desk)).toMatchObject({ screening: 'Off' });
});

test('an undo removes a member that the run added', async () => {
  await using desk = await open('');
  await apply(desk, 'forwarding: { ringingMode: Sequentially }');
  await apply(desk, 'forwarding: { ringingMode: Sequentially, mobileTimeout: true }');
  expect((await desk.run('history undo last --yes')).exit).toBe(0);
  expect((await afterHours(desk))?.['forwarding']).toEqual({ ringingMode: 'Sequentially' });
});

test('times are compared by instant', async () => {
  await using desk = await open('');
  await apply(desk, 'schedule:\n  ranges: [{ from: 2026-12-24T02:00:00+02:00, to: 2026-12-27T00:00:00Z }]');
  writeFileSync(
    join(desk.cwd, 'rules.yaml'),
    ruleOf('schedule:\n  ranges: [{ from: 2026-12-24T00:00:00Z, to: 2026-12-27T01:00:00+01:00 }]'),
  );
  expect(await desk.json('rule plan -f rules.yaml')).toMatchObject({ changes: [] });
});

test('times of day are compared without zero seconds, and ranges of a day without their order', async () => {
  await using desk = await open('');
  const present = {
    schedule: {
      weeklyRanges: {
        monday: [
          { from: '13:00:00', to: '17:30:00' },
          { from: '09:00:00', to: '12:00:15' },
        ],
      },
    },
  };
  const path = '/account/~/extension/171857102/answering-rule/after-hours-rule';
  const token = await signInAs(desk.sandbox, 'administrator');
  expect((await send(desk.sandbox, 'PUT', path, { token, json: present })).status).toBe(200);
  const week = (monday: string): string => ruleOf(`schedule:\n  weeklyRanges:\n    monday: [${monday}]`);
  const plan = async (text: string): Promise<unknown> => {
    writeFileSync(join(desk.cwd, 'rules.yaml'), text);
    return desk.json('rule plan -f rules.yaml');
  };
  const morning = '{ from: "09:00", to: "12:00:15" }';
  const afternoon = '{ from: "13:00", to: "17:30" }';
  expect(await plan(week(`${morning}, ${afternoon}`))).toMatchObject({ changes: [] });
  expect(await plan(week(`{ from: "13:00:00", to: "17:30:00" }, ${morning}`))).toMatchObject({ changes: [] });
  expect(await plan(week('{ from: "09:00", to: "12:00" }'))).toMatchObject({ changes: [{}] });
  expect((await afterHours(desk))?.['schedule']).toEqual({
    weeklyRanges: {
      monday: [
        { from: '09:00', to: '12:00:15' },
        { from: '13:00', to: '17:30' },
      ],
    },
  });
});

test('an undo says which setting the service cannot remove, and restores the others', async () => {
  await using desk = await open('');
  const before = await afterHours(desk);
  await apply(
    desk,
    'callHandlingAction: UnconditionalForwarding\nunconditionalForwarding: { phoneNumber: "+14155550100" }',
  );
  const { exit, stderr } = await desk.run('history undo last --yes');
  expect([exit, stderr]).toEqual([
    0,
    expect.stringContaining(
      'unconditionalForwarding keeps its value, because the service cannot remove this setting',
    ),
  ]);
  expect(stderr).not.toContain('→ none');
  expect(await afterHours(desk)).toMatchObject({ callHandlingAction: before?.['callHandlingAction'] });
});

test('a created rule that an undo has disabled is enabled again', async () => {
  await using desk = await open(
    'rules:\n  - extension: 102\n    name: Holiday\n    callHandlingAction: TakeMessagesOnly\n',
  );
  await desk.json('rule apply -f rules.yaml --yes');
  expect((await desk.run('history undo last --yes')).exit).toBe(0);
  expect(await desk.json('rule plan -f rules.yaml')).toMatchObject({
    changes: [{ before: { enabled: false }, after: { enabled: true } }],
  });
  expect((await desk.run('rule apply -f rules.yaml --yes')).exit).toBe(0);
  expect(await desk.json('rule list 102')).toContainEqual(
    expect.objectContaining({ name: 'Holiday', enabled: true }),
  );
});

test.each([
  [
    'schedule: { weeklyRanges: { munday: [{ from: "09:00", to: "17:00" }] } }',
    'unknown day "munday"; did you mean "monday"?',
  ],
  [
    'schedule: { weeklyRanges: { monday: [{ from: "25:00", to: "26:00" }] } }',
    '"from" must be a time such as 09:00',
  ],
  ['schedule: { weeklyRanges: { monday: [{ from: "17:00", to: "09:00" }] } }', 'ends before it begins'],
  ['schedule: { weeklyRanges: { monday: "09:00-17:00" } }', 'must be a list of ranges'],
  [
    'schedule: { ranges: [{ from: foo, to: 2026-12-24T00:00:00Z }] }',
    '"from" must be a time with its zone, such as 2026-12-24T00:00:00+01:00, not "foo"',
  ],
  [
    'schedule: { ranges: [{ from: 2026-12-25T00:00:00Z, to: 2026-12-24T00:00:00Z }] }',
    'ends before it begins',
  ],
  [
    'schedule: { ranges: [{ from: 2026-02-28T25:00:00Z, to: 2026-12-24T00:00:00Z }] }',
    '"from" must be a time',
  ],
  [
    'schedule: { ranges: [{ from: 2026-02-30T00:00:00Z, to: 2026-12-24T00:00:00Z }] }',
    '"from" must be a time with its zone, such as 2026-12-24T00:00:00+01:00, not "2026-02-30T00:00:00Z"',
  ],
  [
    'schedule: { ranges: [{ from: 2026-02-28T00:00:00Z, to: 2026-06-31T00:00:00+02:00 }] }',
    '"to" must be a time with its zone, such as 2026-12-24T00:00:00+01:00, not "2026-06-31T00:00:00+02:00"',
  ],
  ['schedule: { ref: Never }', '"ref" of the schedule must be one of'],
  ['schedule: { weekly: {} }', 'unknown member of the schedule "weekly"'],
  ['callHandlingAction: Nonsense', '"callHandlingAction" must be one of ForwardCalls'],
  ['callHandlingAction: forwardCalls', 'did you mean "ForwardCalls"?'],
  ['screening: Sometimes', '"screening" must be one of Off'],
  ['callers: ["+14155550100"]', 'must be a mapping such as callerId: "+14155550100", not "+14155550100"'],
  ['callers: [{}]', 'each entry of "callers" must be a mapping'],
  [
    'callers: [{ callerID: "+14155550100" }]',
    'unknown member of "callers" "callerID"; did you mean "callerId"?',
  ],
  [
    'callers: [{ callerId: ["+14155550100"] }]',
    '"callers": "callerId" must be text in quotes, not ["+14155550100"]',
  ],
  ['callers: [{ callerId: true }]', '"callers": "callerId" must be text in quotes, not true'],
  ['calledNumbers: ["+14155550100"]', 'must be a mapping such as phoneNumber: "+14155550100"'],
])('%s is rejected by the plan', async (setting, problem) => {
  await using desk = await open(ruleOf(setting));
  const { exit, stderr } = await desk.run('rule plan -f rules.yaml');
  expect([exit, stderr]).toEqual([2, expect.stringContaining(problem)]);
});

test('an account with new call handling: the plan says so, and a rejected undo is not recorded', async () => {
  await using desk = await open(ruleOf('callHandlingAction: PlayAnnouncementOnly'));
  await desk.json('rule apply -f rules.yaml --yes');
  const runs = await desk.json('history list');
  await desk.sandbox.control('PATCH', '/settings', { newCallHandling: true });
  const plan = await desk.run('rule plan -f rules.yaml');
  expect([plan.exit, plan.stderr]).toEqual([0, expect.stringContaining('answering rules are read-only')]);
  expect((await desk.run('history undo last --yes')).exit).toBe(9);
  expect(await desk.json('history list')).toEqual(runs);
  await desk.sandbox.control('PATCH', '/settings', { newCallHandling: false });
  const undone = await desk.run('history undo last --yes');
  expect([undone.exit, undone.stderr]).toEqual([0, expect.stringContaining('callHandlingAction')]);
});

test('an undo that sent nothing is not the last run', async () => {
  await using desk = await open(ruleOf('callHandlingAction: PlayAnnouncementOnly'));
  await desk.json('rule apply -f rules.yaml --yes');
  const fault = { kind: 'status', operation: 'updateAnsweringRule', status: 403, times: 1 };
  await desk.sandbox.control('POST', '/faults', fault);
  expect((await desk.run('history undo last --yes')).exit).not.toBe(0);
  expect((await desk.run('history undo last --yes')).exit).toBe(0);
});

test('a run of rules cannot be undone or resumed in dialect spec', async () => {
  await using desk = await open(ruleOf('callHandlingAction: PlayAnnouncementOnly'));
  await desk.json('rule apply -f rules.yaml --yes');
  const runs = await desk.json('history list');
  for (const words of ['history undo last --yes --force', 'rule apply --resume last --yes']) {
    const { exit, stderr } = await desk.run(`${words} --dialect spec`);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('is not available in dialect spec')]);
  }
  expect(await desk.json('history list')).toEqual(runs);
});

test('rejects aliases, whose values would be ignored', async () => {
  const week = 'weeklyRanges: { monday: [{ from: "09:00", to: "17:00" }] }';
  await using desk = await open(
    `rules:
  - extension: 102
    name: Closed
    schedule: &office { ${week} }
  - extension: 103
    name: Closed
    schedule: *office
`,
  );
  const { exit, stderr } = await desk.run('rule plan -f rules.yaml');
  expect(exit).toBe(2);
  expect(stderr).toContain('rules.yaml, line 7, column 15: "*office" is an alias');
});

test('the trunk 0 of callers and called numbers is removed, and a number of a wrong length is rejected', async () => {
  await using desk = await open('');
  const numbers = (first: string): string =>
    `unconditionalForwarding: { phoneNumber: "+4402079460950" }\ncallers:\n  - callerId: "${first}"\n    name: Ada\ncalledNumbers:\n  - phoneNumber: "+33 (0)6 50 55 50 11"`;
  writeFileSync(join(desk.cwd, 'rules.yaml'), ruleOf(numbers('+4402079460958')));
  expect((await desk.run('rule apply -f rules.yaml --yes')).exit).toBe(0);
  expect(await afterHours(desk)).toMatchObject({
    callers: [{ callerId: '+442079460958', name: 'Ada' }],
    calledNumbers: [{ phoneNumber: '+33650555011' }],
    unconditionalForwarding: { phoneNumber: '+442079460950' },
  });
  expect(await desk.json('rule plan -f rules.yaml')).toMatchObject({ changes: [] });
  writeFileSync(join(desk.cwd, 'rules.yaml'), ruleOf(numbers('+4420794609588')));
  const { exit, stderr } = await desk.run('rule plan -f rules.yaml');
  expect(exit).toBe(2);
  expect(stderr).toContain('"callers": "+4420794609588" is too long for a phone number of its country');
});

test('each time of a range without a zone is a problem of its own line', async () => {
  const rule = 'rules:\n  - extension: 102\n    name: Holiday\n    schedule:\n      ranges:\n';
  const range = '        - from: 2026-12-24 00:00\n          to: 2026-12-27\n';
  await using desk = await openDesk({
    sandbox: { dialect: 'current' },
    files: { 'rules.yaml': `${rule}${range}` },
  });
  const { exit, stderr } = await desk.run('rule plan -f rules.yaml -o json');
  const { error } = JSON.parse(stderr) as { error: { details: readonly string[] } };
  const form = 'must be a time with its zone, such as 2026-12-24T00:00:00+01:00';
  expect([exit, error.details]).toEqual([
    2,
    [
      `rules.yaml:6:17: "from" ${form}, not "2026-12-24 00:00"`,
      `rules.yaml:7:15: "to" ${form}, not "2026-12-27"`,
    ],
  ]);
});
