import { expect, test } from 'vitest';
import { openDesk } from '../../matrix/desk.ts';

const list = 'queue,agent,action\n201,106,add\n202,107,add\n';

test('a run counts as undone after its undo was interrupted and resumed', async () => {
  await using desk = await openDesk({ sandbox: { dialect: 'current' }, files: { 'queues.csv': list } });
  expect(await desk.run('queue assign -f queues.csv --yes')).toMatchObject({ exit: 0 });
  const id = (await desk.run('history list --fields id')).stdout.trim();
  const fault = { kind: 'status', operation: 'assignCallQueueMembers', status: 503, after: 1, times: 0 };
  await desk.sandbox.control('POST', '/faults', fault);
  expect(await desk.run(`history undo ${id} --yes --retry 0`)).toMatchObject({ exit: 14 });
  await desk.sandbox.control('DELETE', '/faults');
  expect(await desk.run('queue apply --resume last --yes')).toMatchObject({ exit: 0 });
  expect((await desk.run('history list --fields state')).stdout.trim()).toBe('done\nundone');
  expect(await desk.run(`history undo ${id} --yes`)).toMatchObject({
    exit: 11,
    stderr: expect.stringContaining(`run ${id} has already been undone`) as string,
  });
  expect(await desk.run(`queue apply --resume ${id} --yes`)).toMatchObject({ exit: 11 });
});
