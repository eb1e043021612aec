import type { MessageStore } from '../../store/message-store.ts';
import type { Context } from '../../runtime/context.ts';
import { counted } from '../../platform/counted.ts';

/**
 * Repairs columns and the full-text index that another program changed, before messages are copied: a change of a message
 * fails if the index lacks its words. Reports the repaired columns, also if the run is interrupted.
 * @returns the number of messages with repaired columns, by mailbox. @throws the reason of the interruption
 */
export async function repairCopy(
  ctx: Pick<Context, 'out' | 'signal'>,
  messages: Pick<MessageStore, 'repairColumns' | 'repairIndex'>,
  extensionIds: readonly string[],
): Promise<Map<string, number>> {
  const repaired = new Map<string, number>();
  await messages.repairIndex();
  for (const id of extensionIds) {
    if (ctx.signal.aborted) break;
    repaired.set(id, await messages.repairColumns(id, ctx.signal));
  }
  const total = [...repaired.values()].reduce((sum, count) => sum + count, 0);
  if (total > 0) ctx.out.note(`Repaired the columns of ${counted(total, 'message')}.`);
  ctx.signal.throwIfAborted();
  return repaired;
}
