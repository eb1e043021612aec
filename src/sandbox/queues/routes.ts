import { assignDepartments, mayAssignDepartments } from './assign-departments.ts';
import { accountOf, type Handler, type Routes } from '../request/call.ts';
import { notFound } from '../request/errors.ts';
import { listReply, pageOf } from '../request/paging.ts';
import { accountPath, extensionUri } from '../request/uris.ts';

/** Serves GET account/{accountId}/department/{departmentId}/members. */
const listDepartmentMembers: Handler<'listDepartmentMembers'> = (call) => {
  const { world } = call;
  const account = accountOf(call);
  const department = world.extensions.byId(Number(call.params['departmentId']));
  if (department?.accountId !== account.id || department.type !== 'Department')
    throw notFound('departmentId');
  const page = pageOf(call.query);
  const slice = world.departments.members(department.id, page.window);
  const path = `${accountPath(account.id)}/department/${department.id}/members`;
  const json = listReply({ world, path, page }, slice, (row) => ({
    uri: extensionUri(world, row),
    id: row.id,
    ...(row.extensionNumber !== null && { extensionNumber: row.extensionNumber }),
  }));
  return { json };
};

/** Operations about the members of call queues. */
export const queueRoutes = {
  listDepartmentMembers,
  bulkAssignDepartmentMembers: { guard: mayAssignDepartments, handler: assignDepartments },
} satisfies Routes;
