import { expect, test } from 'vitest';
import { noteTotal } from '../../../src/features/bulk/run-end.ts';
import type { JournalItem } from '../../../src/features/bulk/index.ts';

test.each([
  [0, '2 added, 0 failed.'],
  [1, '2 added, 0 failed, 1 unknown.'],
])('the total of a run with %i unknown outcomes is %s', (unknown, total) => {
  const notes: unknown[] = [];
  const out = { note: (text: unknown) => notes.push(text) };
  const items = ['ok', 'ok', 'unknown'].map((status) => ({ status, action: 'add' }) as JournalItem<unknown>);
  const counts = { ok: 2, failed: 0, unknown, planned: 0, sent: 0 };
  noteTotal({ ctx: { out } as unknown as Parameters<typeof noteTotal>[0]['ctx'] }, items, counts);
  expect(notes).toEqual([total]);
});
