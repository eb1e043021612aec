import { describe, expect, it } from 'vitest';
import { parseContentRange } from '../../../src/features/download/content-range.ts';
import {
  isComplete,
  isFull,
  receivedBytes,
  splitLargeFile,
} from '../../../src/features/download/segments.ts';
import { unknownContent } from '../../../src/features/download/transfer.ts';
import { ApiError } from '../../../src/client/index.ts';

const mib = 1024 * 1024;
const start = () => ({ first: 0, next: 0, last: undefined });
const contentOf = (total: number | undefined) => ({
  ...unknownContent(),
  total,
  takesRanges: true,
  validator: '"a"',
});

describe('a large file', () => {
  it.each([
    [32 * mib, 4, 4],
    [32 * mib + 1, 4, 4],
    [32 * mib + 2, 3, 3],
    [100 * mib + 7, 6, 6],
    // At least 8 MiB for each connection.
    [32 * mib, 64, 4],
  ])(
    'of %i bytes over %i connections has segments that cover each byte once',
    (total, connections, count) => {
      const segments = splitLargeFile(start(), contentOf(total), connections);
      expect(segments).toHaveLength(count);
      let next = 0;
      for (const segment of segments) {
        expect([segment.first, segment.next]).toEqual([next, next]);
        next = (segment.last ?? Number.NaN) + 1;
      }
      expect(next).toBe(total);
    },
  );

  it.each([
    ['smaller than 32 MiB', contentOf(32 * mib - 1), 4],
    ['over one connection', contentOf(32 * mib), 1],
    ['without support for ranges', { ...contentOf(32 * mib), takesRanges: false }, 4],
    ['without a validator', { ...contentOf(32 * mib), validator: undefined }, 4],
  ])('%s has one segment', (_, content, connections) => {
    expect(splitLargeFile(start(), content, connections)).toEqual([
      { first: 0, next: 0, last: (content.total ?? 0) - 1 },
    ]);
  });

  it('of unknown size has one segment without an end', () => {
    expect(splitLargeFile(start(), contentOf(undefined), 4)).toEqual([start()]);
  });
});

it('the received bytes are those of all segments', () => {
  const segments = [
    { first: 0, next: 3, last: 9 },
    { first: 10, next: 15, last: 19 },
  ];
  expect(receivedBytes(segments)).toBe(8);
});

it.each([
  [98, false],
  [99, false],
  [100, true],
])('a segment up to byte 99 whose next byte is %i is full: %s', (next, full) => {
  expect(isFull({ first: 0, next, last: 99 })).toBe(full);
});

it.each([
  ['bytes 0-9/10', { part: { first: 0, last: 9 }, total: 10 }],
  [' Bytes  3-3/* ', { part: { first: 3, last: 3 }, total: undefined }],
  ['bytes */10', { total: 10 }],
  ['bytes */*', { total: undefined }],
  ['bytes 0-10/10', undefined],
  ['bytes 5-3/10', undefined],
  ['bytes 0-9/10, 20-29/30', undefined],
  ['items 0-9/10', undefined],
  ['', undefined],
])('the Content-Range "%s" is %o', (text, range) => {
  expect(parseContentRange(text)).toEqual(range);
});

describe('a 416 after all bytes', () => {
  const rejection = (contentRange: string) =>
    Object.assign(
      new ApiError({ status: 416, errorCode: '', message: '', request: { method: 'GET', path: '/content' } }),
      { contentRange },
    );
  const open = { ...unknownContent(), isOpenEnded: true };
  const at = (next: number, last?: number) => ({ first: 0, next, last });

  it.each([
    ['confirms the size', 'bytes */100', at(100), unknownContent(), true],
    ['confirms the size of a full segment', 'bytes */100', at(100, 99), unknownContent(), true],
    ['names a larger size', 'bytes */200', at(100), unknownContent(), false],
    ['names a smaller size', 'bytes */50', at(100), unknownContent(), false],
    ['comes before the end of the segment', 'bytes */100', at(100, 199), unknownContent(), false],
    ['names no size after parts without a total', '', at(100), open, true],
    ['names no size after parts with a total', '', at(100), unknownContent(), false],
    ['comes before the first byte', 'bytes */0', at(0), open, false],
  ])('%s', (_, range, segment, content, isEnd) => {
    expect(isComplete(rejection(range), segment, content)).toBe(isEnd);
  });
});
