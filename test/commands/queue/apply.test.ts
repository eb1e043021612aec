import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HttpRequest, HttpSend } from '../../../src/client/index.ts';
import { fillLargeOffice } from '../../support/large-office.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice, type Office } from '../office.ts';

const support = 171_857_201;
const sales = 171_857_202;
const numbers = ({ sandbox }: Office, queue: number) =>
  sandbox.members(queue).map(({ extensionNumber }) => extensionNumber);
const isAssign = (request: HttpRequest) =>
  request.method === 'POST' && request.url.pathname.endsWith('/bulk-assign');
const writes = (office: Office) => office.requests().filter((line) => !line.startsWith('GET')).length;

const desired =
  'queues:\n  - queue: Support\n    agents: [102, 103, 105]\n  - queue: Sales\n    agents: [104, 105, 106]\n';

/** A folder with files in it, as the working directory, and a state folder of its own. */
function desk(files: Readonly<Record<string, string>>) {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return { cwd, paths: temporaryPaths(), read: (name: string) => readFileSync(join(cwd, name), 'utf8') };
}

describe('queue plan', () => {
  it('shows the difference as a diff on a terminal and as JSON for programs, and sends nothing', async () => {
    const office = await openOffice();
    office.requests();
    const at = desk({ 'queues.yaml': desired });
    const { exit, stderr, stdout } = await office.run('queue plan -f queues.yaml --color never', {
      ...at,
      terminal: 100,
    });
    expect([exit, stdout]).toEqual([0, '']);
    expect(stderr).toContain(
      'Support (201)\n  = Dana Okafor (102) is already a member\n  = José Álvarez (103) is already a member\n  + Chris Smith (105)\n  - Chris Smith (104)\n',
    );
    expect(stderr).toContain('1 to add, 1 to remove in 1 queue');
    expect(writes(office)).toBe(0);
    const json = await office.run('queue plan -f queues.yaml -o json --detailed-exitcode', at);
    expect(json.exit).toBe(10);
    expect(JSON.parse(json.stdout)).toMatchObject({
      summary: { add: 1, remove: 1, unchanged: 5, queues: 1 },
      changes: expect.arrayContaining([
        expect.objectContaining({ extension: '104', action: 'remove' }),
      ]) as unknown,
      guards: [],
      problems: [],
    });
  });

  it('reports unknown and disabled agents together with the other rows', async () => {
    const office = await openOffice();
    const at = desk({ 'a.csv': 'queue,extension,action\n201,999,add\n201,108,add\n201,105,add\n' });
    const rejected = await office.run('queue plan -f a.csv -o json --plan-out plan.json', at);
    expect([rejected.exit, rejected.stdout]).toEqual([2, '']);
    expect(() => at.read('plan.json')).toThrow('ENOENT');
    const { exit, stdout, stderr } = await office.run('queue plan -f a.csv -o json --skip-invalid', at);
    expect(exit).toBe(8);
    expect(JSON.parse(stdout)).toMatchObject({
      problems: ['a.csv:2:extension: agent "999" not found', expect.stringContaining('Disabled')],
      skipped: [
        { queue: '201', agent: '999', code: 'not_found', row: 2, index: 0 },
        { queue: '201', agent: '108', code: 'not_an_agent', row: 3, index: 1 },
      ],
      summary: { add: 1 },
    });
    const { error } = JSON.parse(stderr) as { error: { details: readonly string[] } };
    expect(error.details).toEqual([
      expect.stringContaining('a.csv:2:extension: agent "999" not found'),
      'a.csv:3:extension: Jordan Hale (108) cannot take calls: its status is Disabled',
    ]);
  });

  it('shows skipped rows in the diff and in the table too', async () => {
    const office = await openOffice();
    const at = desk({ 'a.csv': 'queue,extension,action\n201,999,add\n201,105,add\n' });
    const diff = await office.run('queue plan -f a.csv --skip-invalid --color never', {
      ...at,
      terminal: 100,
    });
    expect(diff.stderr).toContain(
      'Support (201)\n  + Chris Smith (105)\n  ! a.csv, line 2, column extension: agent "999" not found\n',
    );
    const { stdout } = await office.run(
      'queue plan -f a.csv --skip-invalid --fields action,queue,extension',
      at,
    );
    expect(stdout).toBe('add\t201\t105\nskipped\t201\t999\n');
  });

  it('exits with 0 under --detailed-exitcode if there are no changes', async () => {
    const { run } = await openOffice();
    const at = desk({ 'a.csv': 'queue,extension,action\n201,102,add\n' });
    expect((await run('queue plan -f a.csv --detailed-exitcode', at)).exit).toBe(0);
  });
});

describe('queue apply', () => {
  it('under --detailed-exitcode exits with 10 if there are changes to make or made, otherwise with 0', async () => {
    const office = await openOffice();
    const at = desk({ 'queues.yaml': desired });
    const apply = 'queue apply -f queues.yaml --yes --detailed-exitcode';
    expect((await office.run(`${apply} --dry-run`, at)).exit).toBe(10);
    expect(writes(office)).toBe(0);
    expect((await office.run(apply, at)).exit).toBe(10);
    expect((await office.run(apply, at)).exit).toBe(0);
    expect((await office.run(`${apply} --dry-run`, at)).exit).toBe(0);
    const resume = 'queue apply --resume last --yes --detailed-exitcode';
    expect((await office.run(resume, at)).exit).toBe(0);
  });

  it('reaches the desired state, and a second time sends nothing', async () => {
    const office = await openOffice();
    const at = desk({ 'queues.yaml': desired });
    const first = await office.run('queue apply -f queues.yaml --yes -o json', at);
    expect(first.exit).toBe(0);
    expect(numbers(office, support)).toEqual(['102', '103', '105']);
    expect(writes(office)).toBe(1);
    const again = await office.run('queue apply -f queues.yaml --yes -o json', at);
    expect([again.exit, writes(office)]).toEqual([0, 0]);
    for (const { stdout } of [first, again]) {
      const ids = (JSON.parse(stdout) as { queueId: unknown; agentId: unknown }[]).map((row) => [
        typeof row.queueId,
        typeof row.agentId,
      ]);
      expect(ids).toEqual(ids.map(() => ['string', 'string']));
    }
    expect(again.stderr).toContain('No changes: everything is already up to date.');
  });

  it.each([
    ['--add-only', ['102', '103', '104', '105']],
    ['--remove-only', ['102', '103']],
    ['--exact', ['102', '103', '105']],
  ])('with %s makes only these changes', async (flag, members) => {
    const office = await openOffice();
    const at = desk({ 'a.csv': 'queue,extension\n201,102\n201,103\n201,105\n' });
    expect((await office.run('queue apply -f a.csv --yes', at)).exit).toBe(2);
    expect((await office.run(`queue apply -f a.csv --yes ${flag}`, at)).exit).toBe(0);
    expect(numbers(office, support)).toEqual(members);
  });

  it('explains what a list without an action column can mean', async () => {
    const office = await openOffice();
    const at = desk({ 'a.csv': 'queue,extension\n201,103\n201,105\n' });
    const { exit, stderr } = await office.run('queue apply -f a.csv --yes', at);
    expect(exit).toBe(2);
    expect(stderr).toContain('--remove-only  only remove all agents who are not in the list\n');
    expect(stderr).toContain(
      'to remove the agents in the list, add an "action" column with the value remove',
    );
  });

  it('with --remove-only says which members it keeps', async () => {
    const office = await openOffice();
    const at = desk({ 'a.csv': 'queue,extension\n201,103\n201,105\n' });
    for (const command of ['queue plan -f a.csv', 'queue apply -f a.csv --dry-run']) {
      const { stderr } = await office.run(`${command} --remove-only`, { ...at, terminal: 100 });
      expect(stderr).toContain(
        '--remove-only keeps the agents who are in the list (1) and removes all other agents.',
      );
    }
    const changes = desk({ 'a.csv': 'queue,extension,action\n201,103,remove\n' });
    const { stderr } = await office.run('queue plan -f a.csv --remove-only', { ...changes, terminal: 100 });
    expect(stderr).not.toContain('--remove-only keeps');
  });

  it('rejects a plan that exceeds a safety limit, and names the flag that allows it', async () => {
    const office = await openOffice();
    office.requests();
    const at = desk({ 'q.yaml': 'queues:\n  Support: [102]\n  Billing: []\n' });
    const run = (flags: string) => office.run(`queue apply -f q.yaml --yes ${flags}`, at);
    const empty = await run('');
    expect([empty.exit, writes(office)]).toEqual([9, 0]);
    expect(empty.stderr).toContain(
      'Billing (203) would have no agents left; use --allow-empty to allow an empty queue',
    );
    const many = await run('--allow-empty --max-removals 50%');
    expect(many.stderr).toContain('3 of 4 agents would be removed, but the limit is 50% (2)');
    const guarded = await run('--allow-empty --protect jose.alvarez@example.com');
    expect([guarded.exit, guarded.stderr]).toEqual([
      9,
      expect.stringContaining('José Álvarez (103) is protected'),
    ]);
    expect(guarded.stderr).toContain('set by --protect or the protect setting');
    expect(guarded.stderr).toContain(
      'if you want to make these changes, raise the limits with the options above; otherwise, change the list',
    );
    const profile = await office.run('queue apply -f q.yaml --yes --allow-empty', {
      ...at,
      env: { UCCTL_PROTECT: '104' },
    });
    expect([profile.exit, writes(office)]).toEqual([9, 0]);
    expect((await run('--allow-empty')).exit).toBe(0);
    expect(numbers(office, support)).toEqual(['102']);
  });

  it('applies a saved plan, and rejects it if the members have changed since (exit 11)', async () => {
    const office = await openOffice();
    const at = desk({ 'queues.yaml': desired });
    await office.run('queue plan -f queues.yaml --plan-out plan.json', at);
    await office.run('queue assign --queue Sales --add 107 --yes', at);
    office.requests();
    const stale = await office.run('queue apply -f plan.json --yes', at);
    expect([stale.exit, writes(office)]).toEqual([11, 0]);
    expect(stale.stderr).toMatch(/  Sales \(202\): [^\n]+ \(107\) joined\n/);
    await office.run('queue unassign Sales 107 --yes', at);
    expect((await office.run('queue apply -f plan.json --yes', at)).exit).toBe(0);
    expect(numbers(office, support)).toEqual(['102', '103', '105']);
  });

  it.each([
    ['a slow confirmation', 2500],
    ['a confirmation during which the clock was set back', -2500],
  ])('detects a change of members between the plan and %s', async (_, step) => {
    let reads = 0;
    const meddles =
      (send: HttpSend): HttpSend =>
      async (request) => {
        if (request.url.pathname.endsWith('/members') && (reads += 1) === 3) {
          const url = new URL(request.url.href.replace(/\/department.*/, '/department/bulk-assign'));
          const headers = { ...request.headers, 'content-type': 'application/json' };
          const items = [{ departmentId: String(sales), addedExtensionIds: ['171857107'] }];
          await send({ ...request, method: 'POST', url, headers, body: JSON.stringify({ items }) });
        }
        return send(request);
      };
    const office = await openOffice('administrator', meddles);
    const at = desk({ 'queues.yaml': desired });
    let now = 3_600_000;
    // Between two looks at the clock, the answer took its time.
    const slow = { ...at, now: () => (now += step) };
    const { exit, stderr } = await office.run('queue apply -f queues.yaml --yes', slow);
    expect([exit, stderr]).toEqual([11, expect.stringContaining('the members have changed since')]);
    expect(numbers(office, support)).toEqual(['102', '103', '104']);
  });

  it('sends no write under --dry-run, and shows every request', async () => {
    const office = await openOffice();
    office.requests();
    const at = desk({ 'queues.yaml': desired });
    const { exit, stdout } = await office.run(
      'queue apply -f queues.yaml --dry-run --max-items 1 -o json',
      at,
    );
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(2);
    expect([writes(office), office.sandbox.requestLog().filter(({ method }) => method !== 'GET')]).toEqual([
      0,
      [expect.objectContaining({ path: '/restapi/oauth/token' })],
    ]);
  });
});

describe('a run of many', () => {
  const rows = (count: number, from = 10_000) =>
    `queue,extension,action,note\n${Array.from({ length: count }, (_, at) => `${50_000 + (at % 5)},${from + at},add,row ${at}\n`).join('')}`;

  async function largeOffice(around?: (send: HttpSend) => HttpSend) {
    const database = join(temporaryFolder(), 'large.db');
    const large = fillLargeOffice(database, { agents: 500, queues: 5, members: (queue) => [queue + 1] });
    const office = await openOffice('administrator', around, database);
    const members = () =>
      JSON.stringify(large.queues.map(({ id }) => office.sandbox.members(id).map((row) => row.id)));
    return { office, members };
  }

  it('prints an estimate before it reads the members of many queues', async () => {
    const database = join(temporaryFolder(), 'queues.db');
    fillLargeOffice(database, { agents: 5, queues: 120 });
    const office = await openOffice('administrator', undefined, database);
    const lines = Array.from({ length: 120 }, (_, at) => `${50_000 + at},10001,add\n`).join('');
    const at = desk({ 'list.csv': `queue,extension,action\n${lines}` });
    const { exit, stderr } = await office.run('queue plan -f list.csv', at);
    expect(exit).toBe(0);
    expect(stderr).toMatch(/^Reading queue members takes about 2 min: 120 light requests\n/);
  });

  it('with one bad id in 500 makes 499 changes, reports one, and exits with 8', async () => {
    const spoils =
      (send: HttpSend): HttpSend =>
      (request) =>
        send(
          isAssign(request)
            ? { ...request, body: String(request.body).replace('"300000250"', '"999"') }
            : request,
        );
    const { office, members } = await largeOffice(spoils);
    const at = desk({ 'list.csv': rows(500) });
    const before = members();
    office.requests();
    const result = await office.run(
      'queue apply -f list.csv --yes --results out.csv --fields extension,status',
      at,
    );
    expect(result.exit).toBe(8);
    expect(result.stdout.match(/added/g)).toHaveLength(499);
    expect(result.stdout.match(/failed/g)).toEqual(['failed']);
    expect(result.stderr).toContain('error: 1 of 500 changes was not made');
    expect(office.requests().filter((line) => line.endsWith('bulk-assign'))).toHaveLength(3);
    const out = at.read('out.csv').split('\n');
    expect(out[0]).toBe(
      'queue,extension,action,note,result status,result action,result code,result message,result request id,result attempts,result time',
    );
    expect(out[251]).toMatch(/^50000,10250,add,row 250,failed,add,CMN-102,/);
    expect(out[7]).toMatch(/^50001,10006,add,row 6,added,add,,,[\w-]+,\d,\d{4}-/);

    const dry = await office.run('history undo last --dry-run -o json --max-items 100', at);
    expect([dry.exit, (JSON.parse(dry.stdout) as unknown[]).length]).toEqual([0, 5]);
    const undone = await office.run('history undo last --yes -o json', at);
    expect([undone.exit, members()]).toEqual([0, before]);
  });

  const unknownAt = (row: number, count: number) => rows(count).replace(`,${10_000 + row},`, ',77777,');

  it('with one unknown person in 500 rows sends nothing, or with --skip-invalid makes 499 changes (exit 8)', async () => {
    const { office, members } = await largeOffice();
    const at = desk({ 'list.csv': unknownAt(250, 500) });
    const before = members();
    office.requests();
    const strict = await office.run('queue apply -f list.csv --yes', at);
    expect([strict.exit, strict.stdout, writes(office)]).toEqual([2, '', 0]);
    expect(strict.stderr).toContain('or skip these rows with --skip-invalid; nothing was sent');
    const argv = 'queue apply -f list.csv --yes --skip-invalid --results out.csv --fields extension,status';
    const first = await office.run(argv, at);
    expect(first.exit).toBe(8);
    expect(first.stdout.match(/added/g)).toHaveLength(499);
    expect(first.stdout.match(/77777\tskipped/g)).toHaveLength(1);
    expect(first.stderr).toContain('  ! list.csv, line 252, column extension: agent "77777" not found');
    expect(first.stderr).toContain('error: 1 of 500 changes was not made');
    expect(at.read('out.csv')).toMatch(
      /\n50000,77777,add,row 250,skipped,add,not_found,"list.csv:252:extension: agent ""77777"" not found"[^\r\n]*,,0,\n/,
    );
    expect(writes(office)).toBe(1);
    const again = await office.run(argv, at);
    expect([again.exit, writes(office)]).toEqual([8, 0]);
    expect(at.read('out.csv').match(/,unchanged,/g)).toHaveLength(499);
    expect(at.read('out.csv').match(/,skipped,add,not_found,/g)).toHaveLength(1);
    expect((await office.run('history undo last --yes', at)).exit).toBe(0);
    expect(members()).toBe(before);
  });

  it.each(['--fail-fast', '--max-errors 0'])(
    'with --skip-invalid %s rejects a list with an unknown person',
    async (flag) => {
      const { office } = await largeOffice();
      const at = desk({ 'list.csv': unknownAt(5, 20) });
      office.requests();
      const { exit, stdout, stderr } = await office.run(
        `queue apply -f list.csv --yes --skip-invalid ${flag}`,
        at,
      );
      expect([exit, stdout, writes(office)]).toEqual([2, '', 0]);
      expect(stderr).toContain('list.csv, line 7, column extension: agent "77777" not found');
    },
  );

  it('reports the row with an unknown person also when a saved plan is applied or a run is resumed', async () => {
    const stop = new AbortController();
    const { office } = await largeOffice((send) => (request) => {
      if (isAssign(request)) stop.abort(new Error('enough'));
      return send(request);
    });
    const at = desk({ 'list.csv': unknownAt(5, 20) });
    const plan = 'queue plan -f list.csv --skip-invalid --plan-out plan.json';
    expect((await office.run(plan, at)).exit).toBe(8);
    const strict = await office.run('queue apply -f plan.json --yes', at);
    expect([strict.exit, strict.stderr]).toEqual([2, expect.stringContaining('--skip-invalid')]);
    const broken = await office.run('queue apply -f plan.json --yes --skip-invalid --max-items 10', {
      ...at,
      signal: stop.signal,
    });
    expect(broken.exit).toBe(130);
    expect((await office.run('queue apply --resume last --dry-run', at)).exit).toBe(8);
    const resumed = await office.run('queue apply --resume last --yes --results out.csv', at);
    expect([resumed.exit, resumed.stderr]).toEqual([
      8,
      expect.stringContaining('1 of 20 changes was not made'),
    ]);
    expect(at.read('out.csv').match(/,added,/g)).toHaveLength(19);
    expect(at.read('out.csv').match(/77777,add,row 5,skipped,/g)).toHaveLength(1);
  });

  it('under --dry-run exits with 8 if the run itself would, because of skipped rows', async () => {
    const { office } = await largeOffice();
    const at = desk({ 'list.csv': unknownAt(5, 20) });
    office.requests();
    const dry = await office.run(
      'queue apply -f list.csv --skip-invalid --dry-run --detailed-exitcode -o json',
      at,
    );
    expect([dry.exit, writes(office)]).toEqual([8, 0]);
    expect(JSON.parse(dry.stdout)).toMatchObject([{ method: 'POST' }]);
    expect(dry.stderr).toContain('1 row would be skipped');
    expect(dry.stderr).toContain('list.csv, line 7, column extension: agent');
  });

  it('does not mention removals with --add-only', async () => {
    const office = await openOffice();
    const at = desk({ 'a.yaml': 'queues:\n  Support: [102, 106, 999]\n  Suport: [103]\n' });
    const added = await office.run('queue apply -f a.yaml --add-only --skip-invalid --yes', at);
    expect([added.exit, numbers(office, support)]).toEqual([8, ['102', '103', '104', '106']]);
    expect(added.stderr).not.toContain('nobody is removed');
  });

  it('removes nobody from a queue with an unknown person, and from no queue if a queue is not found', async () => {
    const office = await openOffice();
    const at = desk({
      'a.yaml': 'queues:\n  Support: [102, 999]\n  Sales: [104, 105]\n',
      'b.yaml': 'queues:\n  Suport: [102]\n  Support: [103]\n',
    });
    const lost = await office.run('queue apply -f b.yaml --skip-invalid --yes', at);
    expect([lost.exit, numbers(office, support)]).toEqual([8, ['102', '103', '104']]);
    expect(lost.stderr).toContain('no agents are removed: a queue of the list was not found');
    const one = await office.run('queue apply -f a.yaml --skip-invalid --yes', at);
    expect(one.exit).toBe(8);
    expect(one.stderr).toContain(
      'no agents are removed from Support (201): an agent in its rows was not found',
    );
    expect([numbers(office, support), numbers(office, sales)]).toEqual([
      ['102', '103', '104'],
      ['104', '105'],
    ]);
  });

  it('writes a results file that repeats only the failures when used as input', async () => {
    let spoil = true;
    const spoils =
      (send: HttpSend): HttpSend =>
      (request) =>
        send(
          isAssign(request) && spoil
            ? { ...request, body: String(request.body).replace('"300000007"', '"999"') }
            : request,
        );
    const { office } = await largeOffice(spoils);
    const at = desk({ 'list.csv': rows(20) });
    expect((await office.run('queue apply -f list.csv --yes --results out.csv', at)).exit).toBe(8);
    spoil = false;
    office.requests();
    expect((await office.run('queue apply -f out.csv --yes --results again.csv', at)).exit).toBe(0);
    expect(writes(office)).toBe(1);
    expect(at.read('again.csv').match(/,unchanged,/g)).toHaveLength(19);
    expect(at.read('again.csv').match(/,added,/g)).toHaveLength(1);
  });

  it('writes the results of a desired state as a list of actions, so that removed agents stay removed', async () => {
    const office = await openOffice();
    const at = desk({ 'a.csv': 'queue,extension\n201,102\n201,105\n' });
    const first = await office.run('queue apply -f a.csv --exact --yes --results out.csv', at);
    expect([first.exit, numbers(office, support)]).toEqual([0, ['102', '105']]);
    const again = await office.run('queue apply -f out.csv --yes', at);
    expect([again.exit, numbers(office, support)]).toEqual([0, ['102', '105']]);
  });

  it('resumes after Ctrl-C where it stopped, and can be undone exactly', async () => {
    const stop = new AbortController();
    let sent = 0;
    const interrupts =
      (send: HttpSend): HttpSend =>
      (request) => {
        if (isAssign(request) && (sent += 1) === 2) stop.abort(new Error('interrupted'));
        return send(request);
      };
    const { office, members } = await largeOffice(interrupts);
    const at = desk({ 'list.csv': rows(100) });
    const before = members();
    const broken = await office.run('queue apply -f list.csv --yes --max-items 20', {
      ...at,
      signal: stop.signal,
    });
    expect(broken.exit).toBe(130);
    expect(broken.stderr).toMatch(
      /warning: interrupted: 40 of 100 changes made, 60 left; resume the run: ucctl queue apply --resume \d{8}-\d{6}-[0-9a-f]{4}\n/,
    );
    expect(sent).toBe(2);
    // Off a terminal nobody can be asked: what is left goes only with --yes.
    const unconfirmed = await office.run('queue apply --resume last', at);
    expect([unconfirmed.exit, unconfirmed.stderr]).toEqual([9, expect.stringContaining('60 changes left')]);
    const dry = await office.run('queue apply --resume last --dry-run --max-items 20 -o json', at);
    expect([dry.exit, (JSON.parse(dry.stdout) as unknown[]).length, sent]).toEqual([0, 3, 2]);
    const resumed = await office.run('queue apply --resume last --yes --max-items 20', at);
    expect([resumed.exit, sent]).toEqual([0, 5]);
    const shown = JSON.parse((await office.run('history show last -o json', at)).stdout) as { seq: number }[];
    expect(shown.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    const list = await office.run('history list --fields state,ok,failed,left', at);
    expect(list.stdout).toBe('done\t100\t0\t0\n');

    const after = members();
    await office.run('queue assign --queue 50000 --add 10499 --yes', at);
    const [, run] = (await office.run('history list --fields id', at)).stdout.split('\n');
    const moved = await office.run(`history undo ${run} --yes`, at);
    expect([moved.exit, moved.stderr]).toEqual([
      11,
      expect.stringMatching(/the members of .*\(50000\) have changed/),
    ]);
    await office.run('queue unassign 50000 10499 --yes', at);
    expect(members()).toBe(after);
    const undone = await office.run(`history undo ${run} --yes`, at);
    expect(undone.exit).toBe(0);
    expect(undone.stderr).toMatch(/^ {2}- .+ \(\d+\) in .+ \(50000\)$/mu);
    expect(members()).toBe(before);
    expect((await office.run(`history undo ${run} --yes`, at)).exit).toBe(11);
    const again = await office.run(`queue apply --resume ${run}`, at);
    expect([again.exit, again.stdout, again.stderr]).toEqual([11, '', expect.stringContaining('was undone')]);
  });

  it('stops at the first failure with --stop-on-error', async () => {
    const spoils =
      (send: HttpSend): HttpSend =>
      (request) =>
        send(
          isAssign(request)
            ? { ...request, body: String(request.body).replace('"300000006"', '"999"') }
            : request,
        );
    const { office } = await largeOffice(spoils);
    const at = desk({ 'list.csv': rows(50) });
    const { exit, stderr } = await office.run('queue apply -f list.csv --yes --max-items 5 --fail-fast', at);
    expect(exit).toBe(8);
    expect(stderr).toContain('too many failures');
    expect(stderr).toContain('--resume');
  });

  it('--resume reports a missing run', async () => {
    const { run } = await openOffice();
    const at = desk({});
    mkdirSync(at.paths.state, { recursive: true });
    expect((await run('queue apply --resume last', at)).exit).toBe(3);
    expect((await run('history show 2026', at)).exit).toBe(3);
    expect((await run('queue apply --resume last -f x', at)).exit).toBe(2);
  });
});

describe('queue export', () => {
  it.each([
    ['', 'q', ''],
    ['', '-', ''],
    ['-o yaml', 'q.yaml', ''],
    ['-o json', 'q', ''],
    ['-o ndjson', 'q', ''],
    ['-o csv', 'q.csv', '--exact'],
    ['--matrix -o csv', 'q.csv', '--exact'],
  ])('%s in a file %s is a list without changes', async (format, file, flag) => {
    const office = await openOffice();
    const { stdout } = await office.run(`queue export ${format}`);
    const at = desk({ [file]: stdout });
    const { exit, stderr } = await office.run(`queue plan -f ${file} ${flag} --detailed-exitcode`, {
      ...at,
      stdin: stdout,
    });
    expect([exit, stderr]).toEqual([0, 'No changes: everything is already up to date.\n']);
  });

  it('names queues without agents, which have no row', async () => {
    const { run } = await openOffice();
    await run('queue assign --queue Billing --remove 107 --allow-empty --max-removals 100% --yes');
    const { stdout, stderr } = await run('queue export -o csv');
    expect(stdout).not.toContain('Billing');
    expect(stderr).toBe(
      'The list does not contain the queues without agents: Billing (203). To include them, use -o yaml or --matrix.\n',
    );
    expect((await run('queue export --matrix -o csv')).stderr).toBe('');
    expect((await run('queue export')).stderr).toBe('');
  });

  it('names up to 20 queues without agents', async () => {
    const database = join(temporaryFolder(), 'office.db');
    fillLargeOffice(database, { agents: 0, queues: 22 });
    const { run } = await openOffice('administrator', undefined, database);
    const { stderr } = await run('queue export -o csv');
    expect(stderr).toContain('Queue 50019 (50019) and 2 more. To include them');
    expect(stderr).toContain('Queue 50000 (50000), Queue 50001 (50001)');
  });

  it('as a matrix has agents as rows and queues as columns', async () => {
    const { run } = await openOffice();
    expect((await run('queue export --matrix -o csv')).stdout.split('\r\n').slice(0, 4)).toEqual([
      'extension,agentName,201 Support,202 Sales,203 Billing',
      '102,Dana Okafor,x,,',
      '103,José Álvarez,x,,',
      '104,Chris Smith,x,x,',
    ]);
    expect((await run('queue export --matrix')).stdout).toMatch(/^102\tDana Okafor\tx\t\t$/m);
  });

  it('as a matrix can be edited and applied, and its results used as input', async () => {
    const office = await openOffice();
    const { stdout } = await office.run('queue export --matrix -o csv');
    const at = desk({ 'm.csv': stdout.replace('102,Dana Okafor,x,,', '102,Dana Okafor,,x,') });
    expect((await office.run('queue plan -f m.csv', at)).stderr).toContain(
      'the list has no "action" column, so it can have several meanings',
    );
    const { exit } = await office.run('queue apply -f m.csv --exact --yes --results done.csv', at);
    expect([exit, numbers(office, support), numbers(office, sales)]).toEqual([
      0,
      ['103', '104'],
      ['102', '104', '105', '106'],
    ]);
    expect((await office.run('queue plan -f done.csv --detailed-exitcode', at)).exit).toBe(0);
  });

  it('and queue plan write the same record as json and as ndjson', async () => {
    const office = await openOffice();
    const at = desk({ 'queues.yaml': desired });
    for (const command of ['queue export', 'queue plan -f queues.yaml']) {
      const [json, line] = await Promise.all(
        ['json', 'ndjson'].map((format) => office.run(`${command} -o ${format}`, { ...at, now: 0 })),
      );
      expect(line?.stdout.trimEnd()).not.toContain('\n');
      expect(JSON.parse(line?.stdout ?? '')).toEqual(JSON.parse(json?.stdout ?? ''));
    }
  });
});

describe('other queue commands', () => {
  it.each(['create', 'delete'])(
    'spec:CLIENT-18 queue %s explains that this is done in the account portal',
    async (verb) => {
      const { run } = await openOffice();
      const { exit, stderr } = await run(`queue ${verb} Support`);
      expect([exit, stderr]).toEqual([2, expect.stringContaining('account portal')]);
    },
  );

  it('show lists the agents with their names', async () => {
    const { run } = await openOffice();
    const { stdout } = await run('queue show 202 -o json');
    expect(JSON.parse(stdout)).toMatchObject({
      id: sales,
      name: 'Sales',
      agents: [{ name: 'Chris Smith' }, {}, {}],
    });
  });

  it('agent list and show include the queues', async () => {
    const { run } = await openOffice();
    const list = await run('agent list --queue Support,Sales --fields number,queues');
    expect(list.stdout).toBe('102\tSupport\n103\tSupport\n104\tSupport, Sales\n105\tSales\n106\tSales\n');
    const idle = await run('agent list --idle --fields number');
    expect(idle.stdout).toContain('100\n');
    const shown = await run('agent show 104 -o json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      queues: [{ name: 'Support' }, { name: 'Sales' }],
      presence: { dndStatus: 'TakeAllCalls' },
    });
    expect((await run('agent list --presence --queue Billing --fields number,dndStatus')).stdout).toBe(
      '107\tTakeAllCalls\n',
    );
  });
});
