import { presenceChanged } from '../events/presence.ts';
import { hasPresence } from '../presence.ts';
import type { LegRow } from '../store/calls.ts';
import type { World } from '../world.ts';

/** Brings a person's telephonyStatus up to date after a change of a call, and tells the subscribers. */
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

function telephonyStatus(live: readonly LegRow[]): 'NoCall' | 'Ringing' | 'CallConnected' {
  if (live.length === 0) return 'NoCall';
  return live.some(({ status }) => status === 'Success') ? 'CallConnected' : 'Ringing';
}
