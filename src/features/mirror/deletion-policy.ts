import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import type { SyncStore } from '../../store/message-store.ts';
import type { OnDelete } from '../../store/reply.ts';

/** The part of a store that the policy needs. */
type PolicyStore = Pick<SyncStore, 'onDelete' | 'taskPolicies' | 'saveOnDelete' | 'removable'>;

/**
 * Returns the stored policy of a copy, or the default of a copy without a policy. If tasks of the fleet keep messages, the
 * default keeps them, too, because a message that was removed cannot be restored.
 */
export async function storedPolicy(store: Pick<PolicyStore, 'onDelete' | 'taskPolicies'>): Promise<OnDelete> {
  const stored = await store.onDelete();
  if (stored !== undefined) return stored;
  return (await store.taskPolicies()).includes('keep') ? 'keep' : 'mark';
}

/**
 * Returns the policy of a run: the value of `--on-delete`, which is stored for later runs, otherwise the stored policy. The
 * default is not stored, because it would replace the policies of enrolled tasks. A change is reported. A change to `purge`
 * shows how many messages it removes, and needs confirmation.
 * @throws {CommandError} `declined` or `confirmation_needed` (exit 9). The stored policy is then unchanged.
 */
export async function choosePolicy(
  ctx: Pick<Context, 'dryRun' | 'prompt' | 'out'>,
  store: PolicyStore,
  wanted: OnDelete | undefined,
): Promise<OnDelete> {
  if (wanted === undefined) return storedPolicy(store);
  const stored = await store.onDelete();
  if (wanted === stored) return wanted;
  const replaced = stored === undefined ? await store.taskPolicies() : [stored];
  const removed = wanted === 'purge' ? await store.removable() : 0;
  if (removed > 0) {
    ctx.out.preview(
      `--on-delete purge removes ${counted(removed, 'message')} from the local mailbox copy that the service no longer has`,
    );
    await requireConfirmation(ctx, 'Remove these messages permanently?', 'nothing was removed');
  }
  await store.saveOnDelete(wanted);
  const others = replaced.filter((policy) => policy !== wanted);
  if (others.length > 0)
    ctx.out.warn(
      `--on-delete ${wanted} replaces ${others.join(' and ')}, and applies to later syncs of all mailboxes`,
    );
  return wanted;
}
