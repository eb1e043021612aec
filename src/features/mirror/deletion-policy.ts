import { type CommandText, nextStep, ucctl } from '../../errors/hint.ts';
import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import type { SyncStore } from '../../store/message-store.ts';
import type { OnDelete, StoredOnDelete } from '../../store/reply.ts';

/** The part of a store that the policy needs. */
type PolicyStore = Pick<
  SyncStore,
  'onDelete' | 'hasIgnoredPurge' | 'taskPolicies' | 'saveOnDelete' | 'removable'
>;

/**
 * Returns the stored policy of a copy, or the default of a copy without a policy. If tasks of the fleet keep messages, the
 * default keeps them, too, because a message that was removed cannot be restored.
 */
export async function storedPolicy(
  store: Pick<PolicyStore, 'onDelete' | 'taskPolicies'>,
): Promise<StoredOnDelete> {
  const stored = await store.onDelete();
  if (stored !== undefined) return stored;
  return (await store.taskPolicies()).includes('keep') ? 'keep' : 'mark';
}

/** Milliseconds for which a process that executes many tasks uses the policies of the tasks that it read. */
const taskPoliciesMilliseconds = 60_000;

/**
 * Returns `storedPolicy` for a process that executes many tasks. It reads the policies of all tasks, of which there may be
 * 50,000, once a minute: without a stored policy, only an earlier version changes them to `keep`. It reads the stored
 * policy each time.
 * @param elapsed monotonic time in milliseconds
 */
export function policyOfTasks(
  elapsed: () => number,
): (store: Pick<PolicyStore, 'onDelete' | 'taskPolicies'>) => Promise<StoredOnDelete> {
  let read: { readonly at: number; readonly policies: Promise<readonly OnDelete[]> } | undefined;
  return (store) =>
    storedPolicy({
      onDelete: () => store.onDelete(),
      async taskPolicies() {
        if (read === undefined || elapsed() - read.at >= taskPoliciesMilliseconds)
          read = { at: elapsed(), policies: store.taskPolicies() };
        const { policies } = read;
        try {
          return await policies;
        } catch (error) {
          if (read?.policies === policies) read = undefined;
          throw error;
        }
      },
    });
}

/**
 * Returns the policy of a command that states none. Warns if an earlier version stored `purge`, because such an archive
 * retains messages that it removed before.
 * @param command the command that removes them
 */
export async function defaultPolicy(
  ctx: Pick<Context, 'out'>,
  store: Pick<PolicyStore, 'onDelete' | 'hasIgnoredPurge' | 'taskPolicies'>,
  command: CommandText = ucctl('sync --on-delete purge'),
): Promise<StoredOnDelete> {
  const policy = await storedPolicy(store);
  if (await store.hasIgnoredPurge())
    ctx.out.warn(
      nextStep`an earlier version stored --on-delete purge, which now applies only to the runs and tasks that state it; the action is ${policy}, so messages that the service deleted are retained; to remove them: ${command}; to store ${policy}: ${ucctl`sync --on-delete ${policy}`}`,
    );
  return policy;
}

/**
 * Returns the policy of a run: the value of `--on-delete`, otherwise the stored policy. `keep` and `mark` are stored for
 * later runs, and a change is reported. `purge` applies only to runs that state it. The default is not stored, because it
 * would replace the policies of enrolled tasks.
 * @param mailboxes the IDs of the mailboxes that the run copies
 * @throws {CommandError} `declined` or `confirmation_needed` (exit 9).
 */
export async function choosePolicy(
  ctx: Pick<Context, 'dryRun' | 'prompt' | 'out'>,
  store: PolicyStore,
  wanted: OnDelete | undefined,
  mailboxes: readonly string[],
): Promise<OnDelete> {
  if (wanted === undefined) return defaultPolicy(ctx, store);
  if (wanted === 'purge') await confirmRemoval(ctx, store, mailboxes);
  else await changePolicy(ctx, store, wanted);
  return wanted;
}

/** Shows how many messages `purge` removes from mailboxes, and asks for confirmation if there are any. */
export async function confirmRemoval(
  ctx: Pick<Context, 'dryRun' | 'prompt' | 'out'>,
  store: Pick<PolicyStore, 'removable'>,
  mailboxes: readonly string[],
): Promise<void> {
  const removed = await store.removable(mailboxes);
  if (removed === 0) return;
  ctx.out.preview(
    `--on-delete purge removes ${counted(removed, 'message')} from the local mailbox copy that the service no longer has`,
  );
  await requireConfirmation(ctx, 'Remove these messages permanently?', 'nothing was removed');
}

/** Stores the policy of later runs. Reports a change, and tasks that have the policy `purge`. */
export async function changePolicy(
  ctx: Pick<Context, 'out'>,
  store: PolicyStore,
  wanted: StoredOnDelete,
): Promise<void> {
  const stored = await store.onDelete();
  const ofTasks = await store.taskPolicies();
  const replaced = stored === undefined ? ofTasks : [stored];
  if (wanted !== stored) await store.saveOnDelete(wanted);
  const others = replaced.filter((policy) => policy !== wanted && policy !== 'purge');
  if (others.length > 0)
    ctx.out.warn(
      `--on-delete ${wanted} replaces ${others.join(' and ')}, and applies to later syncs of all mailboxes`,
    );
  if (ofTasks.includes('purge'))
    ctx.out.warn(
      nextStep`tasks of the fleet that were enrolled with --on-delete purge still remove messages; to change a task: ${ucctl`fleet enroll --extension EXT --on-delete ${wanted}`}`,
    );
}
