import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Journal } from '../../../src/features/bulk/index.ts';
import { runsWithTexts } from '../../../src/features/outgoing/index.ts';
import { textItem, type TextPayload } from '../../../src/features/outgoing/text-run.ts';
import { SentSecrets } from '../../../src/platform/sent-secrets.ts';
import { openReadOnly } from '../../../src/platform/sqlite/read-only.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const baseUrl = 'https://x.example';
const ctx = {
  now: () => 1_000_000,
  settings: { baseUrl: { value: baseUrl }, profile: { value: 'default' } },
} as unknown as Parameters<typeof runsWithTexts>[0];

function openJournal(): Journal {
  const journal = Journal.open(temporaryFolder(), () => 1_000_000, new SentSecrets());
  onTestFinished(() => journal.close());
  return journal;
}

const textOf = (text: string): TextPayload => ({ to: '+16505550112', from: '+16505550110', text, rows: [0] });

/** Adds a run of one text. */
function addRun(journal: Journal, { text, started = 1000 }: { text: string; started?: number }): string {
  return journal.create<TextPayload>({
    kind: 'sms.send',
    title: 'send 1 text',
    baseUrl,
    now: started,
    detail: { profile: 'default' },
    items: [textItem(textOf(text))],
  });
}

const search = (journal: Journal, text: string) =>
  runsWithTexts(ctx, journal, {
    texts: [textOf(text)],
    since: journal.position(),
    dedupeKey: undefined,
    isUnsettled: () => true,
  });

it('reads only the runs that contain a text of the list', () => {
  const journal = openJournal();
  addRun(journal, { text: 'still open' });
  for (let run = 0; run < 20; run += 1)
    journal.finish(addRun(journal, { text: `sent ${run}`, started: 2000 + run }), 'done');
  const unknown = addRun(journal, { text: 'Hello', started: 3000 });
  journal.mark(unknown, [0], 'unknown');
  journal.finish(unknown, 'done');
  const read = vi.spyOn(journal, 'items');
  expect(search(journal, 'Hello')).toMatchObject([{ run: { id: unknown }, count: 1, why: 'unknown' }]);
  expect(read.mock.calls).toEqual([[unknown]]);
  expect(search(journal, 'Bye')).toEqual([]);
  expect(read).toHaveBeenCalledTimes(1);
});

it('finds an open run by its text', () => {
  const journal = openJournal();
  const open = addRun(journal, { text: 'still open' });
  expect(search(journal, 'still open')).toMatchObject([{ run: { id: open }, count: 1, why: 'open' }]);
});

it('finds runs of an older version, also if the file cannot be written', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'runs.db');
  copyFileSync('test/fixtures/caa7557/runs.db', file);
  const idsIn = (journal: Journal): readonly string[] => journal.runsWithContent('sms.send', ['none']);
  const unwritable = new Journal(openReadOnly(file), Date.now, new SentSecrets());
  expect(idsIn(unwritable)).toEqual(['20261122-103956-eafb']);
  unwritable.close();
  const journal = Journal.open(folder, Date.now, new SentSecrets());
  onTestFinished(() => journal.close());
  expect(idsIn(journal)).toEqual(['20261122-103956-eafb']);
});
