import type { Client } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import type { ChangedMessage } from './changed.rows.ts';
import { notNamed, rejectionOf } from './outcomes.ts';

/** What a restore of messages does. */
export interface RestorePlan {
  /** Canceled faxes, which the service sends when they are restored. */
  readonly faxes: readonly Message[];
  /** IDs of the other messages to restore. */
  readonly ids: readonly string[];
  /** Messages that could not be read. They are not restored, because each may be a canceled fax. */
  readonly unread: readonly ChangedMessage[];
}

/** Reads the messages to restore, and finds the faxes that the service would send (FAX-7). */
export async function planRestore(
  api: Pick<Client, 'messages'>,
  wanted: readonly string[],
): Promise<RestorePlan> {
  const faxes: Message[] = [];
  const ids: string[] = [];
  const unread: ChangedMessage[] = [];
  for await (const outcome of api.messages.getMany(wanted, ['Alive', 'Deleted', 'Purged'])) {
    const { id, message, status } = outcome;
    if (message && isCanceledFax(message)) faxes.push(message);
    else if (message || status === 404) ids.push(id);
    else {
      const reason = status === undefined ? notNamed : rejectionOf(outcome);
      unread.push({ id, status: 'failed', problem: `${reason}; ucctl sent no request for this message` });
    }
  }
  return { faxes, ids, unread };
}

/** Whether a restore sends the message. A record without a member may be that of a canceled fax. */
function isCanceledFax({
  type = 'Fax',
  direction,
  availability,
  messageStatus = 'Queued',
}: Message): boolean {
  const isRestored = availability === undefined || availability === 'Deleted';
  return type === 'Fax' && direction !== 'Inbound' && isRestored && messageStatus === 'Queued';
}

/** Returns the numbers that a fax reaches; `?` for a recipient without a number. */
export function faxReceivers({ to }: Message): readonly string[] {
  return to.length === 0 ? ['?'] : to.map(({ phoneNumber }) => phoneNumber ?? '?');
}
