import { describe, expect, it } from 'vitest';
import { fold, widthOf } from '../../src/platform/text-width.ts';

describe('a wrapped text', () => {
  it.each<[string, number, readonly string[]]>([
    ['call from Dana Okafor (102) now', 24, ['call from Dana', 'Okafor (102) now']],
    ['is ringing: +1 650 555 0199 → Support (201)', 36, ['is ringing: +1 650 555 0199 →', 'Support (201)']],
    ['(102) (103)', 7, ['(102)', '(103)']],
  ])('%j keeps a number with the word before it at %i columns', (text, width, lines) => {
    expect(fold(text, width)).toEqual(lines);
  });

  it.each<[string, number, readonly string[]]>([
    ['日本', 1, ['日', '本']],
    ['\u0301👨\u200D👩\u200D👧Ж', 2, ['\u0301👨\u200D👩\u200D👧', 'Ж']],
    [`${'e\u0301'.repeat(5)} x`, 5, ['e\u0301'.repeat(5), 'x']],
    [`a${'\u0301'.repeat(500)}bc`, 2, [`a${'\u0301'.repeat(500)}b`, 'c']],
  ])('%j is broken between whole characters at %i columns', (text, width, lines) => {
    expect(fold(text, width)).toEqual(lines);
  });

  it('of any length has the same lines as its parts', () => {
    const part = 'Größe 日本 👨\u200D👩\u200D👧 und e\u0301 ';
    const width = widthOf(part);
    expect(fold(part.repeat(2000).trim(), width)).toEqual(Array.from({ length: 2000 }, () => part.trim()));
  });
});
