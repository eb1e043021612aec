import { enqueue } from '../subscriptions/enqueue.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import { isAdministrator, readableExtension } from '../request/access.ts';
import { extensionOf, type Authorized, type Handler } from '../request/call.ts';
import { notFound, userNotAllowed } from '../request/errors.ts';
import type { World } from '../world/world.ts';
import { queueOf } from './call-queue-routes.ts';

/** Serves GET account/{accountId}/call-queues/{groupId}/presence. */
export const readCallQueuePresence: Handler<'readCallQueuePresence'> = (call) => ({
  json: queuePresence(call.world, queueOf(call)),
});

/** Serves PUT account/{accountId}/call-queues/{groupId}/presence: changes only the named members. */
export const updateCallQueuePresence: Handler<'updateCallQueuePresence'> = (call) => {
  const { world, body } = call;
  const queue = queueOf(call);
  const members = new Map(world.departments.members(queue.id).rows.map((row) => [String(row.id), row]));
  for (const [index, { member, acceptCurrentQueueCalls }] of body.records.entries()) {
    const found = members.get(member.id);
    if (!found) throw notFound(`records[${index}].member.id`, 400);
    setAccepts(call, queue, found, acceptCurrentQueueCalls);
  }
  return { json: queuePresence(world, queue) };
};

/** Serves GET .../extension/{extensionId}/call-queue-presence. */
export const readExtensionQueuePresence: Handler<'readExtensionQueuePresence'> = (call) => {
  const json = memberPresence(call.world, readableExtension(call));
  const { editableMemberStatus: asked } = call.query;
  if (asked === undefined) return { json };
  return { json: { records: json.records.filter((one) => one.callQueue.editableMemberStatus === asked) } };
};

/** Serves PUT .../extension/{extensionId}/call-queue-presence: changes only the named queues. */
export const updateExtensionQueuePresence: Handler<'updateExtensionQueuePresence'> = (call) => {
  const { world, body } = call;
  const member = extensionOf(call);
  const own = new Set(world.departments.of(member.id).map(String));
  for (const [index, { callQueue, acceptCalls }] of body.records.entries()) {
    const queue = own.has(callQueue.id) ? world.extensions.byId(Number(callQueue.id)) : undefined;
    if (!queue) throw notFound(`records[${index}].callQueue.id`, 400);
    setAccepts(call, queue, member, acceptCalls);
  }
  return { json: memberPresence(world, member) };
};

/**
 * Changes whether a member accepts the calls of a queue. Administrators may change every member, and members may change
 * themselves if the queue permits it.
 * @throws {ServiceError} CMN-404, CMN-408
 */
function setAccepts(call: Authorized, queue: ExtensionRow, member: ExtensionRow, accepts: boolean): void {
  const { world, caller } = call;
  if (!isAdministrator(caller.extension)) {
    if (member.id !== caller.extension.id) {
      throw userNotAllowed('CMN-404', 'Users may change only their own extension');
    }
    if (world.queueSettings.of(queue.id).editableMemberStatus === 0) {
      throw userNotAllowed('CMN-408', 'Members of this queue may not change their status');
    }
  }
  changeAccepts(world, queue, member, accepts);
}

/** Changes whether a member accepts the calls of a queue, and notifies the subscribers. */
export function changeAccepts(
  world: World,
  queue: ExtensionRow,
  member: ExtensionRow,
  accepts: boolean,
): void {
  if (!world.queueSettings.setAccepts(queue.id, member.id, accepts)) return;
  for (const watcher of world.subscriptions.watchers(`queuePresence:${queue.id}`)) {
    enqueue(world, watcher, { member: { id: String(member.id) }, acceptCurrentQueueCalls: accepts });
  }
}

function queuePresence(world: World, queue: ExtensionRow) {
  const absent = world.queueSettings.absent(queue.id);
  const records = world.departments.members(queue.id).rows.map((row) => ({
    member: {
      id: String(row.id),
      name: row.name,
      ...(row.extensionNumber !== null && { extensionNumber: row.extensionNumber }),
    },
    acceptQueueCalls: acceptsQueueCalls(world, row),
    acceptCurrentQueueCalls: !absent.has(row.id),
  }));
  return { records };
}

/** Whether a user takes any calls from queues. On accounts with new call handling, dndStatus does not show this. */
function acceptsQueueCalls(world: World, { id }: ExtensionRow): boolean {
  if (world.settings.newCallHandling) return true;
  const { dndStatus } = world.presences.of(id);
  return dndStatus === 'TakeAllCalls' || dndStatus === 'TakeDepartmentCallsOnly';
}

function memberPresence(world: World, member: ExtensionRow) {
  const records = world.departments.of(member.id).flatMap((queueId) => {
    const queue = world.extensions.byId(queueId);
    if (!queue) return [];
    return [
      {
        callQueue: {
          id: String(queue.id),
          name: queue.name,
          ...(queue.extensionNumber !== null && { extensionNumber: queue.extensionNumber }),
          editableMemberStatus: world.queueSettings.of(queue.id).editableMemberStatus === 1,
        },
        acceptCalls: !world.queueSettings.absent(queue.id).has(member.id),
      },
    ];
  });
  return { records };
}
