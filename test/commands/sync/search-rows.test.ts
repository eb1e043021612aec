import { expect, it } from 'vitest';
import { foundRows } from '../../../src/commands/sync/search.rows.ts';

const message = {
  id: '1',
  mailbox: 'Avery Quinn',
  extensionId: '100',
  type: 'VoiceMail',
  direction: 'Inbound',
  creationTime: '2026-01-05T09:00:00Z',
  from: '+14155551917',
  to: '104, 105',
  fromName: 'Zoë Álvarez',
  toNames: 'Chris Smith, Ann Lee',
  readStatus: 'Unread',
  availability: 'Alive',
  conversationId: null,
  text: null,
};

it.each([
  [{}, '+14155551917 (Zoë Álvarez)', 'Chris Smith, Ann Lee (104, 105)'],
  [{ fromName: null, toNames: '104, 105' }, '+14155551917', '104, 105'],
  [{ from: null, to: null }, 'Zoë Álvarez', 'Chris Smith, Ann Lee'],
  [{ from: '', toNames: '' }, 'Zoë Álvarez', '104, 105'],
])('a table of found messages shows names: %j', (changes, from, to) => {
  const row = { ...message, ...changes };
  const shown = foundRows.list.columns.map((column) => [column.key, column.shown?.(row)]);
  expect(Object.fromEntries(shown)).toMatchObject({ from, to });
});
