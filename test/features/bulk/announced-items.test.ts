import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AnnouncedItems } from '../../../src/features/bulk/announced-items.ts';
import type { JournalItem } from '../../../src/features/bulk/index.ts';
import { ResultsFiles } from '../../../src/features/bulk/results-files.ts';
import { temporaryFolder } from '../../support/temporary.ts';

type Status = JournalItem<string>['status'];

function itemOf(seq: number, status: Status): JournalItem<string> {
  const unknown = { code: undefined, message: undefined, requestId: undefined, time: undefined };
  return { seq, action: 'send', subject: 'a', payload: 'a', status, attempts: 0, ...unknown };
}

/** A run of items without a request, and the status of each item in the results file after each write. */
function announcing(count: number) {
  const seqs = Array.from({ length: count }, (_, seq) => seq);
  const written: string[] = [];
  const results = new ResultsFiles([join(temporaryFolder(), 'results.csv')], false, () => {
    written.push(seqs.map((seq) => announced.shown(itemOf(seq, 'planned')).status).join(' '));
    return { lines: [['to', 'result status']], dialect: undefined };
  });
  const announced = new AnnouncedItems(results, () => seqs);
  return { announced, written };
}

describe('items are announced', () => {
  it('before their request, all items of the request', async () => {
    const { announced, written } = announcing(5);
    await announced.announce([0]);
    // The second write follows at once, so it announces one further item.
    await announced.announce([1]);
    await announced.announce([2, 3]);
    expect(written.slice(0, 2)).toEqual([
      'sent planned planned planned planned',
      'sent sent sent planned planned',
    ]);
    expect(written.at(-1)).toMatch(/^sent sent sent sent/);
  });

  it('only until they have a result', async () => {
    const { announced } = announcing(1);
    await announced.announce([0]);
    const shown = (['planned', 'sent', 'ok', 'failed', 'unknown'] as const).map(
      (status) => announced.shown(itemOf(0, status)).status,
    );
    expect(shown).toEqual(['sent', 'sent', 'ok', 'failed', 'unknown']);
  });
});
