import type { DndStatus } from '../../contract/enums.ts';
import type { PresenceUpdate } from '../../contract/presence.ts';

type PersonalStatus = NonNullable<PresenceUpdate['dndStatusPersonal']>;

/** For each mode: the mode for other calls than calls of a queue, and whether the user accepts calls of a queue. */
const parts: Readonly<Record<DndStatus, readonly [PersonalStatus, boolean]>> = {
  TakeAllCalls: ['TakeAllCalls', true],
  DoNotAcceptDepartmentCalls: ['TakeAllCalls', false],
  TakeDepartmentCallsOnly: ['DoNotAcceptAnyCalls', true],
  DoNotAcceptAnyCalls: ['DoNotAcceptAnyCalls', false],
};

/** Returns the parts of a mode, which dialect `current` also shows as separate members (PRESENCE-21). */
export function modeParts(dndStatus: string) {
  const [dndStatusPersonal, acceptCallQueueCalls] = parts[dndStatus as DndStatus];
  return { dndStatusPersonal, acceptCallQueueCalls };
}

/**
 * Returns the mode that results from a request, which may change the mode as a whole or each of its parts. For a user
 * without a queue, the personal part decides alone.
 */
export function changedMode(before: string, update: PresenceUpdate, isAgent: boolean): string {
  const old = modeParts(update.dndStatus ?? before);
  const personal = update.dndStatusPersonal ?? old.dndStatusPersonal;
  const isWhole = isAgent || update.dndStatusPersonal === undefined;
  const usual = isWhole ? old.acceptCallQueueCalls : personal === 'TakeAllCalls';
  const accepts = update.acceptCallQueueCalls ?? usual;
  const found = Object.entries(parts).find(([, [own, queue]]) => own === personal && queue === accepts);
  return found?.[0] ?? before;
}
