import { describe, expect, it } from 'vitest';
import { readQuietHours } from '../../src/platform/quiet-hours.ts';
import { zoneProblem } from '../../src/platform/time-zone.ts';

describe('a time zone that a user chooses', () => {
  it.each(['UTC', 'utc', 'GMT', 'Europe/London', 'america/argentina/buenos_aires', 'Etc/GMT+12'])(
    'can be %s',
    (zone) => {
      expect(zoneProblem(zone)).toBeUndefined();
      expect(readQuietHours(`22:00-07:00 ${zone}`).zone).toBe(zone);
    },
  );

  // The library reads BST as Asia/Dhaka, and IST as Asia/Calcutta.
  it.each(['BST', 'AST', 'NST', 'SST', 'ECT', 'IST', 'CST', 'EST', 'bst', 'Nowhere'])(
    'cannot be %s, which may be an abbreviation',
    (zone) => {
      expect(zoneProblem(zone)).toBe(`"${zone}" is not the full name of a time zone`);
      expect(() => readQuietHours(`22:00-07:00 ${zone}`)).toThrow(
        `"${zone}" is not the full name of a time zone; use UTC or a name such as Europe/Berlin`,
      );
    },
  );

  it('cannot be an unknown name', () => {
    expect(zoneProblem('Mars/Base')).toBe('unknown time zone "Mars/Base"');
    expect(() => readQuietHours('22:00-07:00 Mars/Base')).toThrow('unknown time zone "Mars/Base"');
  });
});
