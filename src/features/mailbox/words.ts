import type { Message } from '../../contract/message.ts';

/** Whether the status is final: a text ends delivered or failed, other messages also when sent (MESSAGE-38). */
export function isFinal({ type, messageStatus }: Pick<Message, 'type' | 'messageStatus'>): boolean {
  if (messageStatus === 'Queued') return false;
  return type !== 'SMS' || messageStatus !== 'Sent';
}
