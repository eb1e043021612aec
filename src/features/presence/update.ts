import { presenceMessageCharacters } from '../../contract/limits.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
import { countUtf16Units } from '../../platform/utf16.ts';
import { withQueueCalls } from '../../runtime/queue-calls.ts';

/**
 * Requested values of a presence. `queueCalls` changes only the part of the current dndStatus that concerns queue calls
 * (CLIENT-17).
 */
export interface PresenceRequest {
  readonly fields: PresenceUpdate;
  readonly queueCalls?: 'on' | 'off' | undefined;
}

/** The values of fields that a reply omits: the published defaults, and no message. */
const omittedValues = {
  message: '',
  allowSeeMyPresence: true,
  ringOnMonitoredCall: false,
  pickUpCallsOnHold: false,
} as const;

/** Returns the values of a presence, including those that the reply omits. A field without a default stays absent. */
export function presentValues(present: Presence): Readonly<Record<string, unknown>> {
  const given = Object.entries(present).filter(([, value]) => value !== undefined && value !== null);
  return { ...omittedValues, ...Object.fromEntries(given) };
}

/** Removes the fields that are undefined. */
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

/** Checks a request. Returns the problem, or undefined for a valid request. */
export function requestProblem({ fields, queueCalls }: PresenceRequest): string | undefined {
  if (queueCalls !== undefined && fields.dndStatus !== undefined) {
    return 'queueCalls and dndStatus cannot be used together; use only one of them';
  }
  const length = countUtf16Units(fields.message ?? '');
  return length > presenceMessageCharacters
    ? `the message has ${length} characters; at most ${presenceMessageCharacters} are allowed`
    : undefined;
}

/**
 * Returns the update that sets the requested values; empty if the presence already has them.
 * @throws {RangeError} with a message for the user, if queue calls cannot be turned on or off in the current state.
 */
export function updateFor(present: Presence, { fields, queueCalls }: PresenceRequest): PresenceUpdate {
  const desired = queueCalls === undefined ? fields : { ...fields, dndStatus: switched(present, queueCalls) };
  const values = presentValues(present);
  const differing = Object.entries(desired).filter(([key, value]) => values[key] !== value);
  return Object.fromEntries(differing);
}

function switched(present: Presence, queueCalls: 'on' | 'off'): NonNullable<PresenceUpdate['dndStatus']> {
  const desired = withQueueCalls(present.dndStatus, queueCalls);
  if (desired) return desired;
  throw new RangeError(
    present.dndStatus === undefined
      ? 'this extension does not take queue calls: it has no dndStatus'
      : `ucctl does not recognize the dndStatus "${present.dndStatus}", so it cannot turn queue calls on or off`,
  );
}
