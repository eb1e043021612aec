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
  instant: 'only texts: messages has them, and --where picks them',
  voicemail: 'messages has them, and --where picks them',
  fax: 'messages has them, and --where picks them',
  linePresence: 'the same body as presence, for lines',
  dnd: 'presence has the field',
  queuePresence: 'presence --extension QUEUE',
  accountPresence: 'needs one filter for all; agents one by one: presence --extension',
  extension: 'extensions has it',
};
