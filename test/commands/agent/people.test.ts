import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../matrix/desk.ts';

const list =
  'agent,department,status\n102,Night shift,\nmei.lin@example.com,Night shift,Disabled\n107,Billing,Enabled\n';

async function open(files: Readonly<Record<string, string>> = { 'people.csv': list }): Promise<Desk> {
  return openDesk({ sandbox: { dialect: 'current' }, files });
}

interface Person {
  readonly agent: string;
  readonly [setting: string]: string;
}
async function exported(desk: Desk): Promise<ReadonlyMap<string, Person>> {
  const { agents }: { readonly agents: readonly Person[] } = await desk.json('agent export');
  return new Map(agents.map((one) => [one['extensionNumber'] ?? '', one]));
}

/** The lines of the results file. */
function linesOf(desk: Desk): readonly string[] {
  return readFileSync(join(desk.cwd, 'done.csv'), 'utf8').trim().split(/\r?\n/);
}

describe('agent apply', () => {
  test('removes the trunk 0 of phone numbers, and rejects a number of a wrong length', async () => {
    const yaml = (number: string): string => `agents:\n- agent: '102'\n  mobilePhone: '${number}'\n`;
    await using desk = await open({
      'trunk.csv': 'agent,mobilePhone,businessPhone\n102,+4402079460958,+44 (0)20 7946 0959\n',
      'same.yaml': yaml('+442079460958'),
      'long.yaml': yaml('+4420794609588'),
      'long.csv': 'agent,mobilePhone\n102,+4420794609588\n',
      'text.yaml': yaml('020 7946 0958 (private)'),
    });
    expect(await desk.run('agent apply -f trunk.csv --yes')).toMatchObject({ exit: 0 });
    expect((await exported(desk)).get('102')).toMatchObject({
      mobilePhone: '+442079460958',
      businessPhone: '+442079460959',
    });
    for (const file of ['trunk.csv', 'same.yaml'])
      expect((await desk.run(`agent plan -f ${file}`)).stderr).toContain('No changes');
    for (const file of ['long.csv', 'long.yaml']) {
      const { exit, stderr } = await desk.run(`agent plan -f ${file}`);
      expect(exit).toBe(2);
      expect(stderr).toContain('"+4420794609588" is too long for a phone number of its country');
    }
    expect(await desk.run('agent apply -f text.yaml --yes')).toMatchObject({ exit: 0 });
  });

  test.each(['Ext.', 'Extension', 'Extension Number', 'E-mail', 'Agent name', 'Employee'])(
    'finds people by the column %s of a table without a column agent',
    async (heading) => {
      const person = heading === 'E-mail' ? 'dana.okafor@example.com' : '102';
      await using desk = await open({ 'people.csv': `Department,${heading}\nNight shift,${person}\n` });
      expect(await desk.json('agent plan -f people.csv')).toMatchObject({
        changes: [{ title: 'Dana Okafor (102)', after: { department: 'Night shift' } }],
        problems: [],
      });
    },
  );

  test('reads an extension number as a setting in a table with a column agent', async () => {
    await using desk = await open({
      'people.csv': 'Ext,Agent\n1102,102\n',
      'mapped.csv': 'Ext,Who\n1102,102\n',
    });
    for (const list of ['people.csv', 'mapped.csv --map Who=agent'])
      expect(await desk.json(`agent plan -f ${list}`)).toMatchObject({
        changes: [{ title: 'Dana Okafor (102)', after: { extensionNumber: '1102' } }],
      });
  });

  test('does not choose between two columns that may identify people', async () => {
    await using desk = await open({ 'people.csv': 'Ext,Extension\n102,1102\n' });
    const { exit, stderr } = await desk.run('agent plan -f people.csv');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('column "agent" not found')]);
  });

  test('changes people, reports each setting and row, and can be undone', async () => {
    await using desk = await open();
    const before = await exported(desk);
    const { exit, stdout } = await desk.run('agent apply -f people.csv --yes --results done.csv -o json');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        title: 'Dana Okafor (102)',
        setting: 'department',
        before: null,
        after: 'Night shift',
        status: 'changed',
      },
      { title: 'Mei Lin (106)', setting: 'status', before: 'Enabled', after: 'Disabled', status: 'changed' },
      { setting: 'department', status: 'changed' },
      { title: 'Priya Nair (107)', setting: 'department', status: 'changed' },
    ]);
    expect(readFileSync(join(desk.cwd, 'done.csv'), 'utf8').split('\n')[1]).toMatch(
      /^102,Night shift,,changed,update,/,
    );
    expect((await exported(desk)).get('106')).toMatchObject({
      department: 'Night shift',
      status: 'Disabled',
    });
    // A results file is a list, whose result columns need no warning.
    const again = await desk.run('agent plan -f done.csv');
    expect(again).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: 'No changes: everything is already up to date.\n',
    });
    expect(await desk.run('history undo last --yes')).toMatchObject({ exit: 0 });
    expect(await exported(desk)).toEqual(before);
  });

  test('writes the results file also for a saved plan', async () => {
    await using desk = await open();
    const saved = await desk.run('agent plan -f people.csv --plan-out people.json');
    expect(saved.exit).toBe(0);
    expect(await desk.run('agent apply -f people.json --yes --results done.csv')).toMatchObject({ exit: 0 });
    expect(linesOf(desk)).toEqual([
      expect.stringMatching(/^agent,department,status,result status,/),
      expect.stringMatching(/^102,Night shift,,changed,update,/),
      expect.stringMatching(/^mei\.lin@example\.com,Night shift,Disabled,changed,update,/),
      expect.stringMatching(/^107,Billing,Enabled,changed,update,/),
    ]);
  });

  test('writes a row of the results file for each person of a file or plan without rows', async () => {
    const yaml = "agents:\n- agent: '102'\n  department: Night shift\n  status: Disabled\n- agent: '107'\n";
    await using desk = await open({ 'people.yaml': yaml, 'people.csv': list });
    const expected = [
      expect.stringMatching(/^user,settings,result status,/),
      expect.stringMatching(/^Dana Okafor \(102\),"department, status",changed,update,/),
    ];
    expect(await desk.run('agent apply -f people.yaml --yes --results done.csv')).toMatchObject({ exit: 0 });
    expect(linesOf(desk)).toEqual(expected);
    expect(await desk.run('history undo last --yes')).toMatchObject({ exit: 0 });
    // A plan of an earlier version has no rows of its list.
    const plan: unknown = await desk.json('agent plan -f people.csv');
    writeFileSync(join(desk.cwd, 'old.json'), JSON.stringify({ ...(plan as object), input: undefined }));
    expect(await desk.run('agent apply -f old.json --yes --results done.csv')).toMatchObject({ exit: 0 });
    expect(linesOf(desk)).toEqual([
      expected[0],
      expect.stringMatching(/^Dana Okafor \(102\),department,changed,update,/),
      expect.stringMatching(/^Mei Lin \(106\),"status, department",changed,update,/),
      expect.stringMatching(/^Priya Nair \(107\),department,changed,update,/),
    ]);
  });

  test('writes the results file also if everything is up to date', async () => {
    await using desk = await open({ 'people.csv': 'agent,status\n102,Enabled\n' });
    expect(await desk.run('agent apply -f people.csv --yes --results done.csv')).toMatchObject({ exit: 0 });
    expect(linesOf(desk)[1]).toMatch(/^102,Enabled,unchanged,update,/);
  });

  test('keeps the + of a telephone number, which a spreadsheet removes', async () => {
    await using desk = await open({
      'phones.yaml': "agents:\n- agent: '102'\n  mobilePhone: '+16505550199'\n",
      'same.csv': 'agent,mobilePhone\n102,16505550199\n',
      'other.csv': 'agent,mobilePhone\n102,16505550198\n',
      'other.yaml': "agents:\n- agent: '102'\n  mobilePhone: '16505550199'\n",
    });
    expect(await desk.run('agent apply -f phones.yaml --yes')).toMatchObject({ exit: 0 });
    expect(await desk.run('agent plan -f same.csv --detailed-exitcode')).toMatchObject({ exit: 0 });
    expect(await desk.run('agent plan -f other.csv --detailed-exitcode')).toMatchObject({ exit: 10 });
    expect(await desk.run('agent plan -f other.yaml --detailed-exitcode')).toMatchObject({ exit: 10 });
  });

  test('keeps characters that a CSV export shows as visible texts', async () => {
    const person = JSON.stringify({
      agent: '102',
      lastName: 'O\u200Bka\u00ADfor\u200F',
      company: 'One\r\nTwo',
    });
    await using desk = await open({ 'people.yaml': `agents: [${person}]\n` });
    expect(await desk.run('agent apply -f people.yaml --yes')).toMatchObject({ exit: 0 });
    const { stdout } = await desk.run('agent export 102 -o csv');
    expect(stdout).toContain('O<U+200B>ka<U+00AD>for<U+200F>');
    writeFileSync(join(desk.cwd, 'people.csv'), stdout.replace('Dana', 'Dany'));
    const { changes }: { readonly changes: readonly { readonly after: unknown }[] } =
      await desk.json('agent plan -f people.csv');
    expect(changes.map(({ after }) => after)).toEqual([{ firstName: 'Dany' }]);
  });

  test('is undone for the others after a person was deleted', async () => {
    await using desk = await open();
    const before = await exported(desk);
    expect(await desk.run('agent apply -f people.csv --yes')).toMatchObject({ exit: 0 });
    await desk.sandbox.control('DELETE', '/users/107');
    expect(await desk.run('history undo last --yes')).toMatchObject({
      exit: 11,
      stderr: expect.stringContaining('Priya Nair (107): no longer exists') as string,
    });
    expect(await desk.run('history undo last --yes --force')).toMatchObject({ exit: 0 });
    const after = await exported(desk);
    for (const number of ['102', '106']) expect(after.get(number)).toEqual(before.get(number));
  });

  test('reports the people that the service rejects, and changes the others', async () => {
    await using desk = await open({
      'people.csv': 'agent,email,department\n102,mei.lin@example.com,\n104,,Night\n',
    });
    const { exit, stdout, stderr } = await desk.run('agent apply -f people.csv --yes -o json');
    expect(exit).toBe(8);
    expect(JSON.parse(stdout)).toMatchObject([
      { setting: 'email', status: 'failed' },
      { setting: 'department', status: 'changed' },
    ]);
    expect(stderr).toContain('extension Mei Lin already has this e-mail address');
  });

  test('rejects a saved plan after a change by somebody else, with what changed and who did it', async () => {
    await using desk = await open();
    await desk.json('agent plan -f people.csv --plan-out plan.json');
    writeFileSync(join(desk.cwd, 'other.csv'), 'agent,department\n102,Day shift\n');
    await desk.json('agent apply -f other.csv --yes');
    const { exit, stderr } = await desk.run('agent apply -f plan.json --yes');
    expect(exit).toBe(11);
    expect(stderr).toMatch(
      /user Dana Okafor \(102\): department was none and is now Day shift \(changed by 100 Avery Quinn at /,
    );
    expect((await exported(desk)).get('106')).toMatchObject({ status: 'Enabled' });
  });

  test('applies a saved plan, also as a pipe', async () => {
    await using desk = await open();
    const plan = await desk.run('agent plan -f people.csv -o json');
    expect(await desk.run('agent apply -f - --yes', { stdin: plan.stdout })).toMatchObject({ exit: 0 });
    expect(await desk.run('agent plan -f people.csv --detailed-exitcode')).toMatchObject({ exit: 0 });
  });

  test('resumes a run that was interrupted while the task was running', async () => {
    await using desk = await open();
    const stop = new AbortController();
    const interrupted = await desk.run('agent apply -f people.csv --yes', {
      signal: stop.signal,
      sleep: (_, signal) => {
        stop.abort(new Error('Ctrl-C'));
        signal.throwIfAborted();
        return Promise.resolve();
      },
    });
    expect(interrupted.exit).toBe(130);
    // The service has accepted the task, so it may still change the people.
    expect(interrupted.stdout).toContain('unknown');
    expect(interrupted.stdout).not.toMatch(/not (?:made|sent)/);
    expect(await desk.run('agent apply --resume last --yes')).toMatchObject({ exit: 0 });
    expect((await exported(desk)).get('106')).toMatchObject({
      department: 'Night shift',
      status: 'Disabled',
    });
  });

  test.each([404, 403, 401])(
    'reads the people back if the accepted task cannot be read (HTTP %i)',
    async (status) => {
      await using desk = await open({ 'people.csv': 'agent,department\n102,Night shift\n' });
      const fault = { kind: 'status', operation: 'readExtensionUpdateTask', status, times: 2 };
      await desk.sandbox.control('POST', '/faults', fault);
      const { exit, stdout } = await desk.run('agent apply -f people.csv --yes -o json');
      expect([exit, JSON.parse(stdout)]).toMatchObject([0, [{ status: 'changed' }]]);
      expect((await exported(desk)).get('102')).toMatchObject({ department: 'Night shift' });
    },
  );

  /** Interrupts a run before the service has changed anybody. */
  async function openInterrupted(): Promise<Desk> {
    const desk = await open();
    const stop = new AbortController();
    const { exit } = await desk.run('agent apply -f people.csv --yes', {
      signal: stop.signal,
      sleep: (_, signal) => {
        stop.abort(new Error('Ctrl-C'));
        signal.throwIfAborted();
        return Promise.resolve();
      },
    });
    expect(exit).toBe(130);
    return desk;
  }

  test('resumes no run after a change by somebody else', async () => {
    await using desk = await openInterrupted();
    writeFileSync(join(desk.cwd, 'other.csv'), 'agent,department\n102,Day shift\n');
    await desk.json('agent apply -f other.csv --yes');
    const runs: readonly { readonly id: string; readonly title: string }[] = await desk.json('history list');
    const id = runs.find(({ title }) => title.includes('people.csv'))?.id;
    const { exit, stderr } = await desk.run(`agent apply --resume ${id} --yes`);
    expect([exit, stderr]).toEqual([11, expect.stringContaining('is now Day shift')]);
    expect((await exported(desk)).get('102')).toMatchObject({ department: 'Day shift' });
  });

  test.each([
    ['--max-changes', '--max-changes 0', {}, 'but the limit is 0'],
    ['--protect', '--protect 106', {}, 'Mei Lin (106) would change, but --protect'],
    ['the setting protect', '', { UCCTL_PROTECT: '106' }, 'Mei Lin (106) would change, but --protect'],
  ])('resumes a run only within %s', async (_, option, env, text) => {
    await using desk = await openInterrupted();
    desk.writes();
    const { exit, stderr } = await desk.run(`agent apply --resume last --yes ${option}`, { env });
    expect([exit, stderr]).toEqual([9, expect.stringContaining(text)]);
    expect(desk.writes()).toEqual([]);
  });

  test('sends nothing above --max-changes, for protected people and in a dry run', async () => {
    await using desk = await open();
    desk.writes();
    expect(await desk.run('agent apply -f people.csv --yes --max-changes 2')).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('3 of 10 users would change, but the limit is 2') as string,
    });
    expect(await desk.run('agent apply -f people.csv --yes --protect 106')).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('Mei Lin (106) would change, but --protect') as string,
    });
    const dry = await desk.run('agent apply -f people.csv --dry-run -o json');
    expect(dry.exit).toBe(0);
    expect(JSON.stringify(JSON.parse(dry.stdout))).toContain('extension-bulk-update');
    expect(desk.writes()).toEqual([]);
  });
});

test('agent plan lists all problems of a file with their places', async () => {
  const bad =
    'agent,status,site,email\nnobody,,,\n102,Gone,,\n103,,Paris,\n201,Enabled,,\n104,Enabled,,\n104,Frozen,,\n';
  await using desk = await open({
    'bad.csv': bad,
    'bad.yaml': 'agents:\n  - agent: 102\n    departmnt: x\n    site: Paris\n',
  });
  const { exit, stderr } = await desk.run('agent plan -f bad.csv');
  expect(exit).toBe(2);
  for (const text of [
    'bad.csv, line 2, column agent: agent "nobody" not found',
    'bad.csv, line 3, column status: "Gone" is not a valid value; the value must be one of Enabled, Disabled, Frozen, NotActivated',
    'bad.csv, line 4, column site: site "Paris" not found; sites: Main Site',
    'bad.csv, line 5, column agent: "201" is not an agent',
    'bad.csv, line 7, column agent: Chris Smith (104) is listed twice',
  ])
    expect(stderr).toContain(text);
  const yaml = await desk.run('agent plan -f bad.yaml');
  expect(yaml.stderr).toContain(
    'bad.yaml, line 3, column 5: unknown setting "departmnt"; did you mean "department"?',
  );
  expect(yaml.stderr).toContain('bad.yaml, line 4, column site: site "Paris" not found');
});

test('agent plan rejects errors of a spreadsheet, and phone numbers that it changed', async () => {
  await using desk = await open({
    'bad.csv':
      'agent,mobilePhone,department,jobTitle\n102,1.65055E+10,Sales,2026-01-05\n103,,#N/A,#support\n104,,Sales,1e5\n',
  });
  const { exit, stderr } = await desk.run('agent plan -f bad.csv');
  expect(exit).toBe(2);
  expect(stderr.match(/^.*line \d.*$/gm)).toEqual([
    expect.stringContaining(
      'line 2, column mobilePhone: "1.65055E+10" was probably changed by a spreadsheet',
    ),
    expect.stringContaining('line 3, column department: "#N/A" is a spreadsheet error, not a value'),
  ]);
});

test('an export is a plan without changes, as YAML and as CSV', async () => {
  await using desk = await open({});
  for (const [format, file] of [
    ['yaml', 'all.yaml'],
    ['csv', 'all.csv'],
  ] as const) {
    const { stdout } = await desk.run(`agent export -o ${format}`);
    writeFileSync(join(desk.cwd, file), stdout);
    expect(await desk.json(`agent plan -f ${file}`)).toMatchObject({ changes: [], total: 10 });
  }
});

test('an export as CSV is a plan without changes, even with names like formulas and quotes', async () => {
  await using desk = await open({
    'names.yaml':
      "agents:\n  - agent: '102'\n    firstName: =SUM(1)\n    lastName: \"'t Hooft\"\n    jobTitle: \"'=genuine\"\n    department: '+-@'\n    company: \"''-two\"\n",
  });
  expect(await desk.run('agent apply -f names.yaml --yes')).toMatchObject({ exit: 0 });
  const { stdout } = await desk.run('agent export 102 -o csv');
  expect(stdout).toContain("'=SUM(1)");
  writeFileSync(join(desk.cwd, 'names.csv'), stdout);
  expect(await desk.json('agent plan -f names.csv')).toMatchObject({ changes: [] });
});

test.each([
  ['agent,number\n102,201\n', 'number 201 belongs to Support (201)'],
  ['agent,number\n102,103\n', 'number 103 belongs to José Álvarez (103)'],
  ['agent,number\n102,503\n103,503\n', 'have the same number 503'],
  ['agent,number\n102,103\n103,102\n', 'exchange their numbers'],
  ['agent,number\n102,103\n103,104\n104,102\n', 'exchange their numbers'],
  ['agent,number\n102,abc\n', 'the value must be an extension number of 1 to 8 digits'],
  ['agent,number\n102,0\n', 'the value must be an extension number of 1 to 8 digits'],
  [
    'agent,email\n102,new@example.com\n103,New@example.com\n',
    'Dana Okafor (102) in line 2 and José Álvarez (103) in line 3 have the same e-mail address new@example.com',
  ],
  ['agent,email\n102,notanemail\n', 'the value must be an e-mail address'],
  ['agent,departmnt\n102,Sales\n', 'column "departmnt" is not a setting; did you mean "department"?'],
  ['agent\n102\n', 'the list has no column with a setting'],
])('agent plan rejects %j', async (text, problem) => {
  await using desk = await open({ 'people.csv': text });
  const { exit, stderr } = await desk.run('agent plan -f people.csv');
  expect([exit, stderr]).toEqual([2, expect.stringContaining(problem)]);
});

test('agent plan warns of an address of somebody else, and accepts one that is given up', async () => {
  await using desk = await open({
    'taken.csv': 'agent,email\n102,mei.lin@example.com\n',
    'passed.csv': 'agent,email\n102,mei.lin@example.com\nMei Lin,mei@example.com\n',
  });
  expect(await desk.run('agent plan -f taken.csv')).toMatchObject({
    exit: 0,
    stderr: expect.stringMatching(
      /mei\.lin@example\.com belongs to Mei Lin \(\d+\); the service may reject it/,
    ) as string,
  });
  const { stderr } = await desk.run('agent plan -f passed.csv');
  expect(stderr).not.toContain('belongs to');
  expect(await desk.run('agent apply -f passed.csv --yes')).toMatchObject({ exit: 0 });
  expect(await desk.run('history undo last --yes')).toMatchObject({ exit: 0 });
});

test('agent plan names the columns that it ignores', async () => {
  await using desk = await open({ 'people.csv': 'agent,departmnt,title,floor\n102,Sales,Lead,3\n' });
  const { exit, stderr } = await desk.run('agent plan -f people.csv');
  expect(exit).toBe(0);
  expect(stderr).toContain('column "departmnt" is not a setting; did you mean "department"?');
  expect(stderr).toContain('column "floor" is not a setting; ucctl ignores the column');
});

test('agent apply changes a number that another person gives up first, and the undo does so too', async () => {
  await using desk = await open({ 'people.csv': 'agent,number\n102,103\n103,104\n104,504\n' });
  const before = await exported(desk);
  expect(await desk.run('agent apply -f people.csv --yes')).toMatchObject({ exit: 0 });
  const after = await exported(desk);
  expect(['103', '104', '504'].map((number) => after.get(number)?.agent)).toEqual(
    ['102', '103', '104'].map((number) => before.get(number)?.agent),
  );
  expect(await desk.run('history undo last --yes')).toMatchObject({ exit: 0 });
  expect(await exported(desk)).toEqual(before);
});

test('a run of people or hours cannot be undone in dialect spec, and nothing is recorded', async () => {
  await using desk = await open({
    'people.csv': list,
    'hours.yaml': 'hours:\n  - owner: "201"\n    monday: 10:00-12:00\n',
  });
  for (const words of ['agent apply -f people.csv', 'hours apply -f hours.yaml']) {
    expect(await desk.run(`${words} --yes`)).toMatchObject({ exit: 0 });
    const runs = await desk.json('history list');
    const { exit, stderr } = await desk.run('history undo last --yes --force --dialect spec');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('is not available in dialect spec')]);
    expect(await desk.json('history list')).toEqual(runs);
  }
});

describe('options that say how to read a table', () => {
  const yaml = 'agents:\n  - agent: "102"\n    department: null\n';

  test.each(['--remove-empty', '--map Who=agent', '--sheet People'])(
    '%s is an error with a saved plan and with a resumed run',
    async (option) => {
      await using desk = await open();
      await desk.json('agent plan -f people.csv --plan-out plan.json');
      desk.writes();
      const name = option.split(' ')[0] ?? '';
      for (const source of ['-f plan.json', '--resume last']) {
        const { exit, stderr } = await desk.run(`agent apply ${source} ${option} --yes`);
        expect(exit).toBe(2);
        expect(stderr).toContain(name);
      }
      expect(desk.writes()).toEqual([]);
    },
  );

  test('--remove-empty is an error with YAML, where null removes a value', async () => {
    await using desk = await open({ 'people.yaml': yaml });
    for (const command of ['agent plan', 'agent apply --yes']) {
      const { exit, stderr } = await desk.run(`${command} -f people.yaml --remove-empty`);
      expect(exit).toBe(2);
      expect(stderr).toContain('null removes a value');
    }
  });
});
