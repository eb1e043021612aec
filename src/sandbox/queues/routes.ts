import { assignDepartments } from './assign-departments.ts';
import {
  readCallQueuePresence,
  readExtensionQueuePresence,
  updateCallQueuePresence,
  updateExtensionQueuePresence,
} from './availability-routes.ts';
import {
  assignCallQueueMembers,
  createExtension,
  listCallQueueMembers,
  listCallQueues,
  readCallQueue,
  updateCallQueue,
} from './call-queue-routes.ts';
import { readExtensionFeatures } from './feature-routes.ts';
import { updateMemberQueues } from './member-queues.ts';
import { membersReply } from './members-reply.ts';
import { requireAdministrator } from '../request/access.ts';
import { accountOf, type Handler, type Routes } from '../request/call.ts';
import { notFound } from '../request/errors.ts';
import { pageOf } from '../request/paging.ts';
import { accountPath } from '../request/uris.ts';

/** Serves GET account/{accountId}/department/{departmentId}/members. */
const listDepartmentMembers: Handler<'listDepartmentMembers'> = (call) => {
  const { world } = call;
  const account = accountOf(call);
  const department = world.extensions.byId(Number(call.params['departmentId']));
  if (department?.accountId !== account.id || department.type !== 'Department')
    throw notFound('departmentId');
  const path = `${accountPath(account.id)}/department/${department.id}/members`;
  return membersReply(world, department, path, pageOf(call.query));
};

/** Routes of call queues, their members and their availability. */
export const queueRoutes = {
  listDepartmentMembers,
  bulkAssignDepartmentMembers: { guard: requireAdministrator, handler: assignDepartments },
  listCallQueues,
  readCallQueue,
  updateCallQueue: { guard: requireAdministrator, handler: updateCallQueue },
  listCallQueueMembers,
  assignCallQueueMembers: { guard: requireAdministrator, handler: assignCallQueueMembers },
  createExtension: { guard: requireAdministrator, handler: createExtension },
  updateMemberQueues: { guard: requireAdministrator, handler: updateMemberQueues },
  readExtensionFeatures,
  readCallQueuePresence,
  updateCallQueuePresence,
  readExtensionQueuePresence,
  updateExtensionQueuePresence,
} satisfies Routes;
