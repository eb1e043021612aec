import { expect, it, onTestFinished } from 'vitest';
import { Inbox } from '../../../../src/features/live/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const hour = 3_600_000;

function recordedIds() {
  const inbox = Inbox.open(temporaryFolder(), 'work', () => 0);
  onTestFinished(() => inbox.close());
  return inbox.recordedIds;
}

it('deletes the records of created objects after a day, also those of a clock that was ahead', () => {
  const ids = recordedIds();
  const now = 1000 * hour;
  ids.addCreated('old', now - 25 * hour);
  ids.addCreated('ahead', now + 25 * hour);
  ids.addCreated('recent', now - 23 * hour);
  ids.addCreated('new', now);
  ids.addCreated('new', now);
  const isKnown = (id: string): boolean => ids.isRecorded(id, undefined);
  expect(['old', 'ahead', 'recent', 'new'].filter(isKnown)).toEqual(['recent', 'new']);
});

it('lets the last of two runs with the same subscription delete it', () => {
  const ids = recordedIds();
  for (const receiver of ['a', 'b']) ids.set(receiver, 'one');
  expect([ids.forgetIfShared('a', 'one'), ids.receivers()]).toEqual([true, ['b']]);
  // The record remains until the service has deleted the subscription.
  expect([ids.forgetIfShared('b', 'one'), ids.receivers()]).toEqual([false, ['b']]);
});
