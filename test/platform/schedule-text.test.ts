import { expect, test } from 'vitest';
import { scheduleText } from '../../src/platform/schedule-text.ts';

const day = [{ from: '09:00', to: '12:00' }];
const both = [...day, { from: '13:00', to: '17:00' }];

test.each([
  [{ ref: 'BusinessHours' }, 'business hours'],
  [{ ref: 'Other' }, 'Other'],
  [
    { ranges: [{ from: '2026-12-24T00:00:00.000Z', to: '2026-12-27T08:30:00+01:00' }] },
    '2026-12-24 00:00Z to 2026-12-27 08:30+01:00',
  ],
  [{ ranges: [{ from: '2026-12-24T00:00:30Z', to: 'x' }] }, '2026-12-24T00:00:30Z to x'],
  [
    { weeklyRanges: { monday: both, tuesday: both, friday: day } },
    'Mon-Tue 09:00-12:00, 13:00-17:00; Fri 09:00-12:00',
  ],
])('%j is %s', (schedule, text) => {
  expect(scheduleText(schedule)).toBe(text);
});

test.each([
  null,
  'text',
  [],
  {},
  { ref: null, ranges: [] },
  { ranges: 'x' },
  { ranges: [{ from: 1 }] },
  { days: [] },
  { weeklyRanges: { monday: 1 } },
])('%j is not a schedule', (value) => {
  expect(scheduleText(value)).toBeUndefined();
});
