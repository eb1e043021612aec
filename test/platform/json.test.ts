import { assert, bigInt, json, pre, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, parseJsonExactly, stringifyJson } from '../../src/platform/json.ts';

describe('parseJson', () => {
  it.each([
    ['{"id":8031152018338945839}', { id: '8031152018338945839' }],
    ['[9007199254740991,9007199254740993]', [9_007_199_254_740_991, '9007199254740993']],
    ['-9007199254740993', '-9007199254740993'],
    // Digits in a text, a fraction or an exponent are not ids.
    ['{"text":"call 8031152018338945839 \\" now"}', { text: 'call 8031152018338945839 " now' }],
    ['"\\\\\\"12345678901234567890"', '\\"12345678901234567890'],
    ['1234567890123456.5', 1_234_567_890_123_456.5],
    ['1234567890123456e-2', 12_345_678_901_234.56],
    ['[0.30000000000000004,-1.2345678901234567]', [0.300_000_000_000_000_04, -1.234_567_890_123_456_7]],
    ['[1.5e+0000000000000001,1e-0000000000000001]', [15, 0.1]],
    ['{"12345678901234567890":1}', { '12345678901234567890': 1 }],
  ])('reads %s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  it('reads everything else as JSON.parse does', () => {
    assert(
      property(json(), (text) => {
        pre(!/\d{16}/.test(text));
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
      { seed: 42 },
    );
  });

  it('reads every fraction, and a text of any length next to a long id', () => {
    const fractions = Array.from({ length: 200 }, (_, at) => (at + 1) / 7);
    const long = { id: 8_031_152_018_338_945_839n, fractions, text: 'a"'.repeat(3_000_000) };
    for (const read of [parseJson, parseJsonExactly]) {
      expect(read(stringifyJson(long))).toMatchObject({ fractions, text: long.text });
    }
  });

  it('rejects a long text without an end in one pass', () => {
    const start = '[1234567890123456789,';
    const texts = ['"\\', '"\\\n', '\\"'].map((part) => `${start}"${part.repeat(300_000)}`);
    for (const text of [...texts, `${texts[0]}\\`]) {
      expect(() => parseJson(text)).toThrow(SyntaxError);
      expect(() => parseJsonExactly(text)).toThrow(SyntaxError);
    }
  });

  it('rejects text that is not JSON', () => {
    expect(() => parseJson('{"id":80311520183389458390')).toThrow(SyntaxError);
  });
});

it('spec:BASE-18 a long id is returned with all its digits', () => {
  assert(
    property(bigInt(), (id) => {
      const read = parseJson(stringifyJson({ id })) as { id: number | string };
      expect(String(read.id)).toBe(id.toString());
    }),
    { seed: 42 },
  );
});

it('keeps a text that looks like a long integer of ucctl next to a long integer', () => {
  const texts = ['', '1', '2'].map((number) => `\u{10FFFD}${number}int:007`);
  const value = { id: 8_031_152_018_338_945_839n, texts };
  const text = stringifyJson(value);
  expect(JSON.parse(text)).toMatchObject({ texts });
  expect(text).toContain('"id":8031152018338945839,');
  const escaped = text.replaceAll('\u{10FFFD}', String.raw`\udbff\uDFFD`);
  for (const given of [text, escaped]) expect(parseJsonExactly(given)).toEqual(value);
});
