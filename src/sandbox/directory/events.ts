import { enqueue } from '../subscriptions/enqueue.ts';
import type { World } from '../world/world.ts';

/** Publishes changed extensions: one event for the account, and one for each extension with subscribers. */
export function extensionsChanged(
  world: World,
  accountId: number,
  extensionIds: readonly number[],
  hint: string,
  eventType: 'Create' | 'Update' | 'Delete' = 'Update',
): void {
  if (extensionIds.length === 0) return;
  const extensions = extensionIds.map((id) => ({ extensionId: String(id), eventType, hints: [hint] }));
  for (const watcher of world.subscriptions.watchers(`extensions:${accountId}`)) {
    enqueue(world, watcher, { extensions });
  }
  for (const one of extensions) {
    for (const watcher of world.subscriptions.watchers(`extension:${one.extensionId}`)) {
      enqueue(world, watcher, one);
    }
  }
}
