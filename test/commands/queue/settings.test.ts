import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ConnectionError } from '../../../src/errors/service.ts';
import { openCurrent, support } from './open-current.ts';

const renamed = `queues:
  - queue: "201"
    settings:
      name: Help desk
      alertTimer: 45
      serviceLevel: { goal: 95, includeAbandoned: false }
      editableMemberStatus: false
`;
const created = `queues:
  - queue: Night desk
    create: true
    settings: { name: Night desk, number: "290", alertTimer: 60 }
    agents: [102, 103]
`;

describe('settings of queues in a file', () => {
  it('spec:OPERATION-2 spec:OPERATION-3 are planned, applied, up to date, and undone', async () => {
    const { run, write, queue, requests } = await openCurrent();
    write('q.yaml', renamed);
    const before = await queue();
    requests();
    const plan = await run('queue plan -f q.yaml --detailed-exitcode -o json');
    expect(plan.exit).toBe(10);
    expect(JSON.parse(plan.stdout)).toMatchObject({
      settings: {
        total: 1,
        plan: {
          changes: [{ action: 'update', id: support, after: { name: 'Help desk', 'serviceLevel.goal': 95 } }],
        },
      },
      requests: { Medium: 1, Light: 3, seconds: 0 },
    });
    expect(requests().filter((line) => !line.startsWith('GET'))).toEqual([]);
    const applied = await run('queue apply -f q.yaml --yes -o json');
    expect(applied.exit).toBe(0);
    expect(JSON.parse(applied.stdout)).toContainEqual(
      expect.objectContaining({
        action: 'update',
        status: 'changed',
        setting: 'alertTimer',
        before: 30,
        after: 45,
      }),
    );
    expect(await queue()).toMatchObject({
      name: 'Help desk',
      alertTimer: 45,
      editableMemberStatus: false,
      serviceLevelSettings: { slaGoal: 95, slaThresholdSeconds: 30, includeAbandonedCalls: false },
    });
    const again = await run('queue apply -f q.yaml --yes --detailed-exitcode');
    expect([again.exit, again.stderr]).toEqual([0, expect.stringContaining('No changes')]);
    const undone = await run('history undo last --yes');
    expect([undone.exit, undone.stderr]).toEqual([0, expect.stringContaining('alertTimer 45 → 30')]);
    expect(await queue()).toEqual(before);
  });

  it('spec:OPERATION-55 a new queue gets its settings and agents; undo disables it, and the plan says so', async () => {
    const { run, write, queue, idOf, sandbox } = await openCurrent();
    write('q.yaml', created);
    const plan = await run('queue plan -f q.yaml', 'current');
    expect([plan.exit, plan.stderr]).toEqual([
      0,
      expect.stringContaining(
        'cannot delete a new queue. If you undo this run, ucctl disables the queue instead',
      ),
    ]);
    const { exit, stderr } = await run('queue apply -f q.yaml --yes');
    expect([exit, stderr]).toEqual([0, expect.stringContaining('cannot delete a new queue')]);
    const id = (await idOf('290')) ?? '';
    expect(await queue(id)).toMatchObject({ name: 'Night desk', alertTimer: 60, status: 'Enabled' });
    expect(sandbox.members(id).map(({ extensionNumber }) => extensionNumber)).toEqual(['102', '103']);
    expect((await run('queue apply -f q.yaml --yes')).stderr).toContain('No changes');
    const { stdout } = await run('history list -o json');
    const runs = JSON.parse(stdout) as readonly { readonly id: string; readonly kind: string }[];
    expect(runs.map(({ kind }) => kind)).toEqual(['queue.assign', 'queue.settings']);
    for (const one of runs) expect((await run(`history undo ${one.id} --yes`)).exit).toBe(0);
    expect(await queue(id)).toMatchObject({ status: 'Disabled' });
    expect(sandbox.members(id)).toEqual([]);
  });

  it('a lost reply to the creation creates the queue once', async () => {
    let lost = false;
    const { run, write, queue, idOf, requests } = await openCurrent((real) => async (request) => {
      const reply = await real(request);
      if (lost || request.method !== 'POST' || !request.url.pathname.endsWith('/extension')) return reply;
      lost = true;
      throw new ConnectionError('ECONNRESET', 'unknown', 'https://x.example', undefined);
    });
    write('q.yaml', created);
    expect((await run('queue apply -f q.yaml --yes')).exit).toBe(0);
    expect(lost).toBe(true);
    expect(requests().filter((line) => line === 'POST /account/~/extension')).toHaveLength(1);
    expect(await queue((await idOf('290')) ?? '')).toMatchObject({ alertTimer: 60 });
  });

  it('a saved plan is rejected after somebody else has changed a setting of it', async () => {
    const { run, write, change, queue } = await openCurrent();
    write('q.yaml', renamed);
    expect((await run('queue plan -f q.yaml --plan-out plan.json')).exit).toBe(0);
    await change({ alertTimer: 120 });
    const { exit, stderr } = await run('queue apply -f plan.json --yes');
    expect(exit).toBe(11);
    expect(stderr).toMatch(
      /queue Support \(201\): alertTimer was 30 and is now 120 \(changed by 100 Avery Quinn at /,
    );
    expect(await queue()).toMatchObject({ name: 'Support', alertTimer: 120 });
    await change({ alertTimer: 30 });
    expect((await run('queue apply -f plan.json --yes')).exit).toBe(0);
    expect(await queue()).toMatchObject({ name: 'Help desk', alertTimer: 45 });
  });

  it('a saved plan is rejected without names if the audit trail may not be read', async () => {
    const { run, write, change } = await openCurrent((real) => (request) => {
      if (!request.url.pathname.endsWith('/audit-trail/search')) return real(request);
      return Promise.reject(new ConnectionError('ECONNREFUSED', 'no', 'https://x.example', undefined));
    });
    write('q.yaml', renamed);
    expect((await run('queue plan -f q.yaml --plan-out plan.json')).exit).toBe(0);
    await change({ alertTimer: 120 });
    const { exit, stderr } = await run('queue apply -f plan.json --yes');
    expect(exit).toBe(11);
    expect(stderr).toMatch(/alertTimer was 30 and is now 120\n/);
  });

  it('a run that stopped is resumed', async () => {
    let down = true;
    const { run, write, queue } = await openCurrent((real) => (request) => {
      if (down && request.method === 'PUT' && request.url.pathname.endsWith('/171857202')) {
        return Promise.reject(new ConnectionError('ECONNREFUSED', 'no', 'https://x.example', undefined));
      }
      return real(request);
    });
    write(
      'q.yaml',
      'queues:\n  - queue: "201"\n    settings: { alertTimer: 45 }\n  - queue: "202"\n    settings: { alertTimer: 45 }\n',
    );
    const first = await run('queue apply -f q.yaml --yes --retry 0');
    expect(first.exit).not.toBe(0);
    expect(await queue()).toMatchObject({ alertTimer: 45 });
    expect(await queue('171857202')).toMatchObject({ alertTimer: 30 });
    down = false;
    expect((await run('queue apply --resume last --yes')).exit).toBe(0);
    expect(await queue('171857202')).toMatchObject({ alertTimer: 45 });
  });

  it.each([
    ['  - queue: Nowhere\n    settings: { name: X, number: "290" }\n', 'add "create: true"'],
    [
      '  - queue: Nowhere\n    create: true\n    settings: { name: X }\n',
      'needs "settings:" with "name:" and "number:"',
    ],
    [
      '  - queue: X\n    create: true\n    settings: { name: X, number: "102" }\n',
      'extension 102 already exists',
    ],
    ['  - queue: "201"\n    settings: { alertTimer: 7 }\n', '"alertTimer" must be one of 5, 10'],
    ['  - queue: "201"\n    settings: { alerttimer: 5 }\n', 'did you mean "alertTimer"?'],
    ['  - queue: "201"\n    settings: { number: abc }\n', 'an extension number of 1 to 8 digits'],
  ])('rejects %j before any change', async (items, problem) => {
    const { run, write, requests } = await openCurrent();
    write('q.yaml', `queues:\n${items}`);
    const { exit, stderr } = await run('queue apply -f q.yaml --yes');
    expect([exit, stderr]).toEqual([2, expect.stringContaining(problem)]);
    expect(requests().filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  it('of a saved plan obey --max-changes of the apply command', async () => {
    const { run, write } = await openCurrent();
    write(
      'q.yaml',
      'queues:\n  - queue: Support\n    settings:\n      name: Support A\n  - queue: Sales\n    settings:\n      name: Sales A\n',
    );
    expect((await run('queue plan -f q.yaml --plan-out p.json')).exit).toBe(0);
    const { exit, stderr } = await run('queue apply -f p.json --yes --max-changes 1');
    expect([exit, stderr]).toEqual([9, expect.stringContaining('2 of 2 queues would change')]);
    expect((await run('queue apply -f p.json --yes --max-changes 2')).exit).toBe(0);
  });

  it('exceeding --max-changes changes nothing', async () => {
    const { run, write, queue } = await openCurrent();
    write('q.yaml', renamed);
    const { exit, stderr } = await run('queue apply -f q.yaml --yes --max-changes 0');
    expect([exit, stderr]).toEqual([9, expect.stringContaining('1 of 1 queues would change')]);
    expect(await queue()).toMatchObject({ name: 'Support' });
  });

  it('are not part of dialect spec', async () => {
    const { run, write } = await openCurrent();
    write('q.yaml', renamed);
    expect(await run('queue apply -f q.yaml --yes', 'spec')).toMatchObject({ exit: 2 });
    expect(await run('queue export --settings', 'spec')).toMatchObject({ exit: 2 });
  });

  it('--dry-run shows the requests and sends none', async () => {
    const { run, write, queue, requests } = await openCurrent();
    write('q.yaml', renamed);
    const { stderr, stdout } = await run('queue apply -f q.yaml --dry-run');
    expect(stderr + stdout).toContain(`/call-queues/${support}`);
    expect(requests().filter((line) => !line.startsWith('GET'))).toEqual([]);
    expect(await queue()).toMatchObject({ name: 'Support' });
  });
});

describe('queue export --settings and queue diff', () => {
  it('a list of changes cannot be compared, and the error names the command that shows them', async () => {
    const { run, write } = await openCurrent();
    write('list.csv', 'queue,agent,action\n201,106,add\n');
    const { exit, stderr } = await run('queue diff -f list.csv');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('ucctl queue plan -f FILE')]);
    expect(stderr).not.toContain('--exact');
    write('list.csv', 'queue,agent\n201,106\n');
    const members = await run('queue diff -f list.csv --fields name,inFile -o csv');
    expect([members.exit, members.stdout]).toEqual([0, expect.stringContaining('Mei Lin')]);
  });

  it('an export has no differences; later changes are shown with both values', async () => {
    const { run, write, change } = await openCurrent();
    const { exit, stdout } = await run('queue export --settings');
    expect(exit).toBe(0);
    expect(parse(stdout)).toMatchObject({
      queues: expect.arrayContaining([
        expect.objectContaining({
          queue: '201',
          settings: expect.objectContaining({ number: '201', alertTimer: 30 }) as unknown,
        }),
      ]) as unknown,
    });
    write('q.yaml', stdout);
    const same = await run('queue diff -f q.yaml --detailed-exitcode -o json');
    expect([same.exit, JSON.parse(same.stdout)]).toEqual([0, []]);
    await change({ alertTimer: 45 });
    await run('queue assign --queue 201 --add 106 --yes');
    const diff = await run('queue diff -f q.yaml --detailed-exitcode -o json');
    expect(diff.exit).toBe(10);
    expect(JSON.parse(diff.stdout)).toEqual([
      expect.objectContaining({
        queue: '201',
        kind: 'setting',
        name: 'alertTimer',
        inFile: 30,
        inService: 45,
      }),
      expect.objectContaining({ kind: 'agent', name: 'Mei Lin (106)', inFile: false, inService: true }),
    ]);
    const check = await run('queue plan -f q.yaml --exact --detailed-exitcode');
    expect(check.exit).toBe(10);
    expect((await run('queue apply -f q.yaml --yes')).exit).toBe(0);
    expect((await run('queue plan -f q.yaml --exact --detailed-exitcode')).exit).toBe(0);
  });

  it('a comparison does not recommend an option that it does not have', async () => {
    const { run, write } = await openCurrent();
    write('q.yaml', 'queues:\n  - queue: Support\n    agents: [Nobody]\n');
    const { exit, stderr } = await run('queue diff -f q.yaml');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('fix the list and run the command again')]);
    expect(stderr).not.toContain('--skip-invalid');
  });
});
