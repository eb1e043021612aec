import { expect, test } from 'vitest';
import { gradeOf } from '../../bench/report.ts';

test.each([
  ['at most', 99, 'ok'],
  ['at most', 104, 'within noise'],
  ['at most', 106, 'MISSED'],
  ['at least', 100, 'ok'],
  ['at least', 96, 'within noise'],
  ['at least', 94, 'MISSED'],
  ['no goal', 200, 'for comparison'],
] as const)('%s 100, measured %d with a noise of 5: %s', (sense, value, grade) => {
  expect(gradeOf({ name: 'x', value, min: value, max: value, noise: 5, goal: 100, sense })).toBe(grade);
});
