import { expect, test } from 'vitest';
import { openDesk } from '../../matrix/desk.ts';

const isMember = async (desk: Awaited<ReturnType<typeof openDesk>>): Promise<boolean> =>
  (await desk.run('queue members 203 --fields extensionNumber')).stdout.includes('105');

test('the same undo, run twice, does not make the changes again', async () => {
  await using desk = await openDesk();
  expect(await desk.run('queue assign --queue 203 --add 105 --yes')).toMatchObject({ exit: 0 });
  const run = (await desk.run('history list --fields id')).stdout.trim();
  expect(await desk.run('history undo last --yes')).toMatchObject({ exit: 0 });
  const again = await desk.run('history undo last --yes');
  expect([again.exit, again.stderr, await isMember(desk)]).toEqual([
    11,
    expect.stringMatching(/^error: the last run, \S+, is already an undo of run /),
    false,
  ]);
  expect(await desk.run(`history undo ${run} --yes`)).toMatchObject({
    exit: 11,
    stderr: expect.stringContaining(`run ${run} has already been undone`) as string,
  });

  // The error names the command that makes the changes again, which never happens by `last`.
  const [, redo = ''] = /ucctl (history undo \S+);/.exec(again.stderr) ?? [];
  expect(await desk.run(`${redo} --yes`)).toMatchObject({ exit: 0 });
  expect(await isMember(desk)).toBe(true);
  expect((await desk.run('history list --fields state')).stdout).toBe('done\nundone\ndone\n');
  expect(await desk.run('history undo last --yes')).toMatchObject({ exit: 11 });
  expect(await desk.run(`history undo ${run} --yes`)).toMatchObject({ exit: 0 });
  expect(await isMember(desk)).toBe(false);
});

test('the states of runs follow a chain of undos, and a run that was interrupted stays open', async () => {
  await using desk = await openDesk({ files: { 'q.csv': 'queue,agent,action\n201,106,add\n202,107,add\n' } });
  const newest = async (): Promise<string> =>
    (await desk.run('history list --fields id')).stdout.split('\n')[0] ?? '';
  const undo = async (id: string): Promise<string> => {
    expect(await desk.run(`history undo ${id} --yes`)).toMatchObject({ exit: 0 });
    return newest();
  };
  const states = async (): Promise<readonly string[]> =>
    (await desk.run('history list --fields state')).stdout.trim().split('\n');
  const fault = { kind: 'status', operation: 'bulkAssignDepartmentMembers', status: 429, after: 1, times: 0 };
  await desk.sandbox.control('POST', '/faults', fault);
  expect((await desk.run('queue assign -f q.csv --yes --max-items 1 --retry 0')).exit).not.toBe(0);
  await desk.sandbox.control('DELETE', '/faults');
  const run = await newest();
  const first = await undo(run);
  const redo = await undo(first);
  expect(await states()).toEqual(['done', 'undone', 'open']);
  await undo(redo);
  expect(await states()).toEqual(['done', 'undone', 'done', 'undone']);
  expect(await desk.run(`queue apply --resume ${run} --yes`)).toMatchObject({ exit: 11 });
});
