import {
  array,
  assert as check,
  boolean,
  constantFrom,
  dictionary,
  double,
  integer,
  jsonValue,
  nat,
  oneof,
  property,
  string,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrokenReplyError, RecordSplitter } from '../../../src/features/mirror/record-splitter.ts';

function split(text: string, cuts: readonly number[], limits = {}) {
  const bytes = new TextEncoder().encode(text);
  const splitter = new RecordSplitter(limits);
  const records: string[] = [];
  let from = 0;
  for (const to of [...[...cuts].sort((a, b) => a - b), bytes.length]) {
    records.push(...splitter.push(bytes.subarray(from, to)));
    from = to;
  }
  return { records, oversize: splitter.takeOversize(), end: () => splitter.end() };
}

const hostile = oneof(
  string({ unit: 'binary' }),
  constantFrom('"records":[', '{"records":[{', '\\', '"', '}]', 'Grüße 😀', ',"records', ''),
);
const anyRecord = dictionary(hostile, oneof(hostile, jsonValue(), double()), { maxKeys: 6 });

describe('the splitter of an unpaged reply', () => {
  it('returns the same as JSON.parse, however the bytes are split', () => {
    check(
      property(
        array(anyRecord, { maxLength: 8 }),
        dictionary(hostile, jsonValue(), { maxKeys: 4 }),
        boolean(),
        integer({ min: 0, max: 3 }),
        array(nat(), { maxLength: 40 }),
        (records, before, last, indent, positions) => {
          delete before['records'];
          const syncInfo = { syncToken: 'é"]}' };
          const whole = last ? { ...before, syncInfo, records } : { ...before, records, syncInfo };
          const text = JSON.stringify(whole, undefined, indent);
          const size = new TextEncoder().encode(text).length;
          const result = split(
            text,
            positions.map((position) => position % size),
          );
          expect(result.records.map((one) => JSON.parse(one) as unknown)).toEqual(
            JSON.parse(JSON.stringify(records)),
          );
          expect(result.end()).toEqual({ ...JSON.parse(text), records: [] });
        },
      ),
      { seed: 42, numRuns: 400 },
    );
  });

  it('returns the same byte by byte', () => {
    const text = '{"uri":"x","records":[{"a":"\\"}]"},{"b":[{"records":[1]}]}],"syncInfo":{"t":["]"]}}';
    const result = split(
      text,
      Array.from({ length: text.length }, (_, index) => index),
    );
    expect(result.records).toEqual(['{"a":"\\"}]"}', '{"b":[{"records":[1]}]}']);
    expect(result.end()).toEqual({ uri: 'x', records: [], syncInfo: { t: [']'] } });
  });

  it('detects a truncation at every position', () => {
    const text = '{"records":[{"id":1,"s":"}]}"}],"syncInfo":{"syncToken":"t"}}';
    for (let length = 0; length < text.length; length += 1) {
      expect(() => split(text.slice(0, length), []).end()).toThrow(BrokenReplyError);
    }
    expect(split(text, []).end()).toMatchObject({ syncInfo: { syncToken: 't' } });
  });

  it.each([
    ['no list', '{"syncInfo":{}}'],
    ['a list elsewhere', '{"x":{"records":[{"id":1}]}}'],
    ['a string that looks like the key', '{"x\\"records":[{"id":1}]}'],
    ['a second document', '{"records":[]}{"records":[]}'],
    ['a page of HTML', '<html></html>'],
    ['numbers as elements', '{"records":[1,2]}'],
    ['strings as elements', '{"records":["a"]}'],
    ['lists as elements', '{"records":[[]]}'],
  ])('rejects %s', (_, text) => {
    expect(() => split(text, []).end()).toThrow(BrokenReplyError);
  });

  it('skips an element beyond the limit, reports its beginning, and continues', () => {
    const large = JSON.stringify({ id: 7, text: 'x'.repeat(20_000) });
    const text = `{"records":[{"id":1},${large},{"id":2}]}`;
    for (const cuts of [[], [100, 5000, 9000], Array.from({ length: 2000 }, (_, index) => index * 10)]) {
      const { records, oversize } = split(text, cuts, { maxElementBytes: 10_000 });
      expect(records).toEqual(['{"id":1}', '{"id":2}']);
      expect(oversize).toMatchObject([{ bytes: large.length }]);
      expect(oversize[0]?.head.startsWith('{"id":7,')).toBe(true);
    }
  });
});
