import { askVersions } from '../runtime/ask-versions.ts';
import type { FleetSession } from '../runtime/fleet-session.ts';
import { openClient, type Shared } from './api.ts';
import { budgetOwner, senderOf } from './owners.ts';
import type { Parts } from './parts.ts';

/**
 * A sign-in whose requests are taken from the budget together with the work that needs them.
 * @throws as `openClient`.
 */
export async function openFleetSession(parts: Parts, shared: Shared): Promise<FleetSession> {
  const { settings, system } = parts;
  const { auth, store } = shared;
  const who = await senderOf(settings, auth);
  const baseUrl = new URL(
    settings.baseUrl.value ?? (await auth().then((own) => own.describe()))?.origin ?? '',
  );
  const { origin } = baseUrl;
  const owner = await budgetOwner(settings, origin, auth);
  const { fleetLimiter } = await import('./fleet.ts');
  const limiter = (await fleetLimiter(system, store))(() => Promise.resolve(owner));
  const api = await openClient(parts, shared, () => Promise.resolve(limiter));
  return {
    profile: settings.profile.value,
    origin,
    owner,
    rejectionOwner: owner,
    who,
    api,
    groupOf: (method, path) => limiter.groupOf(method, path),
    prepay: (group, taken) => limiter.prepay(group, taken),
    async reaches(timeoutMilliseconds) {
      try {
        const limits = { timeoutMilliseconds, signal: system.signal };
        const reply = await askVersions(await shared.network(), baseUrl, limits);
        await reply.discard();
        return true;
      } catch {
        return false;
      }
    },
  };
}
