import { describe, expect, it } from 'vitest';
import { OneTimeValues } from '../../src/platform/one-time-values.ts';

const tenMinutes = 10 * 60_000;

describe('values that can be taken once', () => {
  it('gives a value once', () => {
    const values = new OneTimeValues<string>(() => 0, 'plan-');
    const id = values.add('a');
    expect(id).toMatch(/^plan-[0-9a-f-]{36}$/);
    expect(values.take(id)).toBe('a');
    expect(values.take(id)).toBeUndefined();
  });

  it('keeps a value that is not the wanted one', () => {
    const values = new OneTimeValues<string>(() => 0);
    const id = values.add('a');
    expect(values.take(id, (value) => value === 'b')).toBeUndefined();
    expect(values.take(id, (value) => value === 'a')).toBe('a');
  });

  it('gives no value after ten minutes', () => {
    let now = 0;
    const values = new OneTimeValues<string>(() => now);
    const [early, late] = [values.add('early'), values.add('late')];
    now = tenMinutes - 1;
    expect(values.take(early)).toBe('early');
    now = tenMinutes;
    expect(values.take(late)).toBeUndefined();
  });

  it('drops the oldest of more than 100 values', () => {
    const values = new OneTimeValues<number>(() => 0);
    const ids = Array.from({ length: 101 }, (_, index) => values.add(index));
    expect(ids.map((id) => values.take(id)).filter((value) => value === undefined)).toHaveLength(1);
    expect(values.take(ids[0] ?? '')).toBeUndefined();
  });
});
