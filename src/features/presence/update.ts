import { presenceMessageCharacters } from '../../contract/limits.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
import { countUtf16Units } from '../../platform/utf16.ts';
import { withQueueCalls } from './queue-calls.ts';

/** Requested values of a presence; the effect of `queueCalls` depends on the present dndStatus (CLIENT-17). */
export interface PresenceWish {
  readonly fields: PresenceUpdate;
  readonly queueCalls?: 'on' | 'off' | undefined;
}

/** Only the fields that were given. */
export function givenFields(fields: PresenceUpdate): PresenceUpdate {
  const { userStatus, dndStatus, message, allowSeeMyPresence, ringOnMonitoredCall, pickUpCallsOnHold } =
    fields;
  return {
    ...(userStatus !== undefined && { userStatus }),
    ...(dndStatus !== undefined && { dndStatus }),
    ...(message !== undefined && { message }),
    ...(allowSeeMyPresence !== undefined && { allowSeeMyPresence }),
    ...(ringOnMonitoredCall !== undefined && { ringOnMonitoredCall }),
    ...(pickUpCallsOnHold !== undefined && { pickUpCallsOnHold }),
  };
}

/** What is wrong with a wish, in words; undefined when nothing is. */
export function wishProblem({ fields, queueCalls }: PresenceWish): string | undefined {
  if (queueCalls !== undefined && fields.dndStatus !== undefined) {
    return '--queue-calls and --dnd-status both set which calls are taken: give one of them';
  }
  const length = countUtf16Units(fields.message ?? '');
  return length > presenceMessageCharacters
    ? `the message has ${length} characters; at most ${presenceMessageCharacters} are allowed`
    : undefined;
}

/**
 * What has to be sent so that the wish is true; an empty update when it is so already.
 * @throws {RangeError} with a sentence, when queue calls cannot be switched in this state.
 */
export function updateFor(present: Presence, { fields, queueCalls }: PresenceWish): PresenceUpdate {
  const wanted = queueCalls === undefined ? fields : { ...fields, dndStatus: switched(present, queueCalls) };
  const differing = Object.entries(wanted).filter(
    // An empty message is left out of a presence.
    ([key, value]) => ((present as Readonly<Record<string, unknown>>)[key] ?? '') !== value,
  );
  return Object.fromEntries(differing);
}

function switched(present: Presence, queueCalls: 'on' | 'off'): NonNullable<PresenceUpdate['dndStatus']> {
  const wanted = withQueueCalls(present.dndStatus, queueCalls);
  if (wanted) return wanted;
  throw new RangeError(
    present.dndStatus === undefined
      ? 'this extension takes no calls of queues: it has no dndStatus'
      : `--queue-calls cannot change the state ${present.dndStatus}`,
  );
}
