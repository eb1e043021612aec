import type { Presence } from '../../contract/presence.ts';
import { ApiError } from '../../errors/service.ts';
import { boardStates, type BlindReason, type BoardRow, type BoardState } from './board.rows.ts';

/** Someone on the board. */
export interface BoardPerson {
  readonly id: string;
  readonly extensionNumber: string | undefined;
  readonly name: string;
}

/** What a failed reading says about a person. */
export function reasonOf(error: unknown): BlindReason {
  if (!(error instanceof ApiError)) return 'no answer';
  if (error.status === 403) return 'not shown to you';
  return error.status < 500 ? 'refused' : 'no answer';
}

type BoardField = (typeof boardFields)[number];
const boardFields = [
  'presenceStatus',
  'telephonyStatus',
  'userStatus',
  'dndStatus',
  'meetingStatus',
  'message',
] as const;

/** The fields of a presence, from a reply or from an event. One that is there and undefined is known to be empty. */
export type PresenceFields = { readonly [K in BoardField]?: Presence[K] | undefined };

/** A call goes before everything; then what keeps calls away; then what the person says. */
export function stateOf(fields: PresenceFields): BoardState {
  const { telephonyStatus, dndStatus, presenceStatus } = fields;
  if (presenceStatus === undefined && telephonyStatus === undefined) return 'unknown';
  if (telephonyStatus === 'Ringing') return 'ringing';
  if (telephonyStatus !== undefined && telephonyStatus !== 'NoCall') return 'on a call';
  if (presenceStatus === 'Offline') return 'offline';
  if (takesQueueCalls(dndStatus) === false) return 'not taking queue calls';
  return presenceStatus === 'Available' ? 'available' : 'busy';
}

function takesQueueCalls(dndStatus: string | undefined): boolean | undefined {
  if (dndStatus === undefined) return undefined;
  return dndStatus === 'TakeAllCalls' || dndStatus === 'TakeDepartmentCallsOnly';
}

/** The rows of a board and what changes in them. */
export class Board {
  readonly #rows = new Map<string, BoardRow>();

  /** Sets who is on the board. Answers those who are new. */
  setPeople(people: readonly BoardPerson[], now: number): readonly BoardPerson[] {
    const ids = new Set(people.map(({ id }) => id));
    for (const id of this.#rows.keys()) if (!ids.has(id)) this.#rows.delete(id);
    const fresh = people.filter(({ id }) => !this.#rows.has(id));
    for (const { id, name, extensionNumber } of fresh) {
      this.#rows.set(id, {
        extensionId: id,
        extensionNumber,
        name,
        state: 'unknown',
        reason: 'not read yet',
        takesQueueCalls: undefined,
        since: new Date(now).toISOString(),
      });
    }
    return fresh;
  }

  /** Takes in what is known of a person. Answers the row when something is different, undefined for news that are none. */
  update(id: string, news: PresenceFields, now: number): BoardRow | undefined {
    const old = this.#rows.get(id);
    if (!old) return undefined;
    const fields = pick(news);
    const merged = { ...old, ...fields };
    const state = stateOf(merged);
    const reason = state === 'unknown' ? ('has no presence' as const) : undefined;
    const changed =
      reason !== old.reason ||
      Object.entries(fields).some(
        ([key, value]) => (old as unknown as Readonly<Record<string, unknown>>)[key] !== value,
      );
    if (!changed) return undefined;
    const row: BoardRow = {
      ...merged,
      state,
      reason,
      takesQueueCalls: takesQueueCalls(merged.dndStatus),
      since: state === old.state ? old.since : new Date(now).toISOString(),
    };
    this.#rows.set(id, row);
    return row;
  }

  /** Notes that a person cannot be read now; what was known stays. Answers the row when that is new. */
  blind(id: string, reason: BlindReason): BoardRow | undefined {
    const old = this.#rows.get(id);
    if (!old || old.reason === reason) return undefined;
    const row = { ...old, reason };
    this.#rows.set(id, row);
    return row;
  }

  /** By state, then by number: who rings stands first. */
  rows(): readonly BoardRow[] {
    const rank = (row: BoardRow): number => boardStates.indexOf(row.state);
    return [...this.#rows.values()].toSorted(
      (a, b) => rank(a) - rank(b) || compareNumbers(a.extensionNumber ?? '', b.extensionNumber ?? ''),
    );
  }

  /** `2 available, 1 on a call`, in the order of the board. */
  summary(): string {
    const counts = boardStates.map((state) => ({
      state,
      count: this.rows().filter((row) => row.state === state).length,
    }));
    return counts
      .filter(({ count }) => count > 0)
      .map(({ state, count }) => `${count} ${state}`)
      .join(', ');
  }
}

function pick(news: PresenceFields): PresenceFields {
  return Object.fromEntries(
    boardFields.flatMap((key) => (Object.hasOwn(news, key) ? [[key, news[key]]] : [])),
  );
}

function compareNumbers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
