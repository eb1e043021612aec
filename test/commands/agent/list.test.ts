import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fillLargeOffice } from '../../support/large-office.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

it('lists at most --limit agents, and reads no presence of others', async () => {
  const { run, requests } = await openOffice();
  const all = JSON.parse((await run('agent list -o json')).stdout) as readonly { id: number }[];
  expect(all.length).toBeGreaterThan(2);
  requests();
  const { stdout } = await run('agent list --limit 2 --presence -o json');
  const listed = JSON.parse(stdout) as readonly { id: number }[];
  expect(listed.map(({ id }) => id)).toEqual(all.slice(0, 2).map(({ id }) => id));
  expect(requests().filter((path) => path.endsWith('/presence'))).toHaveLength(2);
});

it('names the column of queues for what it is with --queue', async () => {
  const { run, requests } = await openOffice();
  expect((await run('agent list --color never', { terminal: 120 })).stdout).toMatch(/ QUEUES/);
  requests();
  const { stdout } = await run('agent list --queue Support --color never', { terminal: 120 });
  expect(stdout).toMatch(/ GIVEN QUEUES/);
  expect(requests().filter((path) => path.includes('members'))).toHaveLength(1);
});

it.each(['--json=presence', '--json=presence.dndStatus', '--fields dndStatus'])(
  'requires --presence for %s',
  async (flags) => {
    const { run } = await openOffice();
    const { exit, stderr } = await run(`agent list ${flags}`);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('requires --presence')]);
    expect((await run(`agent list --presence ${flags}`)).exit).toBe(0);
  },
);

it('spec:OPERATION-12 reads the presences of many agents with one request in dialect current', async () => {
  const database = join(temporaryFolder(), 'office.db');
  fillLargeOffice(database, {
    agents: 24,
    queues: 1,
    members: () => Array.from({ length: 24 }, (_, at) => at),
  });
  const { run, requests, sandbox } = await openOffice('administrator', undefined, database, {
    dialect: 'current',
  });
  const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_DIALECT: 'current' };
  requests();
  const { exit, stdout } = await run('agent list --queue 50000 --presence -o json', { env });
  const agents = JSON.parse(stdout) as readonly { readonly presence: object }[];
  expect([exit, agents.length]).toEqual([0, 24]);
  expect(agents.every(({ presence }) => 'presenceStatus' in presence)).toBe(true);
  const reads = requests().filter((path) => path.endsWith('/presence'));
  // The presences, and the availability in the queue.
  expect(reads).toEqual(['GET /account/~/presence', expect.stringMatching(/call-queues\/\d+\/presence$/)]);
});

it('shows who is signed out of which queue in dialect current', async () => {
  const { run, requests } = await openOffice('administrator', undefined, ':memory:', { dialect: 'current' });
  await run('queue availability Support --agent 102 --off --yes --dialect current');
  await run('presence set 103 --dnd-status DoNotAcceptAnyCalls --yes --dialect current');
  requests();
  const flags = '--presence --dialect current --fields number,queueCalls';
  const given = await run(`agent list --queue Support ${flags}`);
  expect(given.stdout).toBe('102\tsigned out of queue\n103\toff\n104\taccepted\n');
  expect(
    requests().filter((path) => path.includes('/call-queues/') && path.endsWith('/presence')),
  ).toHaveLength(1);
  await run('queue assign --queue Sales --add 102 --yes --dialect current');
  const { stdout } = await run(`agent list ${flags}`);
  expect(stdout).toContain('102\tsigned out of Support\n');
  const shown = await run('agent list --queue Support --presence --dialect current -o json --limit 2');
  expect(JSON.parse(shown.stdout)).toMatchObject([
    { queues: [{ name: 'Support', isSignedOut: true }] },
    { queues: [{ name: 'Support', isSignedOut: false }] },
  ]);
  expect((await run('agent show 102 --dialect current', { terminal: 100 })).stdout).toContain(
    'signed out of Support',
  );
});

it.each([403, 500])('shows no queue calls if the service rejects their request with %i', async (status) => {
  const { run, sandbox, requests } = await openOffice('administrator', undefined, ':memory:', {
    dialect: 'current',
  });
  await run('queue availability Support --agent 102 --off --yes --dialect current');
  for (const operation of ['readCallQueuePresence', 'readExtensionQueuePresence'])
    await sandbox.control('POST', '/faults', { kind: 'status', status, operation, times: 0 });
  requests();
  const { exit, stdout, stderr } = await run(
    'agent list --presence --retry 0 --dialect current --fields number,queueCalls',
  );
  expect([exit, stdout]).toEqual([0, expect.stringMatching(/^102\t$/m)]);
  expect(stdout).not.toContain('accepted');
  expect(stderr.match(/it is unknown who is signed out of a queue/g)).toHaveLength(1);
  // The requests for the other queues would fail, too.
  expect(requests().filter((path) => path.includes('/call-queues/') && path.endsWith('/presence'))).toEqual([
    expect.anything(),
  ]);
  const shown = await run('agent show 102 --retry 0 --dialect current -o json');
  expect(shown).toMatchObject({ exit: 0, stderr: expect.stringContaining('it is unknown') as string });
  expect(JSON.parse(shown.stdout)).toMatchObject({ queues: [{ name: 'Support', isSignedOut: null }] });
});

it('shows on 80 columns whether an agent accepts queue calls', async () => {
  const { run } = await openOffice('administrator', undefined, ':memory:', { dialect: 'current' });
  await run('queue availability Support --agent 102 --off --yes --dialect current');
  const words = 'agent list --queue Support --presence --dialect current --color never';
  const { stdout } = await run(words, { terminal: 80 });
  expect(stdout).toMatch(/102 .*signed out of queue/);
});

it('reads no availability in single queues in dialect spec', async () => {
  const { run, requests } = await openOffice();
  await run('presence set 102 --dnd-status DoNotAcceptAnyCalls --yes');
  requests();
  const { stdout } = await run('agent list --queue Support --presence --fields number,queueCalls');
  expect(stdout).toBe('102\toff\n103\taccepted\n104\taccepted\n');
  expect(requests().some((path) => path.includes('call-queue'))).toBe(false);
});
