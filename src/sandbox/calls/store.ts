import type { CallStatus, LegStatus } from '../../contract/enums.ts';
import type { Database } from '../../platform/sqlite.ts';
import type { PhoneBehaviour } from './magic-numbers.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

/** One call: a session with two legs. A queue call has one more leg for every agent whose phone rang. */
export interface CallRow {
  /** Also the ID of the RingOut call and, as text, the sessionId. */
  readonly id: number;
  readonly accountId: number;
  readonly kind: 'ringout' | 'inbound' | 'outbound';
  /** The extension that placed the call. */
  readonly ownerId: number | null;
  /** The queue that was called. */
  readonly queueId: number | null;
  readonly callStatus: CallStatus;
  /** The reason why the call ended, if the legs do not show it. */
  readonly ending: 'hangUp' | 'cancelled' | 'voicemail' | null;
  readonly playPrompt: number;
  readonly telephonySessionId: string;
  readonly startedAt: number;
  readonly connectedAt: number | null;
  readonly endedAt: number | null;
  /** Time until the callee hangs up, unless the call ends earlier. */
  readonly talkMilliseconds: number;
}
/** One leg of a call. Position 0 is the caller. */
export interface LegRow {
  readonly callId: number;
  readonly position: number;
  /** The extension that owns the phone; null for a phone outside the account. */
  readonly extensionId: number | null;
  readonly phoneNumber: string | null;
  readonly name: string | null;
  readonly status: LegStatus;
  readonly plan: PhoneBehaviour;
  /** The time at which the phone started to ring; null before that. */
  readonly startedAt: number | null;
  readonly answeredAt: number | null;
  readonly endedAt: number | null;
  /** Whether its owner put the connected call on hold or parked it; null while the call is active. */
  readonly held: 'OnHold' | 'ParkedCall' | null;
  /** The forwarding number at which the call was answered; null for the extension's own phone. */
  readonly forwardedTo: string | null;
  /** The number of the caller that the called person sees; null for `phoneNumber`. */
  readonly callerId: string | null;
}

const callColumns = [
  'id',
  'accountId',
  'kind',
  'ownerId',
  'queueId',
  'callStatus',
  'ending',
  'playPrompt',
  'telephonySessionId',
  'startedAt',
  'connectedAt',
  'endedAt',
  'talkMilliseconds',
] as const;

const legColumns = [
  'callId',
  'position',
  'extensionId',
  'phoneNumber',
  'name',
  'status',
  'plan',
  'startedAt',
  'answeredAt',
  'endedAt',
  'held',
  'forwardedTo',
  'callerId',
] as const;

/** The calls and their legs. */
export class CallStore {
  readonly #byId;
  readonly #save;
  readonly #legs;
  readonly #saveLeg;
  readonly #live;
  readonly #byNumber;
  readonly #ofExtension;
  readonly #recent;

  constructor(db: Database) {
    this.#byId = prepare<CallRow>(db, 'SELECT * FROM call WHERE id = :id');
    this.#save = prepareInsert<CallRow>(db, 'call', callColumns, 'REPLACE');
    this.#legs = prepare<LegRow>(db, 'SELECT * FROM callLeg WHERE callId = :callId ORDER BY position');
    this.#saveLeg = prepareInsert<LegRow>(db, 'callLeg', legColumns, 'REPLACE');
    const live = 'startedAt IS NOT NULL AND endedAt IS NULL';
    this.#live = prepare<LegRow>(
      db,
      `SELECT * FROM callLeg WHERE extensionId = :extensionId AND ${live} ORDER BY callId DESC`,
    );
    this.#byNumber = prepare<LegRow>(
      db,
      `SELECT * FROM callLeg WHERE phoneNumber = :phoneNumber AND ${live} ORDER BY callId DESC`,
    );
    this.#ofExtension = prepare<LegRow>(
      db,
      'SELECT * FROM callLeg WHERE extensionId = :extensionId AND callId = :callId ORDER BY position',
    );
    this.#recent = prepare<CallRow>(
      db,
      `SELECT * FROM call WHERE accountId = :accountId AND connectedAt IS NOT NULL AND (endedAt IS NULL OR endedAt > :endedAt)
       ORDER BY startedAt DESC, id DESC`,
    );
  }

  byId(id: number): CallRow | undefined {
    return this.#byId.get({ id });
  }

  save(row: CallRow): void {
    this.#save.run(row);
  }

  /** Returns the legs of a call, ordered by position. */
  legs(callId: number): readonly LegRow[] {
    return this.#legs.all({ callId });
  }

  saveLeg(row: LegRow): void {
    this.#saveLeg.run(row);
  }

  /** Ringing and connected legs of an extension, latest call first. */
  live(extensionId: number): readonly LegRow[] {
    return this.#live.all({ extensionId });
  }

  /** Ringing and connected legs of a phone number, latest call first. */
  liveByNumber(phoneNumber: string): readonly LegRow[] {
    return this.#byNumber.all({ phoneNumber });
  }

  /** Returns the legs of one extension in one call. */
  legsOf(extensionId: number, callId: number): readonly LegRow[] {
    return this.#ofExtension.all({ extensionId, callId });
  }

  /** Connected calls and calls that ended after this time, latest first. */
  connected(accountId: number, endedAfter: number): readonly CallRow[] {
    return this.#recent.all({ accountId, endedAt: endedAfter });
  }
}
