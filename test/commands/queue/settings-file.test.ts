import { describe, expect, it, test } from 'vitest';
import { openCurrent, support } from './open-current.ts';

const night = `queues:
  - queue: Night desk
    create: true
    settings: { name: Night desk, number: "290" }
    agents: [102, 103]
`;

describe('a file with settings of queues', () => {
  it.each([
    'queues:\n  - { queue: Support, settings: { alertTimer: 60 } }\n',
    'queues: [ { queue: Support, settings: { alertTimer: 60 } } ]\n',
    '{ queues: [ { "queue": "Support", "settings": { alertTimer: 60 } } ] }\n',
    'queues:\n  - { queue: Support, agents: [101], settings: { alertTimer: 60 } }\n',
    'queues:\n  - queue: Support\n    ? settings\n    : alertTimer: 60\n',
  ])('may have any form of YAML: %j', async (text) => {
    const { run, write, queue } = await openCurrent();
    write('q.yaml', text);
    const diff = await run('queue diff -f q.yaml --detailed-exitcode -o json');
    expect([diff.exit, JSON.parse(diff.stdout)]).toEqual([
      10,
      expect.arrayContaining([expect.objectContaining({ name: 'alertTimer', inFile: 60, inService: 30 })]),
    ]);
    expect((await run('queue plan -f q.yaml --detailed-exitcode')).exit).toBe(10);
    expect((await run('queue apply -f q.yaml --yes --max-removals 100%')).exit).toBe(0);
    expect(await queue()).toMatchObject({ alertTimer: 60 });
  });

  it.each([
    ['  - queue: Support\n    alertTimer: 60\n    settings: { name: A }\n', 'unknown key "alertTimer"'],
    ['  - queue: Support\n    members: [102]\n    settings: { name: A }\n', 'unknown key "members"'],
    ['  - queue: Support\n    agnets: [102]\n    settings: { name: A }\n', 'did you mean "agents"?'],
    ['  - queue: Support\n    agents:\n      - { agent: 102, roles: x }\n', 'unknown key "roles"'],
    [
      '  - queue: Support\n    agents: []\n    alerts: 5\n',
      'known keys: queue, name, agents, settings, create',
    ],
    [
      '  - { queue: Support, settings: { alertTimer: 60 } }\n  - { queue: "201", settings: { alertTimer: 45 } }\n',
      'Support (201) is listed twice',
    ],
    [
      '  - { queue: A, create: true, settings: { name: New, number: "290" } }\n  - { queue: B, create: true, settings: { name: new, number: "291" } }\n',
      'New (290) and new (291) have the same name',
    ],
    [
      '  - { queue: A, create: true, settings: { name: Support, number: "290" } }\n',
      'a queue with the name "Support" already exists: Support (201)',
    ],
    ['  - { queue: Support, settings: { number: "102" } }\n', 'number 102 belongs to Dana Okafor (102)'],
    [
      '  - { queue: Support, settings: { number: "202" } }\n  - { queue: Sales, settings: { number: "201" } }\n',
      'exchange their numbers',
    ],
    ['  - { queue: Nowhere, settings: { number: "201", name: Sales } }\n', 'the number of Support (201)'],
  ])('is rejected before any request that changes something: %j', async (items, problem) => {
    const { run, write, requests } = await openCurrent();
    write('q.yaml', `queues:\n${items}`);
    const { exit, stderr } = await run('queue plan -f q.yaml');
    expect([exit, stderr]).toEqual([2, expect.stringContaining(problem)]);
    expect(requests().filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  it('may pass the number of a queue on to another queue', async () => {
    const { run, write, queue } = await openCurrent();
    write(
      'q.yaml',
      'queues:\n  - { queue: Support, settings: { number: "202" } }\n  - { queue: Sales, settings: { number: "299" } }\n',
    );
    const { exit, stderr } = await run('queue apply -f q.yaml --yes');
    expect([exit, stderr]).toEqual([0, expect.any(String)]);
    expect(await queue()).toMatchObject({ extensionNumber: '202' });
    expect((await run('history undo last --yes')).exit).toBe(0);
    expect(await queue()).toMatchObject({ extensionNumber: '201' });
  });

  it('enables a created queue again that an undo has disabled', async () => {
    const { run, write, queue, idOf, sandbox } = await openCurrent();
    write('q.yaml', night);
    expect((await run('queue apply -f q.yaml --yes')).exit).toBe(0);
    const id = (await idOf('290')) ?? '';
    const runs = JSON.parse((await run('history list -o json')).stdout) as readonly { readonly id: string }[];
    for (const one of runs) expect((await run(`history undo ${one.id} --yes`)).exit).toBe(0);
    expect(await queue(id)).toMatchObject({ status: 'Disabled' });
    const diff = await run('queue diff -f q.yaml --detailed-exitcode -o json');
    expect([diff.exit, JSON.parse(diff.stdout)]).toEqual([
      10,
      expect.arrayContaining([
        expect.objectContaining({ name: 'status', inFile: 'Enabled', inService: 'Disabled' }),
      ]),
    ]);
    expect((await run('queue apply -f q.yaml --yes')).exit).toBe(0);
    expect(await queue(id)).toMatchObject({ status: 'Enabled' });
    expect(sandbox.members(id)).toHaveLength(2);
    expect((await run('queue plan -f q.yaml --exact --detailed-exitcode')).exit).toBe(0);
  });

  it('leaves a created queue disabled if the file says so', async () => {
    const { run, write } = await openCurrent();
    write('q.yaml', night.replace('number: "290"', 'number: "290", status: Disabled'));
    expect((await run('queue apply -f q.yaml --yes')).exit).toBe(0);
    expect((await run('queue plan -f q.yaml --detailed-exitcode')).exit).toBe(0);
  });

  it('still refers to a queue whose number and name it has changed', async () => {
    const { run, write, queue, change } = await openCurrent();
    write(
      'q.yaml',
      'queues:\n  - queue: "201"\n    settings: { number: "299", name: Help }\n    agents: [101, 102]\n',
    );
    expect((await run('queue apply -f q.yaml --yes --max-removals 100%')).exit).toBe(0);
    expect(await queue()).toMatchObject({ extensionNumber: '299', name: 'Help' });
    expect(await run('queue plan -f q.yaml --detailed-exitcode')).toMatchObject({ exit: 0 });
    for (const drift of [{ name: 'Other' }, { name: 'Help', extensionNumber: '298' }]) {
      await change(drift);
      expect(await run('queue plan -f q.yaml --detailed-exitcode')).toMatchObject({ exit: 10 });
    }
    expect((await run('queue apply -f q.yaml --yes')).exit).toBe(0);
    expect(await queue(support)).toMatchObject({ extensionNumber: '299', name: 'Help' });
  });

  it('creates a queue whose name differs from its key once', async () => {
    const { run, write, idOf, sandbox } = await openCurrent();
    write('q.yaml', night.replace('queue: Night desk', 'queue: New'));
    expect(await run('queue apply -f q.yaml --yes')).toMatchObject({ exit: 0 });
    const id = (await idOf('290')) ?? '';
    expect(sandbox.members(id)).toHaveLength(2);
    expect(await run('queue plan -f q.yaml --detailed-exitcode')).toMatchObject({ exit: 0 });
  });
});

test('a saved plan lists the settings and the members that somebody else has changed', async () => {
  const { run, write } = await openCurrent();
  const file = (timer: number, agents: string): string =>
    `queues:\n  - queue: "201"\n    settings: { alertTimer: ${timer} }\n    agents: [${agents}]\n`;
  write('q.yaml', file(45, '102, 103, 105'));
  write('other.yaml', file(60, '102, 103, 104, 106'));
  expect((await run('queue plan -f q.yaml --plan-out plan.json')).exit).toBe(0);
  expect((await run('queue apply -f other.yaml --yes')).exit).toBe(0);
  const { exit, stderr } = await run('queue apply -f plan.json --yes');
  expect(exit).toBe(11);
  expect(stderr).toContain('the queues have changed since the plan was created');
  expect(stderr).toMatch(/Support \(201\): alertTimer was 30 and is now 60 \(changed by 100 /);
  expect(stderr).toMatch(/Support \(201\): Mei Lin \(106\) joined \(changed by 100 /);
});
