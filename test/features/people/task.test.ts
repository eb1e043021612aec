import { describe, expect, test } from 'vitest';
import type { Client } from '../../../src/client/index.ts';
import { runUpdateTask } from '../../../src/features/people/task.ts';

const accepted = { id: 'task-1', status: 'Accepted' };

/** The extensions of a service whose task never ends. */
function service(updateTask: () => Promise<unknown>): Pick<Client, 'extensions'> {
  const extensions = { update: () => Promise.resolve(accepted), updateTask };
  return { extensions } as unknown as Pick<Client, 'extensions'>;
}

describe('a task without an end', () => {
  test.each([
    [
      'ends after an interruption',
      { sleep: () => Promise.reject(new Error('Ctrl-C')) },
      () => Promise.resolve(accepted),
      'interrupted before the end of the task; update task task-1 may still make the changes',
    ],
    [
      'ends after its time limit',
      {},
      () => Promise.resolve(accepted),
      'ucctl waited 15 minutes for the end of the task; update task task-1 may still make the changes',
    ],
    [
      'ends if it cannot be read',
      {},
      () => Promise.reject(new Error('the service replied with HTTP 503')),
      'the service replied with HTTP 503; update task task-1 may still make the changes',
    ],
  ])('%s, with the reason', async (_, clock, updateTask, message) => {
    let now = 0;
    const sleep = (milliseconds: number): Promise<void> => {
      now += milliseconds;
      return Promise.resolve();
    };
    await expect(
      runUpdateTask({ sleep, elapsed: () => now, ...clock }, service(updateTask), [{ id: '1' }]),
    ).rejects.toThrow(message);
  });
});
