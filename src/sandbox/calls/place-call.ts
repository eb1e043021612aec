import { callOutcome } from './magic-numbers.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { World } from '../world/world.ts';
import { startCall } from './engine.ts';
import { called, extensionOfNumber, extensionTelephone } from './telephone.ts';

/** A call placed on a phone instead of by a request. Numbers are E.164 or extension numbers of the account. */
interface PlacedCall {
  readonly from: string;
  readonly fromName?: string | undefined;
  readonly to: string;
  /** Overrides the setting `callTalkMilliseconds`. */
  readonly talkMilliseconds?: number | undefined;
}

/**
 * Places a call from outside to an extension or a queue, or from an extension to any number. Returns the sessionId;
 * undefined if neither end belongs to the account. The caller opens the transaction.
 */
export function placeCall(
  world: World,
  { from, fromName, to, talkMilliseconds }: PlacedCall,
): string | undefined {
  const caller = extensionAt(world, from);
  const callee = extensionAt(world, to);
  const account = caller ?? callee;
  if (!account) return undefined;
  const id = startCall(world, {
    accountId: account.accountId,
    kind: caller ? 'outbound' : 'inbound',
    ownerId: caller?.id ?? null,
    caller: caller
      ? { ...extensionTelephone(world, caller, 'direct'), plan: 'answer' }
      : { extensionId: null, phoneNumber: from, name: fromName ?? null, plan: callOutcome(from) },
    ...called(world, callee, to),
    talkMilliseconds,
  });
  return String(id);
}

/** Returns the extension that owns an E.164 or extension number. */
function extensionAt(world: World, number: string): ExtensionRow | undefined {
  return extensionOfNumber(world, number) ?? world.extensions.byNumber(world.accounts.first().id, number);
}
