import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
import { CommandError, Exit, messageOf } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isRefusedWith, ReplyError } from '../../errors/service.ts';
import { holds, sameFields } from './run.ts';

/**
 * Changes a presence and reads it back: a reply is not believed alone, whatever it says.
 * @throws {CommandError} `not_in_effect` when the presence is not as requested; `outcome_unknown` when it could not be read back.
 */
export async function updateConfirmed(
  api: Pick<Client, 'presence'>,
  extensionId: Id,
  update: PresenceUpdate,
  signal: AbortSignal,
): Promise<Presence> {
  const answer = await replyOrDoubt(api, extensionId, update, signal);
  const found = await api.presence.get(extensionId, {}, { signal }).catch((error: unknown) => {
    // Who may not read has only the reply to the change.
    if ('presence' in answer && isRefusedWith(error, 403)) return answer.presence;
    if (signal.aborted) throw error;
    throw 'doubt' in answer ? answer.doubt : notReadBack(extensionId, error);
  });
  if (holds(found, update)) return found;
  throw new CommandError(
    'not_in_effect',
    Exit.failed,
    'The service accepted the change, but it did not take effect.',
    {
      details: differences(found, update),
      hint: nextStep`look at it: ${ucctl(`presence get ${extensionId}`)}`,
      cause: 'doubt' in answer ? answer.doubt : undefined,
    },
  );
}

function notReadBack(extensionId: Id, cause: unknown): CommandError {
  return new CommandError(
    'outcome_unknown',
    Exit.outcomeUnknown,
    `The service accepted the change, but the presence could not be read back: ${messageOf(cause)}`,
    { hint: nextStep`look at it: ${ucctl(`presence get ${extensionId}`)}`, cause },
  );
}

type Answer = { readonly presence: Presence } | { readonly doubt: Error };

async function replyOrDoubt(
  api: Pick<Client, 'presence'>,
  extensionId: Id,
  update: PresenceUpdate,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    return { presence: await api.presence.update(extensionId, update, { signal }) };
  } catch (error) {
    if (!(error instanceof ReplyError && error.mayBeDone)) throw error;
    return { doubt: error };
  }
}

/** `dndStatus is TakeAllCalls instead of DoNotAcceptAnyCalls` */
function differences(found: Presence, update: PresenceUpdate): readonly string[] {
  const now: Readonly<Record<string, unknown>> = { ...sameFields(found, update) };
  return Object.entries(update)
    .filter(([name, value]) => now[name] !== value)
    .map(([name, value]) => `${name} is ${shown(now[name])} instead of ${shown(value)}`);
}

function shown(value: unknown): string {
  return value === '' ? '(none)' : String(value);
}
