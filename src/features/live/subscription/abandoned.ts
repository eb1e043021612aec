import { messageOf } from '../../../errors/command.ts';
import { isFinalRejection } from '../../../errors/service-codes.ts';
import type { LifecycleSettings } from './session-subscription.ts';
import { nextStep, ucctl } from '../../../errors/hint.ts';

type Settings = Pick<LifecycleSettings, 'api' | 'ctx' | 'recorded' | 'abandoned'>;

/**
 * Deletes the subscriptions that killed runs recorded. A failure does not stop the run. If another attempt may succeed,
 * the subscription stays recorded for the next run; that of this receiver's own name is only named in a warning,
 * because the new subscription replaces its record.
 */
export async function deleteAbandoned(settings: Settings): Promise<void> {
  const { recorded, abandoned } = settings;
  await isForgettable(settings, recorded);
  for (const receiver of abandoned()) {
    try {
      if (await isForgettable(settings, receiver.recorded)) receiver.recorded.forget();
    } finally {
      receiver.release();
    }
  }
}

/**
 * Deletes the recorded subscription, unless another run has also recorded it, and those with the recorded address.
 * @returns false, with a warning, if one may still exist and another attempt may succeed.
 */
async function isForgettable(
  settings: Settings,
  recorded: Pick<Settings['recorded'], 'id' | 'address' | 'forgetIfShared'>,
): Promise<boolean> {
  const { id, address } = recorded;
  const own = id === undefined || recorded.forgetIfShared(id) ? [] : [id];
  const ids = address === undefined ? [] : await idsWith(settings, address);
  let isComplete = ids !== undefined;
  for (const one of new Set([...own, ...(ids ?? [])]))
    if (!(await isDeleted(settings, one))) isComplete = false;
  return isComplete;
}

/** Returns the IDs of the subscriptions with an address; undefined, with a warning, if they cannot be listed. */
async function idsWith({ api, ctx }: Settings, address: string): Promise<readonly string[] | undefined> {
  try {
    const all = await api.subscriptions.list({ signal: ctx.signal });
    return all.filter(({ deliveryMode }) => deliveryMode.address === address).map(({ id }) => id);
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    ctx.out.warn(
      nextStep`could not search for the subscription of an earlier run (${messageOf(error)}); to find and delete it: ${ucctl('subscribe list')}`,
    );
    return undefined;
  }
}

/** Deletes a subscription. @returns false, with a warning, if it may still exist and another attempt may succeed. */
async function isDeleted({ api, ctx }: Settings, id: string): Promise<boolean> {
  try {
    await api.subscriptions.delete(id, { signal: ctx.signal });
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    // The subscription has expired, or belongs to another user.
    if (isFinalRejection(error)) return true;
    ctx.out.warn(
      nextStep`could not delete subscription ${id} of an earlier run (${messageOf(error)}); retry with: ${ucctl`subscribe delete ${id}`}`,
    );
    return false;
  }
  return true;
}
