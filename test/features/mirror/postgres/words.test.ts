import { describe, expect, it } from 'vitest';
import { fullText } from '../../../../src/features/mirror/postgres/words.ts';
import { postgresMissing, testStore } from '../../../support/postgres.ts';

/** Different words of two Chinese characters. */
function chineseWords(count: number): string {
  const character = (index: number): string => String.fromCodePoint(0x4e_00 + index);
  return Array.from(
    { length: count },
    (_, index) => character(index % 20_000) + character(Math.floor(index / 20_000)),
  ).join(' ');
}

describe.skipIf(postgresMissing())('the full text of a message', () => {
  it.each([
    ['Chinese words', chineseWords(130_000)],
    ['one word', 'again '.repeat(200_000)],
    ['a word without an end', 'ж'.repeat(500_000)],
    ['short words', Array.from({ length: 100_000 }, (_, index) => index.toString(36)).join(' ')],
  ])('of %s fits into a tsvector', async (_, subject) => {
    const { db } = await testStore();
    const empty = { fromNumber: null, fromExtension: null, fromName: null, toNumbers: '', toNames: '' };
    const kinds = { type: 'SMS', direction: 'Inbound', readStatus: 'Read', mediaWanted: 0 };
    const words = fullText('7', { subject, ...empty, ...kinds });
    const [row] = await db.query<{ found: boolean }>(
      `select $1::tsvector @@ '''m:7''' and length($1::tsvector) > 4 as found`,
      [words],
    );
    expect(row?.found).toBe(true);
  });
});
