import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/errors/service.ts';
import { LookupQueue } from '../../../src/features/download/lookup-queue.ts';
import { Dice } from '../../support/dice.ts';

const request = { method: 'GET', path: '/recording' };
const outage = new ApiError({ status: 503, errorCode: 'CMN-211', message: 'busy', request });

/** Looks up items in the order of a queue. @returns the names of those that succeeded */
function run(names: readonly string[], bad: readonly string[], choose?: (count: number) => number) {
  const queue = new LookupQueue(
    names.map((id) => ({ kind: 'recording', id })),
    [],
    choose,
  );
  const found: string[] = [];
  for (let one = queue.take(); one !== undefined; one = queue.take()) {
    if (bad.includes(one.id)) queue.fail(one.kind, outage);
    else {
      queue.succeed();
      found.push(one.id);
    }
  }
  return { found, untried: queue.untried };
}

describe('items whose lookups always fail', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const bad = ['a', 'b', 'c', 'h'];

  it('end the run if the last item fails, too', () => {
    expect(run(names, bad)).toEqual({ found: [], untried: 4 });
  });

  it('do not hide the other items in all runs if the item after them is chosen at random', () => {
    const dice = new Dice(7);
    const runs = Array.from({ length: 20 }, () =>
      run(names, bad, (count) => Math.floor(dice.next() * count)),
    );
    const complete = runs.filter(({ untried }) => untried === 0);
    expect(complete.length).toBeGreaterThan(0);
    for (const { found } of complete) expect(found.toSorted()).toEqual(['d', 'e', 'f', 'g']);
  });
});
