import { controlNotFound } from '../control/control-error.ts';
import { findExtension } from '../control/users.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import { extensionsChanged } from '../directory/events.ts';
import { presenceFields } from '../presence/view.ts';
import { assign } from '../queues/assign-departments.ts';
import { changeAccepts } from '../queues/availability-routes.ts';
import type { RowWindow } from '../world/sql.ts';
import type { World } from '../world/world.ts';
import type { Page, QueueView } from './types.ts';

/** Returns the call queues with their agents, by number. */
export function listQueues(world: World, search: string | undefined, window: RowWindow): Page<QueueView> {
  const { rows, total } = world.console.queues(search, window);
  return { records: rows.map((queue) => toQueue(world, queue)), total };
}

function toQueue(world: World, queue: ExtensionRow): QueueView {
  const absent = world.queueSettings.absent(queue.id);
  return {
    id: String(queue.id),
    number: queue.extensionNumber ?? '',
    name: queue.name,
    members: world.departments.members(queue.id).rows.map((row) => ({
      extensionId: String(row.id),
      number: row.extensionNumber ?? '',
      name: row.name,
      accepts: !absent.has(row.id),
      presenceStatus: presenceFields(world, row).presenceStatus,
    })),
  };
}

/**
 * Adds an agent to a queue or removes it, with the events of the service. `who` is a number, ID or e-mail address.
 * @throws {ControlError | ServiceError}
 */
export function changeMember(world: World, queueId: string, who: string, isMember: boolean): QueueView {
  const queue = queueOf(world, queueId);
  const ids = [String(findExtension(world, who).id)];
  const item = isMember ? { addedExtensionIds: ids } : { removedExtensionIds: ids };
  const changed = assign(world, queue, item, '');
  extensionsChanged(world, queue.accountId, changed, 'CallQueueMembersChange');
  return toQueue(world, queue);
}

/** Changes whether an agent accepts the calls of a queue. @throws {ControlError} 404. */
export function changeAvailability(
  world: World,
  queueId: string,
  extensionId: string,
  accepts: boolean,
): QueueView {
  const queue = queueOf(world, queueId);
  const member = world.departments.members(queue.id).rows.find(({ id }) => String(id) === extensionId);
  changeAccepts(world, queue, member ?? controlNotFound(`member ${extensionId}`), accepts);
  return toQueue(world, queue);
}

function queueOf(world: World, id: string): ExtensionRow {
  const queue = world.extensions.byId(Number(id));
  return queue?.type === 'Department' ? queue : controlNotFound(`queue ${id}`);
}
