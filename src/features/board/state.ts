import type { Presence } from '../../contract/presence.ts';
import { ApiError, SignInRequiredError } from '../../errors/service.ts';
import { hasNoCode } from '../../errors/service-codes.ts';
import { queueOfCall } from '../../runtime/queue-of-call.ts';
import { withNumber } from '../../runtime/with-number.ts';
import {
  boardStates,
  stateLabel,
  type UnreadableReason,
  type BoardCall,
  type BoardRow,
  type BoardState,
} from './board.rows.ts';
import { lookupTable } from '../../platform/lookup-table.ts';
import { compareNumbers } from '../../platform/number-order.ts';

/** A person on the board. */
export interface BoardPerson {
  readonly id: string;
  readonly extensionNumber: string | undefined;
  readonly name: string;
  /** Whether the person is signed out of the queue of the board; undefined if that is unknown. */
  readonly isSignedOut?: boolean | undefined;
}

/** The reason why a presence could not be read. */
export function reasonOf(error: unknown): UnreadableReason {
  if (error instanceof SignInRequiredError) return 'signed out';
  if (!(error instanceof ApiError) || hasNoCode(error)) return 'no response';
  if (error.status === 403) return 'not visible to you';
  return error.status < 500 ? 'rejected' : 'no response';
}

type BoardField = (typeof boardFields)[number];
export const boardFields = [
  'presenceStatus',
  'telephonyStatus',
  'userStatus',
  'dndStatus',
  'meetingStatus',
  'message',
] as const;

/**
 * The fields of a presence, from a reply or an event. The value undefined means that the field is known to be empty.
 */
export type PresenceFields = { readonly [K in BoardField]?: Presence[K] | undefined } & {
  readonly activeCalls?: Presence['activeCalls'] | undefined;
};

/**
 * Returns the state of a person. Calls have priority over settings that block calls, and these settings have priority
 * over the presence status.
 */
export function stateOf(fields: PresenceFields & Pick<BoardPerson, 'isSignedOut'>): BoardState {
  const { telephonyStatus, dndStatus, presenceStatus, isSignedOut } = fields;
  if (presenceStatus === undefined && telephonyStatus === undefined) return 'unknown';
  if (telephonyStatus === 'Ringing') return 'ringing';
  if (telephonyStatus !== undefined && telephonyStatus !== 'NoCall') return 'on a call';
  if (presenceStatus === 'Offline') return 'offline';
  if (acceptsQueueCalls(dndStatus) === false) return 'not taking queue calls';
  if (isSignedOut) return 'signed out of the queue';
  return presenceStatus === 'Available' ? 'available' : 'busy';
}

const queueCalls: Readonly<Record<string, boolean>> = lookupTable({
  TakeAllCalls: true,
  TakeDepartmentCallsOnly: true,
  DoNotAcceptDepartmentCalls: false,
  DoNotAcceptAnyCalls: false,
});

/** Whether a dndStatus accepts calls from queues; undefined for any other status, such as `Unknown`. */
function acceptsQueueCalls(dndStatus = ''): boolean | undefined {
  return queueCalls[dndStatus];
}

/** Whether a person accepts calls from the queues of the board; undefined while the presence is unknown. */
function acceptsOf({
  dndStatus,
  isSignedOut,
}: PresenceFields & Pick<BoardPerson, 'isSignedOut'>): boolean | undefined {
  const accepts = acceptsQueueCalls(dndStatus);
  return accepts === true && isSignedOut ? false : accepts;
}

/** Returns the call that the state describes, or `known` if the fields do not contain calls. */
function callOf(
  { activeCalls }: PresenceFields,
  state: BoardState,
  known: BoardCall | undefined,
): BoardCall | undefined {
  if (state !== 'ringing' && state !== 'on a call') return undefined;
  if (!Array.isArray(activeCalls)) return known;
  const isRinging = state === 'ringing';
  const live = activeCalls.filter(({ telephonyStatus }) => telephonyStatus !== 'NoCall');
  const found = live.find(({ telephonyStatus }) => (telephonyStatus === 'Ringing') === isRinging) ?? live[0];
  if (!found) return undefined;
  const { direction, from, fromName, to, toName, queueCall, startTime } = found;
  const queue = queueOfCall(found);
  return {
    direction,
    from,
    fromName,
    to,
    toName,
    queueCall,
    queue: queue && withNumber(queue.name, queue.extensionNumber),
    startTime,
  };
}

/** Returns the start of the state: the start of the call, or else the change that this board observed. */
function startOf(
  old: BoardRow,
  state: BoardState,
  call: BoardCall | undefined,
  at: number,
): Pick<BoardRow, 'since' | 'isStartKnown'> {
  const started = Date.parse(call?.startTime ?? '');
  if (started <= at) return { since: new Date(started).toISOString(), isStartKnown: true };
  if (state === old.state) return { since: old.since, isStartKnown: old.isStartKnown };
  return { since: new Date(at).toISOString(), isStartKnown: old.state !== 'unknown' };
}

/** The rows of a board. */
export class Board {
  readonly #rows = new Map<string, BoardRow>();

  /** Sets the people of the board, and their names. Returns the rows of removed and renamed people. */
  setPeople(people: readonly BoardPerson[], now: number): readonly BoardRow[] {
    const ids = new Set(people.map(({ id }) => id));
    const since = new Date(now).toISOString();
    const removed = [...this.#rows.values()].filter(({ extensionId }) => !ids.has(extensionId));
    for (const { extensionId } of removed) this.#rows.delete(extensionId);
    const fresh = people.filter(({ id }) => !this.#rows.has(id));
    for (const { id, name, extensionNumber, isSignedOut } of fresh) {
      this.#rows.set(id, {
        extensionId: id,
        extensionNumber,
        name,
        state: 'unknown',
        reason: 'not read yet',
        acceptsQueueCalls: undefined,
        ...(isSignedOut !== undefined && { isSignedOut }),
        isStartKnown: false,
        since,
      });
    }
    const gone = removed.map((row) => removedRow(row, since));
    return [...gone, ...people.flatMap((person) => this.#changePerson(person, now) ?? [])];
  }

  /** Sets what is known about a person besides the presence. Returns the row if it has changed. */
  #changePerson({ id, name, extensionNumber, isSignedOut }: BoardPerson, now: number): BoardRow | undefined {
    const old = this.#rows.get(id);
    const isSame = old?.name === name && old.extensionNumber === extensionNumber;
    if (!old || (isSame && old.isSignedOut === isSignedOut)) return undefined;
    const { isSignedOut: _, ...rest } = old;
    const merged = { ...rest, name, extensionNumber, ...(isSignedOut !== undefined && { isSignedOut }) };
    const state = stateOf(merged);
    const row = {
      ...merged,
      state,
      acceptsQueueCalls: acceptsOf(merged),
      ...startOf(old, state, old.call, now),
    };
    this.#rows.set(id, row);
    return row;
  }

  /**
   * Updates the fields of a person. Returns the row if the row has changed.
   * @param at time of the change in milliseconds since 1970, if an event reported it
   */
  update(id: string, presence: PresenceFields, now: number, at = now): BoardRow | undefined {
    const old = this.#rows.get(id);
    if (!old) return undefined;
    const fields = pick(presence);
    const merged = { ...old, ...fields };
    const state = stateOf(merged);
    const reason = state === 'unknown' ? ('no presence' as const) : undefined;
    const call = callOf(presence, state, state === old.state ? old.call : undefined);
    const changed =
      JSON.stringify(call) !== JSON.stringify(old.call) ||
      reason !== old.reason ||
      boardFields.some((key) => Object.hasOwn(fields, key) && fields[key] !== old[key]);
    if (!changed) return undefined;
    const row: BoardRow = {
      ...merged,
      state,
      reason,
      acceptsQueueCalls: acceptsOf(merged),
      call,
      ...startOf(old, state, call, Math.min(at, now)),
    };
    this.#rows.set(id, row);
    return row;
  }

  /** Marks a person as unreadable and retains the known fields. Returns the row if the row has changed. */
  markUnreadable(id: string, reason: UnreadableReason): BoardRow | undefined {
    const old = this.#rows.get(id);
    if (!old || old.reason === reason) return undefined;
    const row = { ...old, reason };
    this.#rows.set(id, row);
    return row;
  }

  /** Returns the rows sorted by state, ringing first, then by extension number. */
  rows(): readonly BoardRow[] {
    const ranks: readonly BoardState[] = boardStates;
    const rank = (row: BoardRow): number => ranks.indexOf(row.state);
    return [...this.#rows.values()].toSorted(
      (a, b) => rank(a) - rank(b) || compareNumbers(a.extensionNumber ?? '', b.extensionNumber ?? ''),
    );
  }

  /** Returns a summary such as `2 available, 1 on a call`, in the order of the board. */
  summary(): string {
    const counts = new Map<BoardRow['state'], number>();
    for (const { state } of this.#rows.values()) counts.set(state, (counts.get(state) ?? 0) + 1);
    return boardStates
      .filter((state) => counts.has(state))
      .map((state) => `${counts.get(state)} ${stateLabel(state)}`)
      .join(', ');
  }
}

function removedRow({ extensionId, extensionNumber, name }: BoardRow, since: string): BoardRow {
  return {
    extensionId,
    extensionNumber,
    name,
    state: 'removed',
    acceptsQueueCalls: undefined,
    isStartKnown: true,
    since,
  };
}

function pick(presence: PresenceFields): PresenceFields {
  return Object.fromEntries(
    boardFields.flatMap((key) => (Object.hasOwn(presence, key) ? [[key, presence[key]]] : [])),
  );
}
