import type { BulkAssignItem } from '../../contract/department.ts';
import { auditActions, noteChange } from '../audit/note.ts';
import { requireAdministrator } from '../request/access.ts';
import { accountOf, type Guard, type Handler } from '../request/call.ts';
import { invalidParameter, notFound, ServiceError } from '../request/errors.ts';
import { extensionsChanged } from '../directory/events.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { World } from '../world/world.ts';

/**
 * Serves POST account/{accountId}/department/bulk-assign. If one item is rejected, the transaction is rolled back.
 * Adding an existing member and removing a non-member are accepted and change nothing.
 */
export const assignDepartments: Handler<'bulkAssignDepartmentMembers'> = (call) => {
  const { world } = call;
  const account = accountOf(call);
  const changed = new Set<number>();
  for (const [index, item] of call.body.items.entries()) {
    const ids = assign(world, account.id, item, `items[${index}]`);
    for (const id of ids) changed.add(id);
    const queue = world.extensions.byId(ids[0] ?? 0);
    if (queue) noteChange(call, auditActions.queueMembers, queue, membersChange(item));
  }
  extensionsChanged(world, account.id, [...changed], 'CallQueueMembersChange');
  return {};
};

/** Rejects users who are not administrators, before the body is read. */
export const mayAssignDepartments: Guard = (call) => {
  accountOf(call);
  requireAdministrator(call);
};

/** The details of a change of members for the audit trail. */
function membersChange({ addedExtensionIds, removedExtensionIds }: BulkAssignItem): Record<string, string> {
  return { added: (addedExtensionIds ?? []).join(', '), removed: (removedExtensionIds ?? []).join(', ') };
}

/** Applies one item. @returns the changed departments and agents. */
function assign(world: World, accountId: number, item: BulkAssignItem, name: string): readonly number[] {
  const find = (id: string) => (/^\d+$/.test(id) ? world.extensions.byId(Number(id)) : undefined);
  const department = find(item.departmentId);
  if (department?.accountId !== accountId || department.type !== 'Department') {
    throw notFound(`${name}.departmentId`, 400);
  }
  const added = item.addedExtensionIds ?? [];
  const removed = item.removedExtensionIds ?? [];
  const both = added.find((id) => removed.includes(id));
  if (both !== undefined) throw contradiction(`${name}.addedExtensionIds`, both);
  const known = (ids: readonly string[], list: string) =>
    ids.map((id, index) => {
      const extension = find(id);
      if (extension?.accountId !== accountId) throw notFound(`${name}.${list}[${index}]`, 400);
      return extension;
    });
  const joining = known(added, 'addedExtensionIds');
  const leaving = known(removed, 'removedExtensionIds');
  joining.forEach((extension, index) => requireAgent(extension, `${name}.addedExtensionIds[${index}]`));
  const joined = joining.filter((extension) => world.departments.add(department.id, extension.id));
  const left = leaving.filter((extension) => world.departments.remove(department.id, extension.id));
  const agents = [...joined, ...left].map((extension) => extension.id);
  return agents.length > 0 ? [department.id, ...agents] : [];
}

/** Agents are users who can take a call (docs/internals/service-gaps.md). */
function requireAgent(extension: ExtensionRow, name: string): void {
  if (extension.type !== 'User')
    throw invalidParameter(name, `extension type ${extension.type} cannot be an agent`);
  if (extension.status === 'Enabled') return;
  throw invalidParameter(name, `extension is ${extension.status}`);
}

function contradiction(name: string, id: string): ServiceError {
  const message = `Parameter [${name}] value is invalid: extension ${id} is both added and removed`;
  return new ServiceError(400, 'CMN-406', message, { parameterName: name });
}
