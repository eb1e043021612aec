import type { Client } from '../../client/index.ts';
import type { Extension } from '../../contract/extension.ts';
import { dialects } from '../../contract/dialects.ts';
import type { Context } from '../../runtime/context.ts';
import { readMembershipWithProgress } from './read-membership.ts';

/**
 * Returns the IDs of the queues of one person. Dialect `current` has a request for them (CURRENT-8); otherwise, the
 * members of every queue are read.
 */
export async function queuesOf(
  ctx: Pick<Context, 'out' | 'signal' | 'settings'>,
  api: Pick<Client, 'departments' | 'callQueues'>,
  extensionId: Extension['id'],
  queues: readonly Extension[],
): Promise<ReadonlySet<string>> {
  if (dialects[ctx.settings.dialect.value].queues === 'call-queues') {
    const ids = new Set<string>();
    const own = api.callQueues.list({ memberExtensionId: extensionId }, { signal: ctx.signal });
    for await (const { id } of own) ids.add(id);
    return ids;
  }
  const members = await readMembershipWithProgress(
    ctx,
    api,
    queues.map(({ id }) => id),
  );
  return new Set(
    [...members].filter(([, agents]) => agents.has(String(extensionId))).map(([queueId]) => queueId),
  );
}
