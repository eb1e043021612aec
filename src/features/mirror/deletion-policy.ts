import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import type { SyncStore } from '../../store/message-store.ts';
import type { OnDelete } from '../../store/reply.ts';

/** The part of a store that the policy needs. */
type PolicyStore = Pick<SyncStore, 'onDelete' | 'saveOnDelete' | 'removable'>;

/** Returns the stored policy of a copy, or the default of a copy without a policy. */
export async function storedPolicy(store: Pick<PolicyStore, 'onDelete'>): Promise<OnDelete> {
  return (await store.onDelete()) ?? 'mark';
}

/**
 * Returns the policy of a run, and stores it for later runs: the value of `--on-delete`, otherwise the stored policy. A
 * change is reported. A change to `purge` shows how many messages it removes, and needs confirmation.
 * @throws {CommandError} `declined` or `confirmation_needed` (exit 9). The stored policy is then unchanged.
 */
export async function choosePolicy(
  ctx: Pick<Context, 'dryRun' | 'prompt' | 'out'>,
  store: PolicyStore,
  wanted: OnDelete | undefined,
): Promise<OnDelete> {
  const stored = await store.onDelete();
  const policy = wanted ?? (await storedPolicy(store));
  if (policy === stored) return policy;
  const removed = policy === 'purge' ? await store.removable() : 0;
  if (removed > 0) {
    ctx.out.preview(
      `--on-delete purge removes ${counted(removed, 'message')} from the local mailbox copy that the service no longer has`,
    );
    await requireConfirmation(ctx, 'Remove these messages permanently?', 'nothing was removed');
  }
  await store.saveOnDelete(policy);
  if (stored !== undefined)
    ctx.out.warn(`--on-delete ${policy} replaces ${stored}, and applies to later syncs of all mailboxes`);
  return policy;
}
