import { expect, it } from 'vitest';
import { userClient } from '../../sandbox/request.ts';
import { eventually } from '../../support/eventually.ts';
import { withoutExtension } from '../hidden-extension.ts';
import { openOffice } from '../office.ts';

const [queue, person] = ['171857201', '171857105'];

/** A board of the queue that runs until `end`, and a person who is not in the list of extensions until `create`. */
async function runningBoard() {
  let isCreated = false;
  const office = await openOffice(
    'administrator',
    withoutExtension(person, () => !isCreated),
  );
  const administrator = await userClient(office.sandbox, '100');
  const change = async (added: readonly string[], removed: readonly string[]): Promise<void> => {
    const items = [{ departmentId: queue, addedExtensionIds: added, removedExtensionIds: removed }];
    const reply = await administrator.post('/account/~/department/bulk-assign', { items });
    expect(reply.status).toBe(204);
  };
  const stop = new AbortController();
  let stdout = '';
  const result = office.run('queue watch Support', {
    signal: stop.signal,
    onStdout: (text) => {
      stdout += text;
    },
  });
  const names = () =>
    stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { name: string }).name);
  let lists = 0;
  return {
    names,
    create: () => {
      isCreated = true;
    },
    assign: () => change([person], []),
    remove: () => change([], [person]),
    /** The number of requests for the list of extensions so far. */
    lists: () => (lists += office.requests().filter((line) => line === 'GET /account/~/extension').length),
    end: async () => {
      stop.abort(new Error('enough'));
      expect((await result).exit).toBe(0);
    },
  };
}

it('a person who is created while a board runs has a name on the board', async () => {
  const board = await runningBoard();
  await eventually(() => expect(board.names()).toHaveLength(3));
  board.create();
  await board.assign();
  await eventually(() => expect(board.names()).toHaveLength(4));
  await board.end();
  expect(board.names().at(-1)).toBe('Chris Smith');
});

it('a member who is not in the list of extensions causes one read of the list', async () => {
  const board = await runningBoard();
  await eventually(() => expect(board.names()).toHaveLength(3));
  const before = board.lists();
  for (const count of [4, 6]) {
    await board.assign();
    await eventually(() => expect(board.names()).toHaveLength(count));
    await board.remove();
    await eventually(() => expect(board.names()).toHaveLength(count + 1));
  }
  await board.end();
  expect(board.names().at(-1)).toBe(`extension ${person}`);
  expect(board.lists() - before).toBe(1);
});
