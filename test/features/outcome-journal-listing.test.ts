import { describe, expect, it, onTestFinished } from 'vitest';
import { OutcomeJournal } from '../../src/features/outcome-journal/journal.ts';
import { chooseOutcomes, rowsOf, type Listing } from '../../src/features/outcome-journal/listing.ts';
import type { OutcomeState } from '../../src/features/outcome-journal/outcome.ts';
import { StoreSendJournal } from '../../src/features/outcome-journal/store-journal.ts';
import { clockStore, postgresMissing } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary.ts';

const start = Date.UTC(2026, 0, 5, 9);
const day = 86_400_000;
const sender = { profile: 'default', origin: 'https://service.example' };
const call = { kind: 'sms', extension: '~', digest: 'digest', to: '+1********42' } as const;

/** The states of the recorded requests, oldest first. The process of the first one has ended. */
const recorded: readonly OutcomeState[] = ['sending', 'sent', 'unknown', 'failed', 'sending', 'sent'];

const listings: readonly (readonly [Listing, readonly OutcomeState[]])[] = [
  [{}, ['sent', 'sending', 'failed', 'unknown', 'sent', 'unknown']],
  [{ limit: 2 }, ['sent', 'sending']],
  [{ states: ['sent'] }, ['sent', 'sent']],
  [{ states: ['sent', 'failed'], limit: 2 }, ['sent', 'failed']],
  [{ states: ['unknown'] }, ['unknown', 'unknown']],
  [{ states: ['unknown'], limit: 1 }, ['unknown']],
  [{ states: ['sending'], limit: 5 }, ['sending']],
  [{ states: ['unknown', 'sending'], limit: 2 }, ['sending', 'unknown']],
];

/** The journal of this machine with the recorded requests. */
function localJournal(): OutcomeJournal {
  const journal = OutcomeJournal.open(temporaryFolder());
  onTestFinished(() => journal.close());
  for (const [index, state] of recorded.entries()) {
    const id = journal.begin(sender, call, undefined, index === 0 ? start - day : start);
    if (state !== 'sending') journal.end(id, { state }, start);
  }
  return journal;
}

describe('a list of outcomes', () => {
  it.each(listings)('of this machine with %j is %j', (listing, states) => {
    expect(
      localJournal()
        .list(sender, start, listing)
        .map(({ state }) => state),
    ).toEqual(states);
  });

  it('reads no more rows than needed', () => {
    expect(rowsOf({ states: ['sent'], limit: 3 })).toEqual({ states: ['sent'], limit: 3 });
    expect(rowsOf({ limit: 3 })).toEqual({ states: null, limit: 3 });
    // A row in the state `sending` may belong to a process that has ended.
    expect(rowsOf({ states: ['unknown'], limit: 3 })).toEqual({
      states: ['unknown', 'sending'],
      limit: null,
    });
  });

  it('has no other outcomes, and not more than the limit', () => {
    const all = localJournal().list(sender, start);
    expect(chooseOutcomes(all, { states: ['failed', 'sent'], limit: 1 }).map(({ id }) => id)).toEqual([6]);
  });

  it.skipIf(postgresMissing()).each(listings)('in the store with %j is %j', async (listing, states) => {
    const { db } = await clockStore(start);
    const journal = new StoreSendJournal(
      db,
      () => start,
      () => Promise.resolve(),
    );
    onTestFinished(() => journal.close());
    for (const state of recorded) {
      const claimed = await journal.claim({ sender, call, dedupeKey: undefined, admit: undefined });
      if ('id' in claimed && state !== 'sending') await journal.end(claimed.id, { state });
    }
    await db.run(`update outcome set lease_until = store_now() - interval '1 s' where id = 1`);
    expect((await journal.list(sender, listing)).map(({ state }) => state)).toEqual(states);
  });
});
