import type { MessageRow } from './store.ts';

/** The states that may follow each state of a message (MESSAGE-24 to MESSAGE-28, MESSAGE-38). */
const ways: Readonly<Record<'availability' | 'messageStatus', Readonly<Record<string, readonly string[]>>>> =
  {
    availability: { Alive: ['Deleted', 'Purged'], Deleted: ['Alive', 'Purged'], Purged: [] },
    messageStatus: {
      Queued: ['Sent', 'SendingFailed'],
      Sent: ['Delivered', 'DeliveryFailed'],
      Delivered: [],
      SendingFailed: [],
      DeliveryFailed: [],
      Received: [],
    },
  };

/** Checks a change of a message. @throws {Error} for a change that no rule allows, which is a bug of the sandbox. */
export function checkStep(before: MessageRow, after: MessageRow): void {
  for (const state of ['availability', 'messageStatus'] as const) {
    if (before[state] === after[state] || ways[state][before[state]]?.includes(after[state])) continue;
    throw new Error(
      `the state of message ${before.id} cannot change from ${before[state]} to ${after[state]}`,
    );
  }
}
