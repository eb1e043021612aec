import { expect, it } from 'vitest';
import { bodyMembers, jsonIn } from '../../src/platform/body-members.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it.each([
  ['an object', { to: 'a' }],
  ['JSON', '{"to":"a"}'],
  ['JSON in bytes, with a byte order mark', bytes('\uFEFF{"to":"a"}')],
  ['what a body that is made later says of itself', { open: () => [], summary: { to: 'a' } }],
])('reads %s', (_, body) => {
  expect(bodyMembers(body)).toEqual({ to: 'a' });
});

it('keeps all digits of a long number, and lists', () => {
  expect(bodyMembers('{"id":8031152018338945839}')).toEqual({ id: 8_031_152_018_338_945_839n });
  expect(jsonIn('[8031152018338945839]')).toEqual([8_031_152_018_338_945_839n]);
  expect(jsonIn('null')).toBeUndefined();
});

it.each([
  ['nothing', undefined],
  ['a list', [{ to: 'a' }]],
  ['text that is not JSON', 'to=a'],
  ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
])('ignores %s', (_, body) => {
  expect(bodyMembers(body)).toBeUndefined();
});
