import type { LifecycleSettings } from './session-subscription.ts';

/**
 * Deletes the subscriptions that killed runs recorded. A failure does not stop the run, because the subscription may
 * have expired, or may belong to another user.
 */
export async function deleteAbandoned(
  settings: Pick<LifecycleSettings, 'api' | 'ctx' | 'recorded' | 'abandoned'>,
): Promise<void> {
  const { recorded, abandoned } = settings;
  if (recorded.id !== undefined) await deleteOne(settings, recorded.id);
  for (const receiver of abandoned()) {
    try {
      if (receiver.recorded.id !== undefined) await deleteOne(settings, receiver.recorded.id);
      receiver.recorded.forget();
    } finally {
      receiver.release();
    }
  }
}

async function deleteOne({ api, ctx }: Pick<LifecycleSettings, 'api' | 'ctx'>, id: string): Promise<void> {
  await api.subscriptions.delete(id, { signal: ctx.signal }).catch((error: unknown) => {
    if (ctx.signal.aborted) throw error;
  });
}
