import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice, type Office } from '../office.ts';

const support = 171_857_201;
const fixtures = 'test/fixtures';
/** The service that the fixtures were made for. */
const fixtureEnv = { UCCTL_BASE_URL: 'http://127.0.0.1:24310' };

const one = 'queues:\n  - queue: Support\n    agents: [102]\n  - queue: Sales\n    agents: [104]\n';

function desk(files: Readonly<Record<string, string>> = {}) {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return { cwd, paths: temporaryPaths(), read: (name: string) => readFileSync(join(cwd, name), 'utf8') };
}

const writes = (office: Office) => office.requests().filter((line) => !line.startsWith('GET')).length;
const members = (office: Office, queue = support) =>
  office.sandbox.members(queue).map(({ extensionNumber }) => extensionNumber);

/** A plan of a list that removes 103 and 104 from Support, 105 and 106 from Sales. */
async function planned(flags: string, list = one) {
  const office = await openOffice();
  const at = desk({ 'one.yaml': list });
  const made = await office.run(`queue plan -f one.yaml --plan-out plan.json ${flags}`, at);
  expect(made.exit).toBe(0);
  office.requests();
  const apply = (more = '', env: Readonly<Record<string, string>> = {}) =>
    office.run(`queue apply -f plan.json --yes ${more}`, { ...at, env });
  return { office, at, apply };
}

describe('the safety limits of a saved plan', () => {
  it.each([
    [
      '--max-removals 1',
      '',
      '4 of 6 agents would be removed, but the limit is 1; the plan was created with this limit',
    ],
    ['--max-removals 1', '--max-removals 2', 'the limit is 1; the plan was created with this limit'],
    ['--max-removals 1', '--max-removals 100%', 'the limit is 1; the plan was created with this limit'],
    ['--max-removals 10', '--max-removals 2', '4 of 6 agents would be removed, but the limit is 2\n'],
    ['--max-removals 10', '--max-removals 50%', 'the limit is 50% (3)\n'],
    ['--max-removals 3', '--max-removals 2', '4 of 6 agents would be removed, but the limit is 2\n'],
    ['--max-removals 10', '--protect 103', 'José Álvarez (103) is protected and would be removed'],
    ['--protect 103', '', 'from Support (201); the plan was created with this limit'],
  ])('made with %j and applied with %j: nothing is sent', async (plan, apply, words) => {
    const { office, apply: run } = await planned(plan);
    const { exit, stderr } = await run(apply);
    expect([exit, writes(office)]).toEqual([9, 0]);
    expect(stderr).toContain('error: the plan exceeds a safety limit\n');
    expect(stderr).toContain(words);
    const isOfPlan = words.includes('was created with');
    expect(stderr.includes('create the plan again')).toBe(isOfPlan);
    expect(members(office)).toEqual(['102', '103', '104']);
  });

  it('a plan with a lower limit than the options, a protected agent and a mode is rejected', async () => {
    const { office, apply } = await planned('--max-removals 1');
    const { exit, stderr } = await apply('--max-removals 2 --protect 103 --add-only');
    expect([exit, writes(office)]).toEqual([2, 0]);
    expect(stderr).toContain('--add-only can be used only with a list; ucctl applies a saved plan unchanged');
  });

  it.each(['--add-only', '--remove-only', '--exact', '--map Who=extension', '--sheet People'])(
    '%s is a usage error',
    async (flag) => {
      const { office, apply } = await planned('--max-removals 10');
      expect([(await apply(flag)).exit, office.requests()]).toEqual([2, []]);
    },
  );

  it('protects the agents that the profile protects when the plan is applied', async () => {
    const { office, apply } = await planned('--max-removals 10');
    const { exit, stderr } = await apply('', { UCCTL_PROTECT: '103' });
    expect([exit, writes(office)]).toEqual([9, 0]);
    expect(stderr).toContain('José Álvarez (103) is protected and would be removed from Support (201)');
    expect((await apply('')).exit).toBe(0);
    expect(members(office)).toEqual(['102']);
  });

  it('--allow-empty applies when the plan is created', async () => {
    const list = 'queues:\n  Billing: []\n';
    const strict = await planned('', list);
    const blocked = await strict.apply('--allow-empty');
    expect([blocked.exit, writes(strict.office)]).toEqual([9, 0]);
    expect(blocked.stderr).toContain(
      'Billing (203) would have no agents left; the plan was created with this limit',
    );
    const loose = await planned('--allow-empty', list);
    expect((await loose.apply()).exit).toBe(0);
    expect(members(loose.office, 171_857_203)).toEqual([]);
  });

  it('are stored as data in the plan', async () => {
    const { at } = await planned(
      '--max-removals 50% --protect 103',
      'queues:\n  Support: [102]\n  Billing: []\n',
    );
    expect(JSON.parse(at.read('plan.json'))).toMatchObject({
      version: 3,
      limits: { maxRemovals: { given: '50%', atLeast: 0 }, allowEmpty: false, protectedIds: ['171857103'] },
      guards: [
        { kind: 'max-removals', removed: 3, total: 4, limit: 2, given: '50%' },
        { kind: 'empty', queue: { id: '171857203', name: 'Billing', extensionNumber: '203' } },
        { kind: 'protected', agent: { id: '171857103' }, queue: { id: '171857201' } },
      ],
    });
  });

  it('cannot be removed by editing the plan: a plan without limits is rejected', async () => {
    const { office, at, apply } = await planned('--max-removals 1');
    const document = JSON.parse(at.read('plan.json')) as Record<string, unknown>;
    for (const edit of [{ limits: undefined }, { limits: {} }, { version: 4 }, { version: undefined }]) {
      writeFileSync(join(at.cwd, 'plan.json'), JSON.stringify({ ...document, ...edit }));
      const { exit, stderr } = await apply();
      expect([exit, office.requests(), stderr]).toEqual([
        2,
        [],
        expect.stringContaining('create the plan again'),
      ]);
    }
    // The guards in the file are for readers: the limits count.
    writeFileSync(join(at.cwd, 'plan.json'), JSON.stringify({ ...document, guards: [] }));
    expect((await apply()).exit).toBe(9);
  });
});

/** The office with a plan that an earlier version saved. */
async function old(name: string, commit = 'caa7557') {
  const office = await openOffice();
  const at = desk();
  copyFileSync(join(fixtures, commit, name), join(at.cwd, 'plan.json'));
  office.requests();
  const apply = (more = '', env: Readonly<Record<string, string>> = {}) =>
    office.run(`queue apply -f plan.json --yes ${more}`, { ...at, env: { ...fixtureEnv, ...env } });
  return { office, apply };
}

describe('a saved plan with a skipped row', () => {
  const list = 'queue,extension,action\nSupport,105,add\nSupport,999,add\n';

  /** A plan as it was written before `row` was a line: an index, and no member `index`. */
  const withIndexOnly = (text: string): string =>
    text.replace('"row": 3,', '"row": 1,').replace(/"index": 1,\s*/, '');

  it.each([
    ['of this version', (text: string) => text],
    ['with the index in row', withIndexOnly],
  ])('%s: the result of that row is in its row of the results file', async (_, change) => {
    const office = await openOffice();
    const at = desk({ 'list.csv': list });
    await office.run('queue plan -f list.csv --skip-invalid --plan-out plan.json', at);
    const plan = at.read('plan.json');
    expect(plan).toContain('"row": 3');
    writeFileSync(join(at.cwd, 'plan.json'), change(plan));
    const { exit } = await office.run('queue apply -f plan.json --yes --skip-invalid --results done.csv', at);
    expect(exit).toBe(8);
    const [, added, skipped] = at.read('done.csv').split(/\r?\n/);
    expect([added, skipped]).toEqual([
      expect.stringMatching(/^Support,105,add,added/),
      expect.stringMatching(/^Support,999,add,skipped/),
    ]);
  });
});

it('a saved plan with skipped rows is applied only if --max-errors accepts them', async () => {
  const office = await openOffice();
  const at = desk({ 'list.csv': 'queue,extension,action\nSupport,105,add\nSupport,999,add\n' });
  await office.run('queue plan -f list.csv --skip-invalid --plan-out plan.json', at);
  const apply = 'queue apply -f plan.json --yes --skip-invalid --max-errors';
  office.requests();
  expect([(await office.run(`${apply} 0`, at)).exit, writes(office)]).toEqual([2, 0]);
  expect((await office.run(`${apply} 1`, at)).exit).toBe(8);
});

describe('a plan created by commit 561231b0', () => {
  it('is applied without the row that it skipped, with --skip-invalid', async () => {
    const { office, apply } = await old('plan-mixed.json', '561231b0');
    expect([(await apply()).exit, writes(office)]).toEqual([2, 0]);
    const { exit, stderr } = await apply('--skip-invalid');
    expect([exit, members(office)]).toEqual([8, ['102', '103', '104', '105']]);
    expect(stderr).toContain('  ! mixed.csv, line 2, column extension: there is no agent "999"');
  });

  it('keeps its safety limits', async () => {
    const { office, apply } = await old('plan-mixed.json', '561231b0');
    expect([(await apply('--skip-invalid --max-removals 0')).exit, writes(office)]).toEqual([9, 0]);
  });
});

describe('a plan created by commit caa7557', () => {
  it('is applied', async () => {
    const { office, apply } = await old('plan.json');
    expect((await apply()).exit).toBe(0);
    expect(members(office)).toEqual(['102', '103', '105']);
  });

  it.each([
    ['--protect 104', {}],
    ['--max-removals 0', {}],
    ['', { UCCTL_PROTECT: '104' }],
  ])('obeys %j %j', async (flags, env) => {
    const { office, apply } = await old('plan.json');
    expect([(await apply(flags, env)).exit, writes(office)]).toEqual([9, 0]);
  });

  it.each([
    ['plan-max-removals.json', '4 of 6 agents would be removed, more than 1 (1)'],
    ['plan-protected.json', 'José Álvarez (103) is protected and would be removed from Support (201)'],
    ['plan-empty.json', 'Billing (203) would have no agent left'],
  ])('%s exceeds its limits whatever the options say', async (name, words) => {
    const { office, apply } = await old(name);
    const { exit, stderr } = await apply('--max-removals 100% --allow-empty');
    expect([exit, writes(office)]).toEqual([9, 0]);
    expect(stderr).toContain(words);
    expect(stderr).toContain('create the plan again');
  });

  it('skips the rows that it skipped when it was created, with --skip-invalid', async () => {
    const { office, apply } = await old('plan-refused.json');
    expect([(await apply()).exit, writes(office)]).toEqual([2, 0]);
    const { exit, stderr } = await apply('--skip-invalid');
    expect([exit, members(office)]).toEqual([8, ['102', '103', '104', '105']]);
    expect(stderr).toContain('  ! refused.csv:2:extension: there is no agent "999"');
  });
});
