import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
import { CommandError, Exit, messageOf } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { ApiError, isRejectedWith } from '../../errors/service.ts';
import { mayBeMade } from './may-be-made.ts';
import { isInEffect, sameFields } from './run.ts';

/**
 * Changes a presence and verifies the change by reading it back.
 * @throws {CommandError} `not_in_effect` if the presence is not as requested; `outcome_unknown` if the presence could
 * not be read back.
 */
export async function updateConfirmed(
  api: Pick<Client, 'presence'>,
  extensionId: Id,
  update: PresenceUpdate,
  signal: AbortSignal,
): Promise<Presence> {
  const reply = await updateReply(api, extensionId, update, signal);
  const found = await api.presence.get(extensionId, {}, { signal }).catch((error: unknown) => {
    // Without permission to read, the reply to the change is used instead.
    if ('presence' in reply && isRejectedWith(error, 403)) return reply.presence;
    if (signal.aborted) throw error;
    throw 'error' in reply ? reply.error : notReadBack(extensionId, error);
  });
  if (isInEffect(found, update)) return found;
  if ('error' in reply && reply.error instanceof ApiError) throw reply.error;
  throw new CommandError(
    'not_in_effect',
    Exit.failed,
    'error' in reply
      ? 'The reply does not confirm the change, and the presence is not as requested.'
      : 'The service accepted the change, but it did not take effect.',
    {
      details: differences(found, update),
      hint: nextStep`to show the presence: ${ucctl(`presence get ${extensionId}`)}`,
      cause: 'error' in reply ? reply.error : undefined,
    },
  );
}

function notReadBack(extensionId: Id, cause: unknown): CommandError {
  return new CommandError(
    'outcome_unknown',
    Exit.outcomeUnknown,
    `The service accepted the change, but ucctl could not read the presence back: ${messageOf(cause)}`,
    { hint: nextStep`to show the presence: ${ucctl(`presence get ${extensionId}`)}`, cause },
  );
}

/** Returns the reply to an update, or an error that leaves the outcome of the update unknown. */
type Reply = { readonly presence: Presence } | { readonly error: Error };

async function updateReply(
  api: Pick<Client, 'presence'>,
  extensionId: Id,
  update: PresenceUpdate,
  signal: AbortSignal,
): Promise<Reply> {
  try {
    return { presence: await api.presence.update(extensionId, update, { signal }) };
  } catch (error) {
    if (!mayBeMade(error)) throw error;
    return { error };
  }
}

/** Returns differences such as `dndStatus is TakeAllCalls instead of DoNotAcceptAnyCalls`. */
function differences(found: Presence, update: PresenceUpdate): readonly string[] {
  const now: Readonly<Record<string, unknown>> = { ...sameFields(found, update) };
  return Object.entries(update)
    .filter(([name, value]) => now[name] !== value)
    .map(([name, value]) => `${name} is ${shown(now[name])} instead of ${shown(value)}`);
}

function shown(value: unknown): string {
  return value === '' ? '(none)' : String(value);
}
