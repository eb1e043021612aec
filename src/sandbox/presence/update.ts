import type { PresenceUpdate } from '../../contract/presence.ts';
import { isAdministrator } from '../request/access.ts';
import type { Call } from '../request/call.ts';
import { invalidParameter, userNotAllowed } from '../request/errors.ts';
import { presenceChanged, queueModeChanged } from './events.ts';
import { changedMode } from './queue-mode.ts';
import { hasPresence } from './view.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { PresenceRow } from './store.ts';
import type { World } from '../world/world.ts';

/** The members of a presence that only a change of the unified presence can change (PRESENCE-24). */
type ChatUpdate = Partial<Pick<PresenceRow, 'chatVisibility' | 'chatAvailability'>>;

/**
 * Users can read their own presence and the visible presence of other users; administrators can read every presence.
 * @throws {ServiceError} CMN-408
 */
export function checkVisible(call: Pick<Call, 'caller' | 'world'>, extension: ExtensionRow): void {
  const { allowSeeMyPresence } = call.world.presences.of(extension.id);
  if (isSelfOrAdministrator(call, extension) || allowSeeMyPresence === 1) return;
  throw userNotAllowed('CMN-408', 'The presence of this extension is hidden from other users');
}

/** @throws {ServiceError} CMN-404 for another user, CMN-403 for an extension that is not a user. */
export function checkChangeable(call: Pick<Call, 'caller'>, extension: ExtensionRow): void {
  if (!isSelfOrAdministrator(call, extension)) {
    throw userNotAllowed('CMN-404', 'Only an administrator can change the presence of another extension');
  }
  if (!hasPresence(extension))
    throw userNotAllowed('CMN-403', `An extension of type ${extension.type} has no presence`);
}

/** Saves the members of a request, and publishes the presence if they change it. @throws {ServiceError} CMN-101 */
export function savePresence(
  world: World,
  extension: ExtensionRow,
  update: PresenceUpdate,
  chat: ChatUpdate = {},
): void {
  const before = world.presences.of(extension.id);
  const after = { ...change(before, update, world.departments.isAgent(extension.id)), ...chat };
  checkMode(world, extension, update, after.dndStatus);
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  world.presences.save({ ...after, sequence: before.sequence + 1 });
  presenceChanged(world, extension);
  queueModeChanged(world, extension, before);
}

/** The members of a request that change the mode. */
const modeMembers = ['dndStatus', 'acceptCallQueueCalls', 'dndStatusPersonal'] as const;

/**
 * Modes for calls of queues need a queue (PRESENCE-18). On accounts with new call handling, `dndStatus` does not have
 * these modes.
 * @throws {ServiceError} CMN-101
 */
function checkMode(world: World, extension: ExtensionRow, update: PresenceUpdate, mode: string): void {
  if (mode !== 'DoNotAcceptDepartmentCalls' && mode !== 'TakeDepartmentCallsOnly') return;
  const name = modeMembers.find((member) => update[member] !== undefined);
  if (name === undefined) return;
  if (!world.departments.isAgent(extension.id))
    throw invalidParameter(name, 'the extension is not a member of any call queue');
  if (update.dndStatus === mode && world.settings.newCallHandling)
    throw invalidParameter('dndStatus', 'the account has new call handling');
}

export function isSelfOrAdministrator(call: Pick<Call, 'caller'>, extension: ExtensionRow): boolean {
  return extension.id === call.caller.extension.id || isAdministrator(call.caller.extension);
}

function change(row: PresenceRow, update: PresenceUpdate, isAgent: boolean): PresenceRow {
  const flag = (value: boolean | undefined, old: number) => (value === undefined ? old : Number(value));
  return {
    ...row,
    userStatus: update.userStatus ?? row.userStatus,
    dndStatus: changedMode(row.dndStatus, update, isAgent),
    callerIdVisibility: update.callerIdVisibility ?? row.callerIdVisibility,
    message: update.message ?? row.message,
    allowSeeMyPresence: flag(update.allowSeeMyPresence, row.allowSeeMyPresence),
    ringOnMonitoredCall: flag(update.ringOnMonitoredCall, row.ringOnMonitoredCall),
    pickUpCallsOnHold: flag(update.pickUpCallsOnHold, row.pickUpCallsOnHold),
  };
}
