import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isRejectedWith } from '../../errors/service.ts';
import { confirmedChange } from '../../runtime/confirmed-change.ts';
import { shownValue } from '../../platform/shown-value.ts';
import { isInEffect, sameFields } from './run.ts';

/**
 * Changes a presence and verifies the change by reading it back.
 * @throws {CommandError} `not_in_effect` or `outcome_unknown`; see `confirmedChange`.
 */
export async function updateConfirmed(
  api: Pick<Client, 'presence'>,
  extensionId: Id,
  update: PresenceUpdate,
  signal: AbortSignal,
): Promise<Presence> {
  let reply: Presence | undefined;
  return confirmedChange({
    change: async () => {
      reply = await api.presence.update(extensionId, update, { signal });
    },
    read: () =>
      api.presence.get(extensionId, {}, { signal }).catch((error: unknown) => {
        // Without permission to read, the reply to the change is used instead.
        if (reply && isRejectedWith(error, 403)) return reply;
        throw error;
      }),
    isMade: (found) => isInEffect(found, update),
    differences: (found) => differences(found, update),
    hint: nextStep`to show the presence: ${ucctl`presence show ${extensionId}`}`,
  });
}

/** Returns differences such as `dndStatus is TakeAllCalls instead of DoNotAcceptAnyCalls`. */
function differences(found: Presence, update: PresenceUpdate): readonly string[] {
  const now: Readonly<Record<string, unknown>> = { ...sameFields(found, update) };
  return Object.entries(update)
    .filter(([name, value]) => now[name] !== value)
    .map(([name, value]) => `${name} is ${shownValue(now[name])} instead of ${shownValue(value)}`);
}
