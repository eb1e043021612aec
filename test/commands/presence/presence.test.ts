import { describe, expect, it } from 'vitest';
import { withQueueCalls } from '../../../src/runtime/queue-calls.ts';
import { openOffice } from '../office.ts';

const bodyOf = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe('a change of one presence', () => {
  const restored = async (run: (line: string) => Promise<{ stderr: string }>) => {
    const { stderr } = await run('presence set 102 --user-status Busy --message "At lunch"');
    return /To restore the earlier values: ucctl (.*)\n/.exec(stderr)?.[1] ?? '';
  };

  it('names the command that restores the earlier values, which history undo does not', async () => {
    const { run } = await openOffice();
    await run('presence set 102 --message "Don\'t call"');
    const before = bodyOf((await run('presence show 102 -o json')).stdout);
    const command = await restored(run);
    expect(command).toBe(String.raw`presence set 102 --user-status Available --message 'Don'\''t call'`);
    // The command line of these tests has no quotes of a shell.
    await run(['presence', 'set', '102', '--user-status', 'Available', '--message', "Don't call"]);
    expect(bodyOf((await run('presence show 102 -o json')).stdout)).toEqual(before);
  });

  it('shows the person and the present value in a dry run', async () => {
    const { run } = await openOffice();
    const { stderr } = await run('presence set 102 --dnd-status DoNotAcceptAnyCalls --dry-run');
    expect(stderr).toContain('Dana Okafor (102): dnd status: TakeAllCalls → DoNotAcceptAnyCalls\n');
    expect(stderr).not.toContain('restore');
  });
});

describe('presence show', () => {
  it('shows the own presence by default, with one request', async () => {
    const { run, requests } = await openOffice('102');
    requests();
    expect((await run('presence show')).stdout).toBe(
      '171857102\t102\tAvailable\tAvailable\tNoCall\tDisconnected\tTakeAllCalls\t\ttrue\tfalse\tfalse\t\t\t\t\n',
    );
    expect(requests()).toEqual(['GET /account/~/extension/~/presence']);
  });

  it('finds others by number, e-mail and name', async () => {
    const { run } = await openOffice();
    for (const name of ['103', 'jose.alvarez@example.com', '"JOSÉ ÁLVAREZ"', '171857103']) {
      const { stdout } = await run(`presence show ${name} -o json`);
      expect(bodyOf(stdout)).toMatchObject({ extension: { id: 171_857_103, extensionNumber: '103' } });
    }
  });

  it('includes the calls on request', async () => {
    const { run } = await openOffice();
    expect(bodyOf((await run('presence show -o json')).stdout)).not.toHaveProperty('activeCalls');
    expect(bodyOf((await run('presence show --detailed -o json')).stdout)).toHaveProperty('activeCalls', []);
  });

  it('reads as a table on a terminal', async () => {
    const { run } = await openOffice();
    const { stdout } = await run('presence show 102 --color never', { terminal: 80 });
    expect(stdout).toContain('Calls taken              TakeAllCalls\n');
  });

  it.each([
    ['999', 3, 'extension "999" not found'],
    ['"chris smith"', 2, 'matches 2 extensions'],
  ])('of %s ends with %d', async (name, exit, words) => {
    const { run } = await openOffice();
    const result = await run(`presence show ${name}`);
    expect([result.exit, result.stdout]).toEqual([exit, '']);
    expect(result.stderr).toContain(words);
  });
});

describe('presence set', () => {
  it('changes only the given members', async () => {
    const { run } = await openOffice();
    const { exit, stdout } = await run([
      ...'presence set 102 --user-status busy --no-allow-see-my-presence --ring-on-monitored-call'.split(' '),
      '--message',
      'At lunch',
      '-o',
      'json',
    ]);
    expect(exit).toBe(0);
    expect(bodyOf(stdout)).toMatchObject({
      userStatus: 'Busy',
      message: 'At lunch',
      dndStatus: 'TakeAllCalls',
      allowSeeMyPresence: false,
      ringOnMonitoredCall: true,
      pickUpCallsOnHold: false,
      changes: {
        userStatus: { from: 'Available', to: 'Busy' },
        message: { from: '', to: 'At lunch' },
        allowSeeMyPresence: { from: true, to: false },
        ringOnMonitoredCall: { from: false, to: true },
      },
    });
  });

  it('sends only differences, and nothing the second time', async () => {
    const { run, requests } = await openOffice();
    await run('presence set 102 --user-status busy');
    requests();
    const { exit, stdout, stderr } = await run('presence set 102 --user-status busy -o json');
    expect([exit, bodyOf(stdout)['changes'], stderr]).toEqual([
      0,
      {},
      'No changes: everything is already up to date.\n',
    ]);
    expect(requests().filter((line) => line.startsWith('PUT'))).toEqual([]);
  });

  it('changes a presence that the user may not read, and reports the previous state as unknown', async () => {
    const { run } = await openOffice('administrator', (send) => async (request) => {
      const reply = await send(request);
      return request.method === 'GET' && request.url.pathname.endsWith('/presence')
        ? { ...reply, status: 403 }
        : reply;
    });
    const { exit, stdout } = await run('presence set 102 --user-status busy -o json');
    expect([exit, bodyOf(stdout)['changes']]).toEqual([0, { userStatus: { from: null, to: 'Busy' } }]);
    expect((await run('presence set 102 --queue-calls off')).exit).toBe(1);
  });

  it('turns queue calls off and on without changing other calls', async () => {
    const { run } = await openOffice();
    const states = [];
    for (const flags of [
      '--queue-calls off',
      '--queue-calls on',
      '--dnd-status DoNotAcceptAnyCalls',
      '--queue-calls on',
      '--queue-calls off',
    ]) {
      const { stdout } = await run(`presence set 102 ${flags} -o json`);
      states.push(bodyOf(stdout)['dndStatus']);
    }
    expect(states).toEqual([
      'DoNotAcceptDepartmentCalls',
      'TakeAllCalls',
      'DoNotAcceptAnyCalls',
      'TakeDepartmentCallsOnly',
      'DoNotAcceptAnyCalls',
    ]);
  });

  it('sends nothing when queue calls are already set', async () => {
    const { run, requests } = await openOffice('102');
    const { exit, stderr } = await run('presence set --queue-calls on');
    expect([exit, stderr]).toEqual([0, 'No changes: queue calls are already on (TakeAllCalls).\n']);
    expect(requests().some((line) => line.startsWith('PUT'))).toBe(false);
  });

  it('prints the request under --dry-run', async () => {
    const { run, requests } = await openOffice('102');
    const { exit, stdout } = await run('presence set --queue-calls off --dry-run -o json');
    expect([exit, bodyOf(stdout)]).toMatchObject([
      0,
      { method: 'PUT', body: { dndStatus: 'DoNotAcceptDepartmentCalls' } },
    ]);
    expect(requests().some((line) => line.startsWith('PUT'))).toBe(false);
  });

  it.each([
    ['', 'no fields to change'],
    ['--queue-calls on --dnd-status TakeAllCalls', 'cannot be used together'],
    ['--queue-calls maybe', '--queue-calls'],
    ['--user-status Away', '--user-status'],
    [`--message ${'x'.repeat(76)}`, 'the message has 76 characters; at most 75'],
  ])('with "%s" exits with 2 before anything is sent', async (flags, words) => {
    const { run, requests } = await openOffice();
    requests();
    const { exit, stdout, stderr } = await run(`presence set 102 ${flags}`);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
    expect(requests()).toEqual([]);
  });
});

it.each([
  ['TakeAllCalls', 'off', 'DoNotAcceptDepartmentCalls'],
  ['TakeDepartmentCallsOnly', 'off', 'DoNotAcceptAnyCalls'],
  ['DoNotAcceptDepartmentCalls', 'off', 'DoNotAcceptDepartmentCalls'],
  ['DoNotAcceptAnyCalls', 'off', 'DoNotAcceptAnyCalls'],
  ['DoNotAcceptDepartmentCalls', 'on', 'TakeAllCalls'],
  ['DoNotAcceptAnyCalls', 'on', 'TakeDepartmentCallsOnly'],
  ['TakeAllCalls', 'on', 'TakeAllCalls'],
  ['TakeDepartmentCallsOnly', 'on', 'TakeDepartmentCallsOnly'],
  ['Unknown', 'on', undefined],
  [undefined, 'off', undefined],
] as const)('%s with queue calls %s is %s', (present, queueCalls, expected) => {
  expect(withQueueCalls(present, queueCalls)).toBe(expected);
});
