import { expect, test } from 'vitest';
import { Traffic, trafficTimers } from '../../../src/sandbox/control/traffic.ts';
import { openWorld } from '../open-world.ts';

/** How many events there are when the timer of the first one, at one in 10 ms, rings so late. */
function madeAfter(lateMilliseconds: number): unknown {
  using office = openWorld();
  const { world } = office;
  const traffic = new Traffic(world);
  traffic.start({ perMinute: 6000, kinds: ['presence'] });
  world.timers.cancel('traffic.next', 'traffic');
  world.clock.advance(lateMilliseconds);
  world.inTransaction(() => trafficTimers['traffic.next'](world));
  world.clock.advance(0);
  return (traffic.state() as { readonly made: number }).made;
}

test('traffic keeps its rate on a machine that runs its timers late', () => {
  expect(madeAfter(1000)).toBeGreaterThan(90);
  expect(madeAfter(1000)).toBeLessThan(110);
});

test('traffic is not generated for the time when the sandbox was stopped', () => {
  expect(madeAfter(3_600_000)).toBeLessThan(550);
});
