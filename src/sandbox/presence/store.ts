import type { Database } from '../../platform/sqlite.ts';
import { prepareInsert, prepareCached } from '../world/sql.ts';

export interface PresenceRow {
  readonly extensionId: number;
  readonly userStatus: string;
  readonly dndStatus: string;
  /** Only dialect `current` shows this value (PRESENCE-21). */
  readonly callerIdVisibility: string;
  readonly message: string | null;
  readonly allowSeeMyPresence: number;
  readonly ringOnMonitoredCall: number;
  readonly pickUpCallsOnHold: number;
  readonly telephonyStatus: string;
  readonly meetingStatus: string;
  /** Only the unified presence shows this value and the next one (PRESENCE-24). */
  readonly chatVisibility: string;
  readonly chatAvailability: string;
  /** Number of changes so far. Each event contains this number. */
  readonly sequence: number;
}

/** The presence of every user. */
export class PresenceStore {
  readonly #read;
  readonly #write;

  constructor(db: Database) {
    this.#read = prepareCached<PresenceRow>(
      db,
      'presence',
      'SELECT * FROM presence WHERE extensionId = :extensionId',
    );
    this.#write = prepareInsert<PresenceRow>(
      db,
      'presence',
      [
        'extensionId',
        'userStatus',
        'dndStatus',
        'callerIdVisibility',
        'message',
        'allowSeeMyPresence',
        'ringOnMonitoredCall',
        'pickUpCallsOnHold',
        'telephonyStatus',
        'meetingStatus',
        'chatVisibility',
        'chatAvailability',
        'sequence',
      ],
      'REPLACE',
    );
  }

  /** Returns the presence of a user, or the defaults of the service if the presence was never changed. */
  of(extensionId: number): PresenceRow {
    return this.#read(extensionId) ?? initial(extensionId);
  }

  save(row: PresenceRow): void {
    this.#write.run(row);
  }
}

function initial(extensionId: number): PresenceRow {
  return {
    extensionId,
    userStatus: 'Available',
    dndStatus: 'TakeAllCalls',
    callerIdVisibility: 'All',
    message: null,
    allowSeeMyPresence: 1,
    ringOnMonitoredCall: 0,
    pickUpCallsOnHold: 0,
    telephonyStatus: 'NoCall',
    meetingStatus: 'Disconnected',
    chatVisibility: 'Visible',
    chatAvailability: 'Available',
    sequence: 0,
  };
}
