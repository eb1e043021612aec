import type { CallQueueAssignment } from '../../contract/call-queue.ts';
import { extensionsChanged } from '../directory/events.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import { extensionOf, numberOf, type Call, type Handler } from '../request/call.ts';
import { notFound } from '../request/errors.ts';
import type { World } from '../world/world.ts';
import { assign, noteMembers, requireAgent } from './assign-departments.ts';

/**
 * Serves PUT .../extension/{extensionId}/call-queues: the user becomes a member of exactly these queues (CURRENT-8).
 * Queues of which the user already is a member stay unchanged.
 */
export const updateMemberQueues: Handler<'updateMemberQueues'> = (call) => {
  const { world, body } = call;
  const member = extensionOf(call);
  const before = new Set(world.departments.of(member.id));
  const wanted = new Set(body.records.map(({ id }, index) => queueOf(world, member, id, index)));
  const joined = [...wanted].filter((id) => !before.has(id));
  const left = [...before].filter((id) => !wanted.has(id));
  if (joined.length > 0) requireAgent(member, 'extensionId');
  const ids = [String(member.id)];
  for (const queueId of joined) change(call, queueId, { addedExtensionIds: ids });
  for (const queueId of left) change(call, queueId, { removedExtensionIds: ids });
  if (joined.length + left.length > 0) {
    const changed = [...joined, ...left, member.id];
    extensionsChanged(world, member.accountId, changed, 'CallQueueMembersChange');
  }
  return { json: { records: queuesOf(world, member) } };
};

function change(call: Call<'updateMemberQueues'>, queueId: number, item: CallQueueAssignment): void {
  const queue = call.world.extensions.byId(queueId);
  if (!queue) return;
  assign(call.world, queue, item, '');
  noteMembers(call, queue, item);
}

/** Returns the ID of a queue that the body names. @throws {ServiceError} CMN-102 for any other extension. */
function queueOf(world: World, { accountId }: ExtensionRow, id: string, index: number): number {
  const queue = world.extensions.byId(numberOf(id));
  if (queue?.accountId !== accountId || queue.type !== 'Department')
    throw notFound(`records[${index}].id`, 400);
  return queue.id;
}

function queuesOf(world: World, { id: memberId }: ExtensionRow) {
  return world.departments.of(memberId).flatMap((id) => {
    const queue = world.extensions.byId(id);
    return queue ? [{ id: String(queue.id), name: queue.name }] : [];
  });
}
