import type { Archive } from '../src/store/archive.ts';
import { Dice } from '../test/support/dice.ts';
import { resultOf } from './measure.ts';
import { showProgress } from './progress.ts';
import type { Result } from './report.ts';
import { scaled } from './scaled.ts';
import { drain, secondsOf } from './store-timing.ts';

const messages = scaled(1_000_000, 10_000);
const perMailbox = 1000;
const searchesOfClass = 40;
/** Messages between two lines of progress. */
const shownEach = 50_000;

/**
 * Fills the archive by full syncs of many mailboxes, with texts from a vocabulary of 20,000 words, few of which are
 * frequent.
 */
export async function fillMessages({ messages: archive }: Archive): Promise<void> {
  const dice = new Dice(5);
  for (let first = 0; first < messages; first += perMailbox) {
    const mailbox = String(1_000_000 + first / perMailbox);
    const opened = await archive.openStream(mailbox, {});
    await archive.apply(
      opened,
      { onDelete: 'mark', full: true, now: '2026-01-05T09:00:00.000Z' },
      async (sink) => {
        const count = Math.min(perMailbox, messages - first);
        await sink.records(Array.from({ length: count }, (_, more) => messageText(first + more, dice)));
        return { syncToken: 't', syncTime: undefined };
      },
    );
    if ((first + perMailbox) % shownEach === 0) showProgress(`PostgreSQL: ${first + perMailbox} messages`);
  }
}

function messageText(index: number, dice: Dice): string {
  const time = new Date(Date.UTC(2026, 0, 5, 9) - index * 7000).toISOString();
  const text = Array.from({ length: 12 }, () => wordOf(dice)).join(' ');
  // A word that occurs in one of 1,000 messages.
  const rare = index % 1000 === 0 ? ' milestone' : '';
  return JSON.stringify({
    id: 40_000_000_000 + index,
    type: 'SMS',
    direction: index % 2 === 0 ? 'Inbound' : 'Outbound',
    availability: 'Alive',
    readStatus: 'Read',
    messageStatus: 'Received',
    creationTime: time,
    lastModifiedTime: time,
    from: { phoneNumber: `+1555${1_000_000 + (index % 5000)}` },
    to: [{ phoneNumber: '+16505550112', name: 'Alice Walker' }],
    subject: `${text}${rare}`,
    attachments: [],
  });
}

/** One of 20,000 words. Squaring the random number makes low numbers frequent. */
function wordOf(dice: Dice): string {
  return `w${Math.floor(dice.next() ** 3 * 20_000)}`;
}

/** The classes of searches. */
const searchClasses: Readonly<Record<string, (dice: Dice) => string>> = {
  'two frequent words': (dice) => `w${Math.floor(dice.next() * 5)} w${5 + Math.floor(dice.next() * 5)}`,
  'a word of 1 in 1,000 messages': () => 'milestone',
  'a random word': (dice) => wordOf(dice),
  'a beginning': (dice) => `w12${Math.floor(dice.next() * 10)}*`,
  'a frequent and a rare word': (dice) =>
    `w${Math.floor(dice.next() * 5)} w${15_000 + Math.floor(dice.next() * 5000)}`,
  'two rare words': (dice) =>
    `w${15_000 + Math.floor(dice.next() * 5000)} w${15_000 + Math.floor(dice.next() * 5000)}`,
  'a frequent word in one mailbox': (dice) =>
    `mailbox:${1_000_000 + Math.floor((dice.next() * messages) / perMailbox)} w${Math.floor(dice.next() * 5)}`,
};

/** The 95th percentile of each class of searches. */
export async function searches({ messages: archive }: Archive): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [name, make] of Object.entries(searchClasses)) {
    const dice = new Dice(9);
    const times: number[] = [];
    for (let count = 0; count < searchesOfClass; count += 1) {
      const text = make(dice);
      times.push(
        1000 * (await secondsOf(async () => drain(await archive.search(text, 50, () => undefined)))),
      );
    }
    const p95 = times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN;
    results.push(resultOf(`search for ${name}, 95th percentile`, [p95], 50, 'at most', ' ms'));
  }
  return results;
}
