import { describe, expect, it } from 'vitest';
import { secondsIn } from '../../src/platform/duration.ts';
import { isoWithOffset, readAge, readMoment } from '../../src/platform/moment.ts';

const now = Date.UTC(2026, 2, 30, 10, 30);
const iso = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();

describe('readMoment', () => {
  it.each([
    ['now', 'UTC', '2026-03-30T10:30:00.000Z'],
    ['2h', 'UTC', '2026-03-30T08:30:00.000Z'],
    ['7d', 'UTC', '2026-03-23T10:30:00.000Z'],
    ['2 w', 'UTC', '2026-03-16T10:30:00.000Z'],
    ['today', 'UTC', '2026-03-30T00:00:00.000Z'],
    ['today', 'Europe/Paris', '2026-03-29T22:00:00.000Z'],
    // The clocks went forward in that night.
    ['yesterday', 'Europe/Paris', '2026-03-28T23:00:00.000Z'],
    // The clocks went forward at midnight, so the day starts at 1:00.
    ['2026-03-29', 'Atlantic/Azores', '2026-03-29T01:00:00.000Z'],
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    // The clocks went back to midnight, so the day starts at the first of two midnights.
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
    // The clocks went forward over this time.
    ['2026-03-29T02:30', 'Europe/Paris', '2026-03-29T01:30:00.000Z'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    // Date.UTC moves the years 0 to 99 to the 20th century.
    ['0001-01-01', 'Europe/Paris', '0000-12-31T23:50:39.000Z'],
    ['0000-02-29', 'Europe/Paris', '0000-02-28T23:50:39.000Z'],
    ['0099-12-31', 'America/New_York', '0099-12-31T04:56:02.000Z'],
    ['0400-01-01', 'Europe/Paris', '0399-12-31T23:50:39.000Z'],
    ['2026-01-05', 'UTC', '2026-01-05T00:00:00.000Z'],
    ['2026-01-05', 'America/New_York', '2026-01-05T05:00:00.000Z'],
    ['2026-07-05T12:00', 'America/New_York', '2026-07-05T16:00:00.000Z'],
    ['2026-01-05T10:00:00+02:00', 'America/New_York', '2026-01-05T08:00:00.000Z'],
    ['2026-01-05T10:00:00Z', 'UTC', '2026-01-05T10:00:00.000Z'],
  ])('reads %s in %s', (text, zone, expected) => {
    expect(iso(readMoment(text, now, zone))).toBe(expected);
  });

  it.each([
    ['Atlantic/Azores', Date.UTC(2026, 2, 29, 12), '2026-03-29T01:00:00.000Z'],
    ['America/Santiago', Date.UTC(2026, 8, 6, 12), '2026-09-06T04:00:00.000Z'],
  ])('starts a day without midnight in %s at its first moment', (zone, at, start) => {
    expect(iso(readMoment('today', at, zone))).toBe(start);
    expect(iso(readMoment('yesterday', at + 86_400_000, zone))).toBe(start);
  });

  it('rejects an age of more than 100 years', () => {
    expect(iso(readMoment('36500d', now))).toBe('1926-04-24T10:30:00.000Z');
    for (const text of ['36501d', '5300w', '999999999d', '99999999999999999999s'])
      expect(readMoment(text, now)).toBeUndefined();
  });

  it.each(['', 'soon', '2026-13-01', '2026-02-30', '7', '7y', '99999999d', '2026-01-05T25:00'])(
    'rejects "%s"',
    (text) => {
      expect(readMoment(text, now)).toBeUndefined();
    },
  );

  it.each(['6M', '6 M', '2H', '7D', '2W', '90S'])('rejects "%s", because M may mean months', (text) => {
    expect(readMoment(text, now)).toBeUndefined();
    expect(readAge(text)).toBeUndefined();
    expect(secondsIn(text)).toBeNaN();
  });
});

it('writes the offset of a zone', () => {
  expect(isoWithOffset(now)).toBe('2026-03-30T10:30:00.000Z');
  expect(isoWithOffset(now, 'Europe/Paris')).toBe('2026-03-30T12:30:00.000+02:00');
  expect(isoWithOffset(Date.UTC(2026, 0, 1), 'America/St_Johns')).toBe('2025-12-31T20:30:00.000-03:30');
});
