import { expect, it } from 'vitest';
import { parseSession, type SessionRecord } from '../../src/auth/session-record.ts';
import { freshSession } from '../support/session-record.ts';

const withoutMember = (name: keyof SessionRecord): string =>
  JSON.stringify({ ...freshSession, [name]: undefined });

it.each([
  ['damaged', ''],
  ['damaged', 'null'],
  ['damaged', '{}'],
  ['damaged', JSON.stringify(freshSession).slice(0, -1)],
  ['damaged', withoutMember('version')],
  ['damaged', withoutMember('origin')],
  ['damaged', withoutMember('accessToken')],
  ['damaged', withoutMember('expiresAt')],
  ['other-version', JSON.stringify({ ...freshSession, version: 2 })],
  ['other-version', '{"version":2}'],
])('a stored session is %s: %s', (fault, text) => {
  expect(parseSession(text)).toBe(fault);
});

it('a stored session is read as it was written', () => {
  expect(parseSession(JSON.stringify(freshSession))).toEqual(freshSession);
});
