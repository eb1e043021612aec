import type { ExtensionRow } from '../directory/extension-store.ts';
import type { PresenceRow } from './store.ts';
import type { World } from '../world/world.ts';

/** Only users have a telephonyStatus, a message and a queue-agent mode (PRESENCE-17). */
export function hasPresence(extension: ExtensionRow): boolean {
  return ['User', 'VirtualUser', 'DigitalUser', 'Limited'].includes(extension.type);
}

/**
 * Returns the presenceStatus that results from the other statuses: Offline has priority, then any status that prevents
 * calls.
 */
export function presenceStatus(row: PresenceRow): 'Offline' | 'Busy' | 'Available' {
  if (row.userStatus === 'Offline') return 'Offline';
  const onPhone = row.telephonyStatus !== 'NoCall' || row.meetingStatus === 'Connected';
  if (row.userStatus === 'Busy' || onPhone || row.dndStatus === 'DoNotAcceptAnyCalls') return 'Busy';
  return 'Available';
}

/** Returns the members of a presence in replies and events. */
export function presenceFields(world: World, extension: ExtensionRow) {
  const row = world.presences.of(extension.id);
  const switches = {
    allowSeeMyPresence: row.allowSeeMyPresence === 1,
    ringOnMonitoredCall: row.ringOnMonitoredCall === 1,
    pickUpCallsOnHold: row.pickUpCallsOnHold === 1,
  };
  if (!hasPresence(extension)) return { presenceStatus: 'Offline', ...switches };
  return {
    presenceStatus: presenceStatus(row),
    telephonyStatus: row.telephonyStatus,
    userStatus: row.userStatus,
    meetingStatus: row.meetingStatus,
    dndStatus: row.dndStatus,
    ...(row.message !== null && { message: row.message }),
    ...switches,
  };
}
