import { expect, it } from 'vitest';
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
