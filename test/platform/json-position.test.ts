import { assert, constantFrom, json, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { locateJsonError } from '../../src/platform/json-position.ts';

test.each([
  ['', 1, 1],
  ['{"a": 1,}', 1, 9],
  ['[1, 2', 1, 6],
  ['{"a"\n:\n  tru}', 3, 3],
  ['{} x', 1, 4],
  ['{"a": "\u0001"}', 1, 7],
])('finds the position at which %j is invalid JSON', (text, line, column) => {
  expect(locateJsonError(text)).toEqual({ line, column });
});

test('accepts every JSON text, and rejects what JSON.parse rejects', () => {
  assert(
    property(json(), nat(), constantFrom('', ',', '"', '\\', '}', '\u007f', '\ud800'), (text, at, extra) => {
      const place = at % (text.length + 1);
      const changed = text.slice(0, place) + extra + text.slice(place);
      expect(locateJsonError(changed) === undefined).toBe(isJson(changed));
    }),
    { seed: 1, numRuns: 500 },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
