import type { Client } from '../../src/client/index.ts';
import type { WorkerSessions } from '../../src/features/fleet/worker-settings.ts';
import type { FleetSession } from '../../src/runtime/fleet-session.ts';

/** A sign-in that sends no requests. @param more members that the test needs. */
export function fakeSession(profile: string, more: Partial<FleetSession> = {}): FleetSession {
  return {
    profile,
    origin: 'http://127.0.0.1',
    owner: `owner of ${profile}`,
    rejectionOwner: `owner of ${profile}`,
    who: profile,
    api: {} as Client,
    groupOf: () => 'light',
    prepay: () => () => undefined,
    reaches: () => Promise.resolve(true),
    ...more,
  };
}

/** Sign-ins that never change. @param onLost called with the reason why one cannot be used any more. */
export function fixedSessions(
  usable: readonly FleetSession[],
  onLost: (problem: string) => void,
): WorkerSessions {
  return {
    usable,
    refresh: () => Promise.resolve(),
    wantMore: () => undefined,
    works: () => Promise.resolve(),
    lose: (_session, problem) => Promise.resolve(onLost(problem)),
  };
}
