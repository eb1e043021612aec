import type { OperationId } from '../../src/contract/operations.ts';
import { account } from './coverage/account.ts';
import { calls } from './coverage/calls.ts';
import { live } from './coverage/live.ts';
import { messages } from './coverage/messages.ts';
import type { OperationReach } from './coverage/reach.ts';
import { queues } from './coverage/queues.ts';
import { signIn } from './coverage/sign-in.ts';

/**
 * Coverage of each operation of the contract. A test fails for an operation without an entry, and for a flag that
 * does not exist.
 */
export const reaches: Readonly<Record<OperationId, OperationReach>> = {
  ...queues,
  ...messages,
  ...live,
  ...calls,
  ...account,
  ...signIn,
};

/** Event filters without a short name: users give their path. */
export const rawFilters: Readonly<Record<string, string>> = {
  instant: 'texts only; use `messages` with --where',
  voicemail: 'use `messages` with --where',
  fax: 'use `messages` with --where',
  linePresence: 'the body is the same as that of `presence`',
  dnd: '`presence` contains this field',
  queuePresence: 'use `presence` with --extension QUEUE',
  accountPresence:
    'covers all extensions with one filter; for single agents, use `presence` with --extension',
  extension: 'included in `extensions`',
};
