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
  expect(requests().filter((path) => path.endsWith('/presence'))).toEqual(['GET /account/~/presence']);
});
