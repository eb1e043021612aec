import type { BulkAssignItem } from '../../contract/department.ts';
import { auditActions, noteChange } from '../audit/note.ts';
import type { CallQueueAssignment } from '../../contract/call-queue.ts';
import { accountOf, type Call, type Handler } from '../request/call.ts';
import { invalidParameter, notFound, ServiceError } from '../request/errors.ts';
import { extensionsChanged } from '../directory/events.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { World } from '../world/world.ts';

/**
 * Serves POST account/{accountId}/department/bulk-assign. If one item is rejected, the transaction is rolled back. The
 * route accepts adding an existing member and removing a non-member, but changes nothing.
 */
export const assignDepartments: Handler<'bulkAssignDepartmentMembers'> = (call) => {
  const { world } = call;
  const account = accountOf(call);
  const changed = new Set<number>();
  for (const [index, item] of call.body.items.entries()) {
    const department = departmentOf(world, account.id, item, `items[${index}]`);
    const ids = assign(world, department, item, `items[${index}].`);
    for (const id of ids) changed.add(id);
    if (ids.length > 0) noteMembers(call, department, item);
  }
  extensionsChanged(world, account.id, [...changed], 'CallQueueMembersChange');
  return {};
};

/** Records a change of members in the audit trail. */
export function noteMembers(
  { world, caller }: Pick<Call, 'world' | 'caller'>,
  queue: ExtensionRow,
  { addedExtensionIds = [], removedExtensionIds = [] }: Omit<BulkAssignItem, 'departmentId'>,
): void {
  const details = { added: addedExtensionIds.join(', '), removed: removedExtensionIds.join(', ') };
  noteChange(world, caller.extension, auditActions.queueMembers, queue, details);
}

function findExtension(world: World, id: string): ExtensionRow | undefined {
  return /^\d+$/.test(id) ? world.extensions.byId(Number(id)) : undefined;
}

function departmentOf(world: World, accountId: number, item: BulkAssignItem, name: string): ExtensionRow {
  const department = findExtension(world, item.departmentId);
  if (department?.accountId !== accountId || department.type !== 'Department') {
    throw notFound(`${name}.departmentId`, 400);
  }
  return department;
}

/**
 * Changes the members of one queue.
 * @param prefix text before the names of the members of `item` in errors
 * @returns the changed departments and agents.
 */
export function assign(
  world: World,
  department: ExtensionRow,
  item: CallQueueAssignment,
  prefix: string,
): readonly number[] {
  const added = item.addedExtensionIds ?? [];
  const removed = item.removedExtensionIds ?? [];
  const both = added.find((id) => removed.includes(id));
  if (both !== undefined) throw contradiction(`${prefix}addedExtensionIds`, both);
  const known = (ids: readonly string[], list: string) =>
    ids.map((id, index) => {
      const extension = findExtension(world, id);
      if (extension?.accountId !== department.accountId) throw notFound(`${prefix}${list}[${index}]`, 400);
      return extension;
    });
  const joining = known(added, 'addedExtensionIds');
  const leaving = known(removed, 'removedExtensionIds');
  joining.forEach((extension, index) => requireAgent(extension, `${prefix}addedExtensionIds[${index}]`));
  const joined = joining.filter((extension) => world.departments.add(department.id, extension.id));
  const left = leaving.filter((extension) => world.departments.remove(department.id, extension.id));
  // An agent who joins again accepts the calls of the queue.
  for (const { id } of left) world.queueSettings.setAccepts(department.id, id, true);
  const agents = [...joined, ...left].map((extension) => extension.id);
  return agents.length > 0 ? [department.id, ...agents] : [];
}

/** Agents are users who can take a call (docs/internals/service-gaps.md). @throws {ServiceError} CMN-101 */
export function requireAgent(extension: ExtensionRow, name: string): void {
  if (extension.type !== 'User')
    throw invalidParameter(name, `extension type ${extension.type} cannot be an agent`);
  if (extension.status === 'Enabled') return;
  throw invalidParameter(name, `extension is ${extension.status}`);
}

function contradiction(name: string, id: string): ServiceError {
  const message = `Parameter [${name}] value is invalid: extension ${id} is both added and removed`;
  return new ServiceError(400, 'CMN-406', message, { parameterName: name });
}
