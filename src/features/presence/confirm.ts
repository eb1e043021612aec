import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
import { CommandError, Exit, messageOf } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isRejectedWith, ReplyError } from '../../errors/service.ts';
import { mayBeMade, unconfirmed } from './may-be-made.ts';
import { isInEffect, sameFields } from './run.ts';

/**
 * Changes a presence and verifies the change by reading it back.
 * @throws {CommandError} `not_in_effect` if the service confirmed the change, but the presence is not as requested;
 * `outcome_unknown` if no reply confirms the change and reading back does not show it.
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
    throw notReadBack(extensionId, reply, error);
  });
  if (isInEffect(found, update)) return found;
  const details = differences(found, update);
  const hint = nextStep`to show the presence: ${ucctl(`presence get ${extensionId}`)}`;
  if ('error' in reply) throw unconfirmed(reply.error, { details, hint });
  throw new CommandError(
    'not_in_effect',
    Exit.failed,
    'The service accepted the change, but it did not take effect.',
    { details, hint },
  );
}

function notReadBack(extensionId: Id, reply: Reply, cause: unknown): Error {
  // This error says that the service may have made the change.
  if ('error' in reply && reply.error instanceof ReplyError) return reply.error;
  const hint = nextStep`to show the presence: ${ucctl(`presence get ${extensionId}`)}`;
  const what =
    'error' in reply
      ? `No reply confirms the change (${messageOf(reply.error)}), and`
      : 'The service accepted the change, but';
  return new CommandError(
    'outcome_unknown',
    Exit.outcomeUnknown,
    `${what} ucctl could not check the new presence: ${messageOf(cause)}`,
    { hint, cause },
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
