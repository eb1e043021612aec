import { assignDepartments, mayAssignDepartments } from './assign-departments.ts';
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
  mayChangeQueues,
  readCallQueue,
  updateCallQueue,
} from './call-queue-routes.ts';
import { readExtensionFeatures } from './feature-routes.ts';
import { updateMemberQueues } from './member-queues.ts';
import { membersReply } from './members-reply.ts';
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
  bulkAssignDepartmentMembers: { guard: mayAssignDepartments, handler: assignDepartments },
  listCallQueues,
  readCallQueue,
  updateCallQueue: { guard: mayChangeQueues, handler: updateCallQueue },
  listCallQueueMembers,
  assignCallQueueMembers: { guard: mayChangeQueues, handler: assignCallQueueMembers },
  createExtension: { guard: mayChangeQueues, handler: createExtension },
  updateMemberQueues: { guard: mayChangeQueues, handler: updateMemberQueues },
  readExtensionFeatures,
  readCallQueuePresence,
  updateCallQueuePresence,
  readExtensionQueuePresence,
  updateExtensionQueuePresence,
} satisfies Routes;
