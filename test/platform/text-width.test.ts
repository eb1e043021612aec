import { describe, expect, it } from 'vitest';
import { fold } from '../../src/platform/text-width.ts';

describe('a wrapped text', () => {
  it.each<[string, number, readonly string[]]>([
    ['call from Dana Okafor (102) now', 24, ['call from Dana', 'Okafor (102) now']],
    ['is ringing: +1 650 555 0199 → Support (201)', 36, ['is ringing: +1 650 555 0199 →', 'Support (201)']],
    ['(102) (103)', 7, ['(102)', '(103)']],
  ])('%j keeps a number with the word before it at %i columns', (text, width, lines) => {
    expect(fold(text, width)).toEqual(lines);
  });
});
