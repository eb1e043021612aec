import type { CallQueueUpdate } from '../../contract/call-queue.ts';
import { extensionsChanged } from '../directory/events.ts';
import { toExtension } from '../directory/extension-routes.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import { auditActions, noteChange } from '../audit/note.ts';
import { accountOf, numberOf, type Authorized, type Handler } from '../request/call.ts';
import { invalidParameter, notFound } from '../request/errors.ts';
import { listReply, pageOf } from '../request/paging.ts';
import { accountPath, addressOf } from '../request/uris.ts';
import type { World } from '../world/world.ts';
import { noteMembers, assign } from './assign-departments.ts';
import { membersReply } from './members-reply.ts';
import type { QueueSettingRow } from './settings-store.ts';

/** Returns the queue of the path. @throws {ServiceError} CMN-102 for any other extension. */
export function queueOf(call: Authorized): ExtensionRow {
  const account = accountOf(call);
  const queue = call.world.extensions.byId(numberOf(call.params['groupId']));
  if (queue?.accountId !== account.id || queue.type !== 'Department') throw notFound('groupId');
  return queue;
}

/** Serves GET account/{accountId}/call-queues. Every user may read the directory. */
export const listCallQueues: Handler<'listCallQueues'> = (call) => {
  const { world, query } = call;
  const account = accountOf(call);
  const page = pageOf(query);
  const { memberExtensionId } = query;
  const path = `${accountPath(account.id)}/call-queues`;
  const filters = memberExtensionId === undefined ? {} : { memberExtensionId };
  const { limit, offset } = page.window;
  const own = () => {
    const rows = world.departments.of(numberOf(memberExtensionId)).flatMap((id) => {
      const queue = world.extensions.byId(id);
      return queue?.accountId === account.id ? [queue] : [];
    });
    return { rows: rows.slice(offset, offset + limit), total: rows.length };
  };
  const slice =
    memberExtensionId === undefined
      ? world.extensions.list(account.id, { type: ['Department'] }, page.window)
      : own();
  return { json: listReply({ world, path, filters, page }, slice, (row) => toCallQueue(world, row)) };
};

/** Serves GET account/{accountId}/call-queues/{groupId}. */
export const readCallQueue: Handler<'readCallQueue'> = (call) => ({
  json: toInfo(call.world, queueOf(call)),
});

/** Serves PUT account/{accountId}/call-queues/{groupId}: changes the settings in the request. */
export const updateCallQueue: Handler<'updateCallQueue'> = (call) => {
  const { world, body } = call;
  const queue = queueOf(call);
  const { extensionNumber = queue.extensionNumber, name = queue.name, status = queue.status } = body;
  if (extensionNumber !== null) requireFree(world, queue, extensionNumber);
  world.extensions.change(queue.id, { extensionNumber, name, status });
  const before = world.queueSettings.of(queue.id);
  const after = withSettings(before, body);
  if (JSON.stringify(before) !== JSON.stringify(after)) world.queueSettings.save(after);
  noteChange(world, call.caller.extension, auditActions.queue, queue, {
    settings: Object.keys(body).join(', '),
  });
  extensionsChanged(world, queue.accountId, [queue.id], 'ExtensionInfo');
  return { json: toInfo(world, world.extensions.byId(queue.id) ?? queue) };
};

/** Each extension number belongs to only one extension (docs/internals/service-gaps.md). */
function requireFree(
  world: World,
  own: Pick<ExtensionRow, 'id' | 'accountId'>,
  extensionNumber: string,
): void {
  const other = world.extensions.byNumber(own.accountId, extensionNumber);
  if (other && other.id !== own.id) {
    throw invalidParameter('extensionNumber', `extension ${extensionNumber} already exists`);
  }
}

function withSettings(row: QueueSettingRow, update: CallQueueUpdate): QueueSettingRow {
  const { serviceLevelSettings: level = {}, editableMemberStatus, alertTimer } = update;
  const flag = (value: boolean | undefined, old: number) => (value === undefined ? old : Number(value));
  return {
    queueId: row.queueId,
    slaGoal: level.slaGoal ?? row.slaGoal,
    slaThresholdSeconds: level.slaThresholdSeconds ?? row.slaThresholdSeconds,
    includeAbandonedCalls: flag(level.includeAbandonedCalls, row.includeAbandonedCalls),
    abandonedThresholdSeconds: level.abandonedThresholdSeconds ?? row.abandonedThresholdSeconds,
    editableMemberStatus: flag(editableMemberStatus, row.editableMemberStatus),
    alertTimer: alertTimer ?? row.alertTimer,
  };
}

/** Serves GET account/{accountId}/call-queues/{groupId}/members. */
export const listCallQueueMembers: Handler<'listCallQueueMembers'> = (call) => {
  const queue = queueOf(call);
  const path = `${accountPath(queue.accountId)}/call-queues/${queue.id}/members`;
  return membersReply(call.world, queue, path, pageOf(call.query));
};

/** Serves POST account/{accountId}/call-queues/{groupId}/bulk-assign: makes all changes or no changes. */
export const assignCallQueueMembers: Handler<'assignCallQueueMembers'> = (call) => {
  const { world, body } = call;
  const queue = queueOf(call);
  const changed = assign(world, queue, body, '');
  if (changed.length > 0) noteMembers(call, queue, body);
  extensionsChanged(world, queue.accountId, changed, 'CallQueueMembersChange');
  return {};
};

/** Serves POST account/{accountId}/extension, only for call queues (docs/internals/service-gaps.md). */
export const createExtension: Handler<'createExtension'> = (call) => {
  const { world, body } = call;
  const account = accountOf(call);
  const id = world.extensions.nextId();
  const { extensionNumber, contact, status = 'Enabled' } = body;
  requireFree(world, { id, accountId: account.id }, extensionNumber);
  const name = body.name ?? contact?.firstName;
  if (name === undefined) throw invalidParameter('name', 'a call queue needs a name');
  const email = contact?.email ?? null;
  if (email !== null && world.extensions.byEmail(email)) throw invalidParameter('contact.email', 'in use');
  world.extensions.add({
    id,
    accountId: account.id,
    extensionNumber,
    name,
    firstName: name,
    lastName: null,
    email,
    type: 'Department',
    status,
    statusReason: null,
    statusComment: null,
    role: 'queue',
    password: null,
    admin: 0,
    internationalCalling: 0,
  });
  extensionsChanged(world, account.id, [id], 'ExtensionInfo', 'Create');
  const created = world.extensions.byId(id);
  if (!created) throw new Error('the created queue is missing');
  noteChange(world, call.caller.extension, auditActions.queueCreated, created, { extensionNumber });
  return { json: toExtension(world, created) };
};

function toCallQueue(world: World, row: ExtensionRow) {
  return {
    uri: addressOf(world, `${accountPath(row.accountId)}/call-queues/${row.id}`),
    id: String(row.id),
    ...(row.extensionNumber !== null && { extensionNumber: row.extensionNumber }),
    name: row.name,
    status: row.status,
  };
}

function toInfo(world: World, row: ExtensionRow) {
  const settings = world.queueSettings.of(row.id);
  return {
    ...toCallQueue(world, row),
    serviceLevelSettings: {
      slaGoal: settings.slaGoal,
      slaThresholdSeconds: settings.slaThresholdSeconds,
      includeAbandonedCalls: settings.includeAbandonedCalls === 1,
      abandonedThresholdSeconds: settings.abandonedThresholdSeconds,
    },
    editableMemberStatus: settings.editableMemberStatus === 1,
    alertTimer: settings.alertTimer,
  };
}
