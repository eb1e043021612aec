import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareKept } from '../world/sql.ts';

export interface PresenceRow {
  readonly extensionId: number;
  readonly userStatus: string;
  readonly dndStatus: string;
  readonly message: string | null;
  readonly allowSeeMyPresence: number;
  readonly ringOnMonitoredCall: number;
  readonly pickUpCallsOnHold: number;
  readonly telephonyStatus: string;
  readonly meetingStatus: string;
  /** Counts the changes; goes out with each event. */
  readonly sequence: number;
}

/** The presence of every user. */
export class PresenceStore {
  readonly #read;
  readonly #write;

  constructor(db: Database) {
    this.#read = prepareKept<PresenceRow>(db, 'presence', 'SELECT * FROM presence WHERE extensionId = ?');
    this.#write = prepare(db, 'INSERT OR REPLACE INTO presence VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  }

  /** Every extension that is a user has one; the values of an untouched one are the service's defaults. */
  of(extensionId: number): PresenceRow {
    return this.#read(extensionId) ?? initial(extensionId);
  }

  save(row: PresenceRow): void {
    this.#write.run(
      row.extensionId,
      row.userStatus,
      row.dndStatus,
      row.message,
      row.allowSeeMyPresence,
      row.ringOnMonitoredCall,
      row.pickUpCallsOnHold,
      row.telephonyStatus,
      row.meetingStatus,
      row.sequence,
    );
  }
}

function initial(extensionId: number): PresenceRow {
  return {
    extensionId,
    userStatus: 'Available',
    dndStatus: 'TakeAllCalls',
    message: null,
    allowSeeMyPresence: 1,
    ringOnMonitoredCall: 0,
    pickUpCallsOnHold: 0,
    telephonyStatus: 'NoCall',
    meetingStatus: 'Disconnected',
    sequence: 0,
  };
}
