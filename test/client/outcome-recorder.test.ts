import { expect, it } from 'vitest';
import { confirmAfterWait } from '../../src/client/outcome-recorder.ts';

/** Confirms a record that was recorded at 0 at each of these times. Returns the times at which it was confirmed. */
async function confirmedAt(times: readonly number[]): Promise<readonly number[]> {
  let now = 0;
  const confirmed: number[] = [];
  const confirm = confirmAfterWait({ confirm: async () => void confirmed.push(now) }, 0, () => now);
  for (now of times) await confirm();
  return confirmed;
}

it.each([
  ['soon after', [0, 4999], []],
  ['after five seconds, and five seconds later', [5000, 9999, 10_000], [5000, 10_000]],
  ['if the clock was set back', [-5000], [-5000]],
])('a record is confirmed %s', async (_, times, expected) => {
  expect(await confirmedAt(times)).toEqual(expected);
});

it('a record is not confirmed, and is checked again, if the check failed', async () => {
  let checks = 0;
  const fail = () => {
    checks += 1;
    return Promise.reject(new Error('no store'));
  };
  const confirm = confirmAfterWait({ confirm: fail }, 0, () => 6000);
  for (const _ of [1, 2]) await expect(confirm()).rejects.toThrow('no store');
  expect(checks).toBe(2);
});
