import { expect, onTestFinished, test, vi } from 'vitest';
import { hintText } from '../../../src/errors/hint.ts';
import type { BoardParts } from '../../../src/features/board/parts.ts';
import { watchBoard } from '../../../src/features/board/watch.ts';

const people = Array.from({ length: 40 }, (_, index) => ({
  id: String(1000 + index),
  extensionNumber: String(index),
  name: `Person ${index}`,
}));

/** Polls a board of many people, whose presences arrive in one list. The pauses last until the board ends. */
function pollMany(stop: AbortController) {
  async function* list() {
    for (const { id } of people) yield { extension: { id }, presenceStatus: 'Available' };
  }
  const ended = new Promise<never>((_resolve, reject) => {
    stop.signal.addEventListener('abort', () => reject(new Error('over')));
  });
  ended.catch(() => undefined);
  return watchBoard({
    api: { presence: { list } } as unknown as BoardParts['api'],
    title: 'Everyone',
    people: () => Promise.resolve(people),
    peopleRequests: 1,
    feed: undefined,
    followsMembers: false,
    readsAccount: true,
    intervalSeconds: 10,
    now: () => Date.UTC(2026, 0, 5, 12),
    sleep: () => ended,
    signal: stop.signal,
    onProblem: () => undefined,
    onOutdated: () => undefined,
    hintText,
  });
}

test('a board shows all waiting changes on one screen, sorted once', async () => {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const sorts = vi.spyOn(Array.prototype, 'toSorted');
  onTestFinished(() => sorts.mockRestore());
  const changed: string[] = [];
  let screens = 0;
  for await (const screen of pollMany(stop)) {
    screens += 1;
    changed.push(...screen.changed.map(({ name }) => name));
    if (changed.length < people.length) continue;
    expect(screen.title).toBe('Everyone  40 available');
    expect(screen.rows.map(({ name }) => name)).toEqual(people.map(({ name }) => name));
    break;
  }
  expect(changed).toEqual(people.map(({ name }) => name));
  expect(screens).toBeLessThan(5);
  expect(sorts).toHaveBeenCalledTimes(screens);
});
