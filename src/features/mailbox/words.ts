import type { Message } from '../../contract/message.ts';

/** Whether the status changes no more: a text ends delivered or failed, everything else also when sent (specification, messageStatus values). */
export function isFinal({ type, messageStatus }: Pick<Message, 'type' | 'messageStatus'>): boolean {
  if (messageStatus === 'Queued') return false;
  return type !== 'SMS' || messageStatus !== 'Sent';
}
