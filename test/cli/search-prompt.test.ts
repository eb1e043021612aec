import { expect, it } from 'vitest';
import { pageSizeOf, wrapped } from '../../src/cli/search-prompt.ts';

const label = '2026-11-23 07:25  Voice  +1 650 555 0199 → Dana Okafor (102)  Accepted';

it.each<[number, string]>([
  [120, label],
  [60, '2026-11-23 07:25  Voice  +1 650 555 0199\n    → Dana Okafor (102)  Accepted'],
  [40, '2026-11-23 07:25  Voice\n    +1 650 555 0199\n    → Dana Okafor (102)  Accepted'],
  // Too narrow for a wrapped list.
  [12, label],
])('a choice on %i columns is broken between its cells', (columns, shown) => {
  expect(wrapped(label, columns)).toBe(shown);
});

it.each([
  [undefined, 10],
  [0, 10],
  [24, 10],
  [10, 6],
  [3, 1],
])('on a terminal of %s lines, the list takes %i lines', (rows, lines) => {
  expect(pageSizeOf(rows)).toBe(lines);
});
