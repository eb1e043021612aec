import { presenceChanged } from '../presence/events.ts';
import { hasPresence } from '../presence/view.ts';
import type { LegRow } from './store.ts';
import type { World } from '../world/world.ts';
import { telephonyStatusOf } from './state.ts';

/** Updates a user's telephonyStatus after a change of a call, and notifies the subscribers. */
export function telephoneChanged(world: World, callId: number, extensionId: number | null): void {
  const extension = extensionId === null ? undefined : world.extensions.byId(extensionId);
  if (!extension || !hasPresence(extension)) return;
  const before = world.presences.of(extension.id);
  world.presences.save({
    ...before,
    telephonyStatus: telephonyStatus(world.calls.live(extension.id)),
    sequence: before.sequence + 1,
  });
  const ended = world.calls.legsOf(extension.id, callId).filter(({ endedAt }) => endedAt !== null);
  presenceChanged(world, extension, ended);
}

/** If an extension has several calls, the status with the highest rank applies. */
function telephonyStatus(live: readonly LegRow[]): (typeof byWeight)[number] {
  const all = new Set(live.map(telephonyStatusOf));
  return byWeight.find((status) => all.has(status)) ?? 'NoCall';
}

const byWeight = ['CallConnected', 'Ringing', 'OnHold', 'ParkedCall', 'NoCall'] as const;
