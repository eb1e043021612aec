import { describe, expect, it } from 'vitest';
import { path } from '../../src/client/path.ts';

describe('path', () => {
  it.each([
    ['~', '/a/~/b'],
    [42, '/a/42/b'],
    ['../../admin', '/a/..%2F..%2Fadmin/b'],
    ['a b?c#d', '/a/a%20b%3Fc%23d/b'],
    ['%2e%2e', '/a/%252e%252e/b'],
    ['x\r\nHost: y', '/a/x%0D%0AHost%3A%20y/b'],
  ])('encodes %j', (value, expected) => {
    expect(path`/a/${value}/b`).toBe(expected);
  });

  it.each(['', '.', '..'])('rejects %j', (value) => {
    expect(() => path`/a/${value}/b`).toThrow(RangeError);
  });
});
