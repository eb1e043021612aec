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
