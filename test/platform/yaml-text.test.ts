import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { yamlText } from '../../src/platform/yaml-text.ts';

/** Texts that programs for YAML 1.1, such as PyYAML, do not read as text without quotation marks. */
const texts =
  'YES no On off y N true null ~ = << 22:00 9:00 190:20:30 1_000 0o17 017 0b11 .5 1e3 .nan 2026-11-30'
    .split(' ')
    .concat('', '+447911123456', '2026-11-30T10:00:00Z', 'line\u2028separator', 'next\u0085line');

describe('YAML text', () => {
  it.each(texts)('has quotation marks around %j', (text) => {
    const written = yamlText([{ text, [text]: 1 }]);
    expect(written).toMatch(/^- text: ".*"\n +".*": 1\n$/);
    for (const version of ['1.1', '1.2'] as const)
      expect(parse(written, { version })).toEqual([{ text, [text]: 1 }]);
  });

  it.each([
    ['\u{E0067}', '"\\U000e0067"'],
    ['x\u{1D173}', '"x\\U0001d173"'],
    ['\uFFFE\uFFFF', '"\\ufffe\\uffff"'],
    ['a\u202Eb', '"a\\u202eb"'],
    ['\u{1F600} \u{1FFFE}', '\u{1F600} \u{1FFFE}'],
  ])('escapes %j only in forms that all readers accept', (text, scalar) => {
    const written = yamlText({ text }, [text]);
    expect(written.slice(written.indexOf('text:'))).toBe(`text: ${scalar}\n`);
    // The characters of a YAML document (YAML 1.1 and 1.2, section 5.1), and no halves of a character.
    expect(written).toMatch(/^[\n\x20-\x7E\xA0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u);
    expect(written).not.toMatch(/\\ud[89a-f]/i);
    expect(parse(written)).toEqual({ text });
  });

  it('has no quotation marks around other texts', () => {
    expect(yamlText({ name: 'José Núñez', count: 3, active: true, none: null })).toBe(
      'name: José Núñez\ncount: 3\nactive: true\nnone: null\n',
    );
  });
});
