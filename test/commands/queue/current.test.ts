import { describe, expect, it } from 'vitest';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

async function openCurrent(settings: { readonly newCallHandling?: boolean } = {}, who = 'administrator') {
  const opened = await openOffice(who, undefined, ':memory:', { dialect: 'current', settings });
  const shared = {
    cwd: temporaryFolder(),
    paths: temporaryPaths(),
    now: () => opened.sandbox.clock.now(),
  };
  const run = (argv: string | readonly string[], more: { stdin?: string; dialect?: string } = {}) => {
    const { dialect = 'current', stdin } = more;
    return opened.run(argv, {
      ...shared,
      stdin,
      env: { ...env(opened.sandbox.url), UCCTL_DIALECT: dialect },
    });
  };
  const rows = async (argv: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const { stdout, stderr } = await run(`${argv} -o json`);
    expect(stderr).toBe('');
    return JSON.parse(stdout) as readonly Readonly<Record<string, unknown>>[];
  };
  const members = (queue: string): readonly (string | null)[] =>
    opened.sandbox.members(queue).map(({ extensionNumber }) => extensionNumber);
  return { ...opened, run, rows, members, folder: shared.cwd };
}

function env(url: string): Readonly<Record<string, string>> {
  return { UCCTL_BASE_URL: url };
}

const support = '171857201';
const sales = '171857202';
const list = 'queue,extension,action\n201,106,add\n202,103,add\n201,102,remove\n';

describe('members in dialect current', () => {
  it('spec:CURRENT-7 spec:OPERATION-4 spec:OPERATION-5 are changed by one request for each queue', async () => {
    const { run, requests, members } = await openCurrent();
    expect((await run('queue apply -f - --yes', { stdin: list })).exit).toBe(0);
    const asked = requests();
    expect(asked.filter((line) => line.startsWith('POST'))).toEqual([
      `POST /account/~/call-queues/${support}/bulk-assign`,
      `POST /account/~/call-queues/${sales}/bulk-assign`,
    ]);
    expect(asked.filter((line) => line.includes('/department/'))).toEqual([]);
    expect(members(support)).toContain('106');
    expect(members(support)).not.toContain('102');
    expect(members(sales)).toContain('103');
  });

  it('a saved plan is rejected after somebody else has changed the members, and names who did it', async () => {
    const { run, members, folder } = await openCurrent();
    expect((await run('queue plan -f - --plan-out plan.json', { stdin: list })).exit).toBe(0);
    expect((await run('queue assign --queue 201 --add 107 --yes')).exit).toBe(0);
    const before = members(support);
    const { exit, stderr } = await run(`queue apply -f ${folder}/plan.json --yes`);
    expect(exit).toBe(11);
    expect(stderr).toMatch(/Support \(201\): [^\n]+ \(107\) joined \(changed by 100 Avery Quinn at /);
    expect(members(support)).toEqual(before);
  });

  it.each([
    ['spec', 'current'],
    ['current', 'spec'],
  ])('a run made in dialect %s is undone in dialect %s', async (made, undone) => {
    const { run, members } = await openCurrent();
    const before = [members(support), members(sales)];
    expect((await run('queue apply -f - --yes', { stdin: list, dialect: made })).exit).toBe(0);
    expect([members(support), members(sales)]).not.toEqual(before);
    expect((await run('history undo last --yes', { dialect: undone })).exit).toBe(0);
    expect([members(support), members(sales)]).toEqual(before);
  });

  it('a plan says how many requests of which usage group it takes, and for how long', async () => {
    const { run } = await openCurrent();
    const seen: string[] = [];
    for (const dialect of ['spec', 'current']) {
      const { stdout, stderr } = await run('queue plan -f - -o json', { stdin: list, dialect });
      seen.push(stderr);
      const { requests } = JSON.parse(stdout) as { readonly requests: unknown };
      const Heavy = dialect === 'current' ? 2 : 1;
      expect(requests).toEqual({ Heavy, Medium: 1, Light: 4, seconds: 0 });
    }
    expect(seen[0]).toContain('less than a minute: 1 heavy, 1 medium and 4 light requests');
    expect(seen[1]).toContain('less than a minute: 2 heavy, 1 medium and 4 light requests');
  });

  it('spec:CURRENT-8 spec:OPERATION-1 the queues of one person are one request', async () => {
    const { run, requests } = await openCurrent();
    const { stdout } = await run('agent show 102 -o json');
    expect(requests().filter((line) => line.includes('queues') || line.includes('members'))).toEqual([
      'GET /account/~/call-queues',
    ]);
    const { queues } = JSON.parse(stdout) as { readonly queues: readonly { readonly name: string }[] };
    const { stdout: other } = await run('agent show 102 -o json', { dialect: 'spec' });
    const { queues: same } = JSON.parse(other) as { readonly queues: readonly object[] };
    // Dialect spec has no availability for each queue.
    expect(queues).toEqual(same.map((queue) => Object.assign(queue, { isSignedOut: false })));
    expect(queues.length).toBeGreaterThan(0);
  });
});

describe('availability in dialect current', () => {
  it('spec:OPERATION-8 spec:OPERATION-9 is shown and changed for each queue', async () => {
    const { run, rows } = await openCurrent();
    const of = async (number: string) =>
      (await rows(`queue availability ${number}`)).map((row) => [
        row['extensionNumber'],
        row['acceptsQueue'],
      ]);
    expect(await of('201')).toContainEqual(['102', true]);
    const { exit, stdout } = await run('queue availability 201 --agent 102 --off -o json');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ extensionNumber: '102', acceptsQueue: false, acceptsQueueCalls: true }),
    );
    expect(await of('201')).toContainEqual(['102', false]);
    const again = await run('queue availability 201 --agent 102 --off');
    expect(again.stderr).toContain('No changes: ');
    expect((await run('queue availability 201 --agent 102 --on')).exit).toBe(0);
    expect(await of('201')).toContainEqual(['102', true]);
  });

  it('spec:OPERATION-10 is shown for the queues of an agent', async () => {
    const { run, rows } = await openCurrent();
    await run('queue availability 201 --agent 102 --off');
    expect(await rows('agent availability 102')).toContainEqual(
      expect.objectContaining({ extensionNumber: '201', acceptsQueue: false, editable: true }),
    );
  });

  it('has IDs of the same type as the lists of agents and queues', async () => {
    const { rows } = await openCurrent();
    const ids = async (words: string) => (await rows(words)).map(({ id }) => id);
    expect(new Set(await ids('queue availability 201'))).toEqual(new Set(await ids('queue members 201')));
    const queues = await ids('queue list');
    const own = await ids('agent availability 102');
    expect(own.length).toBeGreaterThan(0);
    expect(queues).toEqual(expect.arrayContaining(own));
  });

  it('rejects somebody who is not in the queue, and half an instruction', async () => {
    const { run } = await openCurrent();
    const outside = await run('queue availability 201 --agent 106 --on');
    expect([outside.exit, outside.stderr]).toEqual([2, expect.stringContaining('is not an agent of')]);
    expect(outside.stderr).toContain('queue assign --queue 201 --add 106');
    for (const words of ['--agent 102', '--on', '--off']) {
      expect((await run(`queue availability 201 ${words}`)).exit).toBe(2);
    }
  });

  it('in dialect spec follows from the dndStatus, and cannot be changed for one queue', async () => {
    const { run } = await openCurrent();
    await run('presence set 102 --queue-calls off', { dialect: 'spec' });
    const shown = await run('queue availability 201 -o json', { dialect: 'spec' });
    expect(JSON.parse(shown.stdout)).toContainEqual(
      expect.objectContaining({ extensionNumber: '102', acceptsQueue: false, acceptsQueueCalls: false }),
    );
    const own = await run('agent availability 102 -o json', { dialect: 'spec' });
    expect(JSON.parse(own.stdout)).toContainEqual(
      expect.objectContaining({ extensionNumber: '201', acceptsQueue: false }),
    );
    const { exit, stderr } = await run('queue availability 201 --agent 102 --on', { dialect: 'spec' });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('presence set 102 --queue-calls on')]);
  });
});

describe('queue calls on an account with new call handling', () => {
  it('spec:CURRENT-9 spec:OPERATION-7 spec:OPERATION-11 are switched in each queue, after reading the feature', async () => {
    const { run, rows, requests } = await openCurrent({ newCallHandling: true });
    requests();
    const { exit, stderr, stdout } = await run('presence set 102 --queue-calls off -o json');
    expect([exit, stderr]).toEqual([0, expect.stringContaining('new call handling')]);
    expect(JSON.parse(stdout)).toMatchObject({ changes: { queueCalls: { from: 'on', to: 'off' } } });
    const changes = requests().filter((line) => line.startsWith('PUT'));
    expect(changes).toEqual(['PUT /account/~/extension/171857102/call-queue-presence']);
    expect((await rows('agent availability 102')).every(({ acceptsQueue }) => acceptsQueue === false)).toBe(
      true,
    );
  });

  it('are switched for all agents of a queue by a run, which is undone', async () => {
    const { run, rows } = await openCurrent({ newCallHandling: true });
    const before = await rows('queue availability 201');
    const { exit, stderr } = await run('presence set --queue 201 --queue-calls off --yes');
    expect([exit, stderr]).toEqual([0, expect.stringContaining('queue calls: on → off')]);
    const off = await rows('queue availability 201');
    expect(off.map(({ acceptsQueue }) => acceptsQueue)).toEqual(off.map(() => false));
    expect((await run('history undo last --yes')).exit).toBe(0);
    expect(await rows('queue availability 201')).toEqual(before);
  });

  it('without the feature they are switched by dndStatus', async () => {
    const { run, requests } = await openCurrent();
    requests();
    const { exit, stderr } = await run('presence set 102 --queue-calls off');
    expect([exit, stderr]).toEqual([
      0,
      'To restore the earlier values: ucctl presence set 102 --dnd-status TakeAllCalls\n',
    ]);
    const asked = requests();
    expect(asked).toContain('GET /account/~/extension/~/features');
    expect(asked.filter((line) => line.startsWith('PUT'))).toEqual([
      'PUT /account/~/extension/171857102/presence',
    ]);
  });
});
