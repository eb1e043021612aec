import type { MessageStore } from '../../store/message-store.ts';
import type { Context } from '../../runtime/context.ts';

/**
 * Repairs columns and the full-text index that another program changed, before messages are copied: a change of a message
 * fails if the index lacks its words. @returns the number of messages with repaired columns, by mailbox
 */
export async function repairCopy(
  ctx: Context,
  messages: MessageStore,
  extensionIds: readonly string[],
): Promise<Map<string, number>> {
  const repaired = new Map<string, number>();
  for (const id of extensionIds) repaired.set(id, await messages.repairColumns(id));
  if (await messages.repairIndex())
    ctx.out.note('The full-text index differed from the messages, and was written again.');
  return repaired;
}
