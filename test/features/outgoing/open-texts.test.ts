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
    outcomeOf: () => 'unknown',
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

it('finds an open run although a later run has sent its text, because the open run can still send it', () => {
  const journal = openJournal();
  const open = addRun(journal, { text: 'Hello' });
  addFinished(journal, 'ok', { started: 2000 });
  expect(search(journal, 'Hello')).toMatchObject([{ run: { id: open }, count: 1, why: 'open' }]);
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

/** Adds a finished run of one text with a status. */
function addFinished(
  journal: Journal,
  status: 'ok' | 'sent' | 'failed' | 'unknown',
  { state = 'done', ...more }: { state?: 'done' | 'abandoned'; text?: string; started?: number } = {},
): string {
  const run = addRun(journal, { text: 'Hello', ...more });
  journal.mark(run, [0], status);
  journal.finish(run, state);
  return run;
}

it.each([
  ['ok', []],
  ['sent', []],
  ['unknown', []],
  ['failed', ['first']],
] as const)('after a later run whose text is %s, finds the earlier unknown texts %j', (status, expected) => {
  const journal = openJournal();
  const first = addFinished(journal, 'unknown', { started: 1000 });
  addFinished(journal, status, { started: 2000 });
  const found = runsWithTexts(ctx, journal, {
    texts: [textOf('Hello')],
    since: journal.position(),
    dedupeKey: undefined,
    // The text of the later run is settled.
    outcomeOf: (_item, { id }) => (id === first ? 'unknown' : 'sent'),
  });
  expect(found.map(({ run }) => (run.id === first ? 'first' : 'later'))).toEqual(expected);
});

it('finds no texts that were sent, whose outcome was resolved, or whose run was abandoned', () => {
  const journal = openJournal();
  addFinished(journal, 'ok', { text: 'sent' });
  addFinished(journal, 'unknown', { text: 'abandoned', state: 'abandoned' });
  addFinished(journal, 'unknown', { text: 'resolved' });
  const more = { since: journal.position(), dedupeKey: undefined };
  const texts = ['sent', 'abandoned'].map(textOf);
  expect(runsWithTexts(ctx, journal, { ...more, texts, outcomeOf: () => 'unknown' })).toEqual([]);
  const resolved = { ...more, texts: [textOf('resolved')] };
  expect(runsWithTexts(ctx, journal, { ...resolved, outcomeOf: () => 'sent' })).toEqual([]);
});

it('finds only the unknown texts of a finished run', () => {
  const journal = openJournal();
  const run = journal.create<TextPayload>({
    kind: 'sms.send',
    title: 'send 2 texts',
    baseUrl,
    now: 1000,
    detail: { profile: 'default' },
    items: ['sent', 'unknown'].map((text) => textItem(textOf(text))),
  });
  journal.mark(run, [0], 'ok');
  journal.mark(run, [1], 'unknown');
  journal.finish(run, 'done');
  expect(search(journal, 'sent')).toEqual([]);
  expect(search(journal, 'unknown')).toMatchObject([{ count: 1, why: 'unknown' }]);
});

it('finds a finished run that was created since, or that is named', () => {
  const journal = openJournal();
  const since = journal.position();
  const run = addFinished(journal, 'ok');
  const more = { texts: [textOf('Hello')], dedupeKey: undefined, outcomeOf: () => 'unknown' as const };
  expect(runsWithTexts(ctx, journal, { ...more, since })).toMatchObject([
    { run: { id: run }, why: 'meanwhile' },
  ]);
  const later = { ...more, since: journal.position() };
  expect(runsWithTexts(ctx, journal, later)).toEqual([]);
  expect(runsWithTexts(ctx, journal, { ...later, alsoRuns: [run] })).toMatchObject([{ why: 'meanwhile' }]);
});

it('finds no run with the same key, which prevents a second send for a day', () => {
  const journal = openJournal();
  const day = 86_400_000;
  const add = (dedupeKey: string | undefined): string =>
    journal.create<TextPayload>({
      kind: 'sms.send',
      title: 'send 1 text',
      baseUrl,
      now: 1000,
      detail: { profile: 'default', dedupeKey },
      items: [textItem(textOf('Hello'))],
    });
  const found = (dedupeKey: string | undefined, now: number) =>
    runsWithTexts({ ...ctx, now: () => now }, journal, {
      texts: [textOf('Hello')],
      since: journal.position(),
      dedupeKey,
      outcomeOf: () => 'unknown',
    }).length;
  add('key');
  expect([found('key', day), found('other', day), found(undefined, day), found('key', day + 1000)]).toEqual([
    0, 1, 1, 1,
  ]);
});
