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
  if (recorded.id !== undefined) await isDeleted(settings, recorded.id);
  for (const receiver of abandoned()) {
    try {
      const { id } = receiver.recorded;
      if (id === undefined || (await isDeleted(settings, id))) receiver.recorded.forget();
    } finally {
      receiver.release();
    }
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
      nextStep`could not delete subscription ${id} of an earlier run (${messageOf(error)}); retry with: ${ucctl(`subscribe delete ${id}`)}`,
    );
    return false;
  }
  return true;
}
