import { describe, expect, it, onTestFinished } from 'vitest';
import { Journal, type NewItem } from '../../../src/features/bulk/index.ts';
import { SentSecrets } from '../../../src/platform/sent-secrets.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** A journal with one run of these items, and a clock that the test sets. */
function journalOf(names: readonly string[]) {
  const clock = { now: 1000 };
  const secrets = new SentSecrets();
  const journal = Journal.open(temporaryFolder(), () => clock.now, secrets);
  onTestFinished(() => journal.close());
  const items = names.map((name): NewItem<string> => ({ action: 'send', subject: name, payload: name }));
  const run = journal.create<string>({
    kind: 'test',
    title: 'a test',
    baseUrl: 'https://x.example',
    now: clock.now,
    detail: {},
    items,
  });
  return { journal, run, clock, secrets };
}

describe('the journal', () => {
  it('records the time of a request and of its reply', () => {
    const { journal, run, clock } = journalOf(['a', 'b']);
    const times = () => journal.items(run).map(({ time }) => time);
    expect(times()).toEqual([undefined, undefined]);
    clock.now = 2000;
    journal.markSent(run, [1]);
    expect(times()).toEqual([undefined, 2000]);
    clock.now = 3000;
    journal.mark(run, [1], 'ok');
    expect(times()).toEqual([undefined, 3000]);
  });

  it('returns the items without a request in the order of the run', () => {
    const { journal, run } = journalOf(['a', 'b', 'c', 'd']);
    journal.markSent(run, [0]);
    journal.mark(run, [2], 'ok');
    expect(journal.plannedSeqs(run)).toEqual([1, 3]);
  });

  it('masks the secrets of the run in the IDs of a reply', () => {
    const { journal, run, secrets } = journalOf(['a']);
    const token = 'secret-token-of-this-run';
    const url = new URL('https://x.example/');
    secrets.add({ url, headers: { authorization: `Bearer ${token}` } });
    journal.mark(run, [0], 'ok', { requestId: `id-${token}`, resultId: token });
    const [item] = journal.items(run);
    expect(item).toMatchObject({ requestId: expect.any(String), resultId: expect.any(String) });
    expect(JSON.stringify(item)).not.toContain(token);
  });

  it('has no end of a run that is open again, because its undo was undone', () => {
    const { journal, run } = journalOf(['a', 'b']);
    journal.mark(run, [0], 'ok');
    const empty = { kind: 'test', title: '', baseUrl: 'https://x.example', now: 2000, items: [] };
    const undo = journal.create({ ...empty, detail: { undoes: run } });
    journal.finish(undo, 'done', { undoes: run });
    const head = () => journal.heads({ ids: [run] })[0];
    expect(head()).toMatchObject({ state: 'undone', ended: 1000 });
    journal.finish(journal.create({ ...empty, detail: { undoes: undo } }), 'done', { undoes: undo });
    expect(head()).toMatchObject({ state: 'open', ended: undefined });
  });

  it('has no run with an empty ID, which a script with an unset variable would use', () => {
    const { journal } = journalOf(['a']);
    expect(journal.matching('')).toEqual([]);
  });
});
