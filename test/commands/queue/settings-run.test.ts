import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../src/errors/service.ts';
import { Interrupted } from '../../../src/errors/interrupted.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { openDesk } from '../../matrix/desk.ts';
import { openCurrent, support } from './open-current.ts';

const two = `queues:
  - queue: Night desk
    create: true
    settings: { name: Night desk, number: "290" }
    agents: [102, 103]
  - queue: Day desk
    create: true
    settings: { name: Day desk, number: "291" }
    agents: [104]
`;
const night = two.split('  - queue: Day desk')[0] ?? '';

interface Run {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
}

async function openCurrentWithRuns() {
  const opened = await openCurrent();
  const runs = async (): Promise<readonly Run[]> =>
    JSON.parse((await opened.run('history list -o json')).stdout) as readonly Run[];
  return { ...opened, runs };
}

/** Opens the office with a network that fails at the second creation of a queue, until it is repaired. */
async function openBroken() {
  let creations = 0;
  let broken = true;
  let onMembers = (): Promise<unknown> => Promise.resolve();
  const opened = await openCurrent((real) => async (request) => {
    if (!broken && request.url.pathname.endsWith(`/${support}/members`)) await onMembers();
    if (request.method !== 'POST' || !request.url.pathname.endsWith('/extension')) return real(request);
    creations += 1;
    if (!broken || creations < 2) return real(request);
    return Promise.reject(new ConnectionError('ECONNREFUSED', 'no', 'https://x.example', undefined));
  });
  const runs = async (): Promise<readonly Run[]> =>
    JSON.parse((await opened.run('history list -o json')).stdout) as readonly Run[];
  const repair = (): void => {
    broken = false;
  };
  /** Calls a function before each request for the members of Support. */
  const beforeMembers = (action: typeof onMembers): void => {
    onMembers = action;
  };
  return { ...opened, repair, runs, beforeMembers };
}

describe('a run of settings and members', () => {
  it.each(['q.yaml', 'plan.json'])(
    'that stopped during the creations is resumed with the members: %s',
    async (file) => {
      const { run, write, idOf, sandbox, repair, runs } = await openBroken();
      write('q.yaml', two);
      expect((await run('queue plan -f q.yaml --plan-out plan.json')).exit).toBe(0);
      expect((await run(`queue apply -f ${file} --yes --retry 0`)).exit).not.toBe(0);
      expect((await runs()).map(({ kind }) => kind)).toEqual(['queue.settings']);
      repair();
      const resumed = await run('queue apply --resume last --yes -o json');
      expect(resumed.exit).toBe(0);
      expect(JSON.parse(resumed.stdout)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ setting: 'number', after: '291' }),
          expect.objectContaining({ extension: '104', status: 'added' }),
        ]),
      );
      const members = async (number: string) =>
        sandbox.members((await idOf(number)) ?? '').map(({ extensionNumber }) => extensionNumber);
      expect([await members('290'), await members('291')]).toEqual([['102', '103'], ['104']]);
      expect((await run('queue plan -f q.yaml --exact --detailed-exitcode')).exit).toBe(0);
      const kinds = (await runs()).map(({ kind }) => kind);
      expect((await run('queue apply --resume last --yes')).exit).toBe(0);
      expect((await runs()).map(({ kind }) => kind)).toEqual(kinds);
    },
  );

  it('whose members did not start, because the results file could not be written, is resumed with them', async () => {
    const { run, write, idOf, sandbox, runs } = await openCurrentWithRuns();
    write('q.yaml', night);
    const failed = await run('queue apply -f q.yaml --yes --results q.yaml/done.csv');
    expect(failed.exit).toBe(12);
    const [members, settings] = await runs();
    expect([members?.state, settings?.state]).toEqual(['abandoned', 'done']);
    expect((await run(`queue apply --resume ${settings?.id} --yes`)).exit).toBe(0);
    const added = sandbox.members((await idOf('290')) ?? '').map(({ extensionNumber }) => extensionNumber);
    expect(added).toEqual(['102', '103']);
  });

  it('adds no members if they would empty a queue after a change during a slow confirmation', async () => {
    const { run, write, sandbox, repair, beforeMembers } = await openBroken();
    write('q.yaml', `${two}  - queue: Support\n    agents: [102]\n`);
    expect((await run('queue apply -f q.yaml --exact --max-removals 50 --yes --retry 0')).exit).not.toBe(0);
    repair();
    let reads = 0;
    beforeMembers(async () => {
      reads += 1;
      if (reads === 2) await sandbox.control('DELETE', `/queues/${support}/members/102`);
    });
    let now = sandbox.clock.now();
    // Between two looks at the clock, the answer took its time.
    const slow = () => (now += 2500);
    const { exit, stderr } = await run('queue apply --resume last --max-removals 50 --yes', 'current', slow);
    expect([exit, stderr]).toEqual([9, expect.stringContaining('Support (201)')]);
    expect(sandbox.members(support).map(({ extensionNumber }) => extensionNumber)).toEqual(['103', '104']);
    expect(reads).toBe(2);
  });

  it.each([
    ['before', 1],
    ['after', 2],
  ])(
    'says on Ctrl-C that no agents were changed, %s a slow confirmation of the members',
    async (_, number) => {
      const { run, write, sandbox, repair, beforeMembers } = await openBroken();
      write('q.yaml', `${two}  - queue: Support\n    agents: [102]\n`);
      expect((await run('queue apply -f q.yaml --exact --max-removals 50 --yes --retry 0')).exit).not.toBe(0);
      repair();
      const stop = new AbortController();
      let reads = 0;
      beforeMembers(() => {
        reads += 1;
        if (reads === number) stop.abort(new Interrupted('SIGINT'));
        return Promise.resolve();
      });
      let now = sandbox.clock.now();
      const slow = () => (now += 2500);
      const resume = 'queue apply --resume last --max-removals 50 --yes';
      const { exit, stdout, stderr } = await run(resume, 'current', slow, stop.signal);
      // Otherwise, the report of the members shows these rows.
      expect(stdout).toContain('291');
      const [, again] =
        /interrupted; no agents were changed; to change them: ucctl (.+)\n$/.exec(stderr) ?? [];
      expect([exit, again]).toEqual([130, expect.any(String)]);
      expect(sandbox.members(support)).toHaveLength(3);
      expect((await run(`${again ?? ''} --max-removals 50 --yes`)).exit).toBe(0);
      expect(sandbox.members(support)).toHaveLength(1);
    },
  );

  it('says on Ctrl-C at the question about the members that no agents were changed', async () => {
    const files = { 'q.yaml': `${two}  - queue: Support\n    agents: [102]\n` };
    await using desk = await openDesk({ sandbox: { dialect: 'current' }, files });
    const fault = { kind: 'status', operation: 'createExtension', status: 503, after: 1, times: 0 };
    await desk.sandbox.control('POST', '/faults', fault);
    expect((await desk.run('queue apply -f q.yaml --yes --retry 0')).exit).toBe(14);
    await desk.sandbox.control('DELETE', '/faults');
    const keyboard = { input: new PassThrough(), screen: new PassThrough() };
    const { exit, stdout, stderr } = await desk.run('queue apply --resume last --accessible', {
      terminal: 150,
      keyboard,
      onStderr: (text) => {
        if (text.includes('Resume run')) keyboard.input.write('y\r');
        // The end of the input counts as Ctrl-C.
        if (text.includes('Apply?')) keyboard.input.end();
      },
    });
    expect([exit, stdout]).toEqual([130, expect.stringContaining('number: 291')]);
    expect(stderr).toMatch(
      /interrupted; no agents were changed; to change them: ucctl queue apply --resume \S+\n/,
    );
  });

  it('changes no members on --resume if a created queue is not found any more', async () => {
    const { run, write, runs, change, idOf, requests } = await openCurrentWithRuns();
    write('q.yaml', night);
    expect((await run('queue apply -f q.yaml --yes --results q.yaml/done.csv')).exit).toBe(12);
    await change({ extensionNumber: '299' }, (await idOf('290')) ?? '');
    const [, settings] = await runs();
    requests();
    const { exit, stderr } = await run(`queue apply --resume ${settings?.id} --yes`);
    expect([exit, stderr]).toEqual([8, expect.stringContaining('queue Night desk (290) was not created')]);
    expect(requests().filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  it('changes no members on --resume if they exceed a limit of the command', async () => {
    const { run, write, sandbox, repair } = await openBroken();
    write('q.yaml', `${two}  - queue: Support\n    agents: [102]\n`);
    expect((await run('queue apply -f q.yaml --exact --max-removals 50 --yes --retry 0')).exit).not.toBe(0);
    repair();
    const members = () => sandbox.members(support).map(({ extensionNumber }) => extensionNumber);
    const limited = await run('queue apply --resume last --max-removals 1 --yes');
    expect([limited.exit, limited.stderr]).toEqual([9, expect.stringContaining('the limit is 1')]);
    expect(members()).toEqual(['102', '103', '104']);
    expect((await run('queue apply --resume last --max-removals 2 --yes')).exit).toBe(0);
    expect(members()).toEqual(['102']);
  });

  it('is undone as a whole by history undo last, and repeated by the commands that ucctl names', async () => {
    const { run, write, queue, idOf, sandbox } = await openCurrent();
    write('q.yaml', night);
    expect((await run('queue apply -f q.yaml --yes')).exit).toBe(0);
    const id = (await idOf('290')) ?? '';
    const undone = await run('history undo last --yes -o json');
    expect(undone.exit).toBe(0);
    expect(JSON.parse(undone.stdout)).toHaveLength(3);
    expect(await queue(id)).toMatchObject({ status: 'Disabled' });
    expect(sandbox.members(id)).toEqual([]);
    const again = await run('history undo last --yes');
    const [, first = ''] = /undo the undo: ucctl (history undo \S+);/.exec(again.stderr) ?? [];
    const redone = await run(`${first} --yes`);
    const [, second = ''] = /to undo it: ucctl (history undo \S+)\n/.exec(redone.stderr) ?? [];
    expect([again.exit, redone.exit, (await run(`${second} --yes`)).exit]).toEqual([11, 0, 0]);
    expect(await queue(id)).toMatchObject({ status: 'Enabled' });
    expect(sandbox.members(id)).toHaveLength(2);
  });

  it('does not change the members again if the run of the settings is resumed after both', async () => {
    const { run, write, idOf, sandbox, runs } = await openCurrentWithRuns();
    write('q.yaml', night);
    expect((await run('queue apply -f q.yaml --yes')).exit).toBe(0);
    const id = (await idOf('290')) ?? '';
    const [, settings] = await runs();
    await sandbox.control('DELETE', `/queues/${id}/members/103`);
    expect((await run(`queue apply --resume ${settings?.id} --yes`)).exit).toBe(0);
    expect(sandbox.members(id).map(({ extensionNumber }) => extensionNumber)).toEqual(['102']);
    expect(await runs()).toHaveLength(2);
  });

  it('whose members are undone by their ID names the run of the settings', async () => {
    const { run, write, runs } = await openBroken();
    write('q.yaml', night);
    expect((await run('queue apply -f q.yaml --yes')).exit).toBe(0);
    const [members, settings] = await runs();
    const undone = await run(`history undo ${members?.id ?? ''} --yes`);
    expect([undone.exit, undone.stderr]).toEqual([
      0,
      expect.stringContaining(`ucctl history undo ${settings?.id ?? ''}`),
    ]);
  });

  it('cannot be undone in dialect spec, which is said before anything is recorded', async () => {
    const { run, write, runs } = await openBroken();
    write('q.yaml', 'queues:\n  - { queue: Support, settings: { alertTimer: 60 } }\n');
    expect((await run('queue apply -f q.yaml --yes')).exit).toBe(0);
    const before = await runs();
    for (const words of ['history undo last --yes', 'history undo last --yes --force']) {
      const { exit, stderr } = await run(words, 'spec');
      expect([exit, stderr]).toEqual([2, expect.stringContaining('is not available in dialect spec')]);
    }
    expect(await runs()).toEqual(before);
  });
});

describe('the creation of a queue', () => {
  it('whose further settings are rejected names the queue, and is undone', async () => {
    const { run, write, idOf, queue } = await openCurrent((real) => (request) => {
      const isUpdate = request.method === 'PUT' && /\/call-queues\/\d+$/.test(request.url.pathname);
      const isOfSettings = isUpdate && JSON.stringify(request.body).includes('alertTimer');
      return isOfSettings
        ? Promise.resolve(fakeReply({ status: 400, body: { errorCode: 'CMN-101', message: 'no' } }))
        : real(request);
    });
    write('q.yaml', night.replace('"290"', '"290", alertTimer: 60'));
    const { exit, stderr } = await run('queue apply -f q.yaml --yes');
    const id = (await idOf('290')) ?? '';
    expect([exit, stderr]).toEqual([
      1,
      expect.stringContaining(`the queue exists (ID ${id}), but the service rejected its further settings`),
    ]);
    expect((await run('history undo last --yes')).exit).toBe(0);
    expect(await queue(id)).toMatchObject({ status: 'Disabled' });
  });

  it.each([
    ['is undone', '290', 'Disabled', 'status Enabled → Disabled'],
    ['is not undone if the number belongs to another queue', '299', 'Enabled', 'Nothing to undo'],
  ])('whose further settings have an unknown outcome %s', async (_, number, status, text) => {
    const { run, write, idOf, queue, change, sandbox } = await openCurrent();
    write('q.yaml', night.replace('"290"', '"290", alertTimer: 60'));
    const fault = { kind: 'status', operation: 'updateCallQueue', times: 0 };
    await sandbox.control('POST', '/faults', fault);
    expect((await run('queue apply -f q.yaml --yes --retry 0')).exit).not.toBe(0);
    await sandbox.control('DELETE', '/faults');
    const id = (await idOf('290')) ?? '';
    const other = (await idOf('202')) ?? '';
    if (number !== '290') {
      await change({ extensionNumber: number }, id);
      await change({ extensionNumber: '290' }, other);
    }
    const undone = await run('history undo last --yes');
    expect([undone.exit, undone.stdout + undone.stderr]).toEqual([0, expect.stringContaining(text)]);
    expect(await queue(id)).toMatchObject({ name: 'Night desk', status });
    expect(await queue(other)).toMatchObject({ status: 'Enabled' });
  });

  it('does not change another queue that got the number meanwhile', async () => {
    const { run, write, idOf, queue, change, repair } = await openBroken();
    write('q.yaml', two.replace('"291"', '"291", alertTimer: 60'));
    expect((await run('queue apply -f q.yaml --yes --retry 0')).exit).not.toBe(0);
    await change({ extensionNumber: '291' });
    repair();
    const resumed = await run('queue apply --resume last --yes');
    expect(resumed.exit).not.toBe(0);
    expect(resumed.stderr).toContain('extension number 291 belongs to the queue Support (ID 171857201)');
    expect(await idOf('291')).toBe(support);
    expect(await queue()).toMatchObject({ name: 'Support', alertTimer: 30 });
  });
});
