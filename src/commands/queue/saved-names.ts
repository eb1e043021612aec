import { neededChanges, type SavedPlan } from '../../features/assignment/index.ts';
import { presentTitle, type Directory } from '../../features/directory/index.ts';
import { requireSameNames, type PlannedName } from '../../features/resource-plan/index.ts';
import { titleOf, type Named } from '../../runtime/with-number.ts';
import { isServiceId } from './settings.ts';

/**
 * Checks the names of the queues and agents that a saved plan changes. The plan creates the other queues.
 * @throws {CommandError} `stale_plan` (exit 11) if a name differs from the account.
 */
export async function requireNamesOfAccount(
  directory: Directory,
  { plan, settings }: Pick<SavedPlan, 'plan' | 'settings'>,
): Promise<void> {
  const nameOf = async (planned: Named): Promise<PlannedName> => {
    const id = String(planned.id);
    const found = await directory.byId(id);
    // The plan of a desired state also removes members who are not in the list of extensions.
    const isUnlisted = !found && planned.name === `extension ${id}`;
    const present = found ?? (isUnlisted ? planned : undefined);
    return { id, planned: titleOf(planned), present: present && titleOf(present) };
  };
  const members = neededChanges(plan)
    .flatMap(({ queue, agent }) => [queue, agent])
    .filter(({ id }) => isServiceId(String(id)));
  const changed = (settings?.plan.changes ?? []).filter(({ action }) => action === 'update');
  requireSameNames([
    ...(await Promise.all(members.map(nameOf))),
    ...(await Promise.all(
      changed.map(async (change) => ({
        id: change.id,
        planned: change.title,
        present: await presentTitle(directory, change),
      })),
    )),
  ]);
}
