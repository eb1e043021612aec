import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';

it('the clock rejects a time before the current time', async () => {
  await using sandbox = await startSandbox({ listen: false });
  for (const milliseconds of [-1, Number.NaN, Number.POSITIVE_INFINITY, '5' as unknown as number])
    await expect(sandbox.clock.advance(milliseconds)).rejects.toThrow('can only move forward');
  expect(sandbox.clock.now()).toBe(Date.UTC(2026, 0, 5, 9));
});
