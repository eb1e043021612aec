import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert, QueryCache, Conditions, type RowWindow } from '../world/sql.ts';

/** One record of the call log, from the point of view of one extension. Parties and legs are JSON. */
export interface CallRecordRow {
  readonly id: number;
  readonly accountId: number;
  readonly extensionId: number;
  /** Shared by all records of one call. */
  readonly sessionId: string;
  readonly telephonySessionId: string;
  readonly startTime: number;
  /** The duration of the call in seconds. */
  readonly duration: number;
  readonly type: string;
  readonly direction: string;
  readonly action: string;
  readonly result: string;
  readonly transport: string;
  readonly sender: string;
  readonly recipient: string;
  readonly fromNumber: string | null;
  readonly toNumber: string | null;
  readonly fromExtension: string | null;
  readonly toExtension: string | null;
  readonly legs: string;
  readonly recordingId: number | null;
  readonly messageId: number | null;
  readonly messageType: string | null;
  readonly lastModifiedTime: number;
  readonly deleted: number;
}
export interface RecordingRow {
  readonly id: number;
  readonly accountId: number;
  readonly sessionId: string;
  readonly type: string;
  /** The duration of the recording in seconds. */
  readonly duration: number;
  readonly startTime: number;
}

/** Filters of the call log. Times are in milliseconds; both ends of the range are included. */
export interface CallConditions {
  readonly accountId: number;
  /** The extension whose calls are listed; undefined for the whole account. */
  readonly extensionId?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only records that were written or changed at this time or later. */
  readonly modifiedFrom?: number | undefined;
  readonly results?: readonly string[] | undefined;
  readonly phoneNumber?: string | undefined;
  readonly extensionNumber?: string | undefined;
  readonly direction?: readonly string[] | undefined;
  readonly type?: readonly string[] | undefined;
  readonly transport?: readonly string[] | undefined;
  readonly sessionId?: string | undefined;
  readonly telephonySessionId?: string | undefined;
  /** True selects only calls with a recording. */
  readonly recorded?: boolean | undefined;
  readonly recordingType?: string | undefined;
  /** Recordings made before this time are no longer retained. */
  readonly recordedAfter: number;
  /** Categories of metadata. No call in the sandbox has metadata, so no call matches a category. */
  readonly metadataCategory?: readonly string[] | undefined;
  readonly blocked: boolean;
  readonly deleted: boolean;
}

/** The call log, and its recordings. */
export class CallRecordStore {
  readonly #byId;
  readonly #add;
  readonly #recording;
  readonly #addRecording;
  readonly #participant;
  readonly #lists;

  constructor(db: Database) {
    this.#byId = prepare<CallRecordRow>(db, 'SELECT * FROM callRecord WHERE id = :id');
    this.#add = prepareInsert<CallRecordRow>(db, 'callRecord', [
      'id',
      'accountId',
      'extensionId',
      'sessionId',
      'telephonySessionId',
      'startTime',
      'duration',
      'type',
      'direction',
      'action',
      'result',
      'transport',
      'sender',
      'recipient',
      'fromNumber',
      'toNumber',
      'fromExtension',
      'toExtension',
      'legs',
      'recordingId',
      'messageId',
      'messageType',
      'lastModifiedTime',
      'deleted',
    ]);
    this.#recording = prepare<RecordingRow>(db, 'SELECT * FROM recording WHERE id = :id');
    this.#addRecording = prepareInsert<RecordingRow>(db, 'recording', [
      'id',
      'accountId',
      'sessionId',
      'type',
      'duration',
      'startTime',
    ]);
    this.#participant = prepare<{ n: number }>(
      db,
      'SELECT 1 AS n FROM callRecord WHERE sessionId = :sessionId AND extensionId = :extensionId AND recordingId = :recordingId LIMIT 1',
    );
    this.#lists = new QueryCache(db);
  }

  byId(id: number): CallRecordRow | undefined {
    return this.#byId.get({ id });
  }

  /** Returns the latest records first, with one extra row if more rows follow. */
  list(conditions: CallConditions, window: RowWindow): readonly CallRecordRow[] {
    const where = conditionsOf(conditions);
    return this.#lists
      .query<CallRecordRow>(
        `SELECT * FROM callRecord ${where.text} ORDER BY startTime DESC, id DESC LIMIT :limit OFFSET :offset`,
      )
      .all({ ...where.values, limit: window.limit + 1, offset: window.offset });
  }

  add(row: CallRecordRow): void {
    this.#add.run(row);
  }

  recording(id: number): RecordingRow | undefined {
    return this.#recording.get({ id });
  }

  addRecording(row: RecordingRow): void {
    this.#addRecording.run(row);
  }

  /** Whether the recording belongs to a call of this extension. */
  isOwnRecording(recording: RecordingRow, extensionId: number): boolean {
    return (
      this.#participant.get({ sessionId: recording.sessionId, extensionId, recordingId: recording.id }) !==
      undefined
    );
  }
}

function conditionsOf(conditions: CallConditions): Conditions {
  const { accountId, extensionId, from, to, phoneNumber, extensionNumber, sessionId, telephonySessionId } =
    conditions;
  const where = new Conditions().add('accountId = :accountId', { accountId });
  if (extensionId !== undefined) where.add('extensionId = :extensionId', { extensionId });
  if (from !== undefined) where.add('startTime >= :from', { from });
  if (to !== undefined) where.add('startTime <= :to', { to });
  if (conditions.modifiedFrom !== undefined)
    where.add('lastModifiedTime >= :modifiedFrom', { modifiedFrom: conditions.modifiedFrom });
  if (phoneNumber !== undefined)
    where.add('(fromNumber = :phoneNumber OR toNumber = :phoneNumber)', { phoneNumber });
  if (extensionNumber !== undefined) {
    where.add('(fromExtension = :extensionNumber OR toExtension = :extensionNumber)', { extensionNumber });
  }
  where
    .in('direction', conditions.direction)
    .in('type', conditions.type)
    .in('transport', conditions.transport)
    .in('result', conditions.results);
  if (sessionId !== undefined) where.add('sessionId = :sessionId', { sessionId });
  if (telephonySessionId !== undefined)
    where.add('telephonySessionId = :telephonySessionId', { telephonySessionId });
  addRecordingTerms(where, conditions);
  if (conditions.metadataCategory !== undefined) where.add('FALSE');
  if (!conditions.blocked) where.add("result <> 'Blocked'");
  if (!conditions.deleted) where.add('deleted = 0');
  return where;
}

function addRecordingTerms(
  where: Conditions,
  { recorded, recordingType, recordedAfter }: CallConditions,
): void {
  const stored = '(recordingId IS NOT NULL AND startTime > :recordedAfter)';
  if (recorded) where.add(stored, { recordedAfter });
  if (recordingType === undefined) return;
  where.add(
    `${stored} AND EXISTS (SELECT 1 FROM recording WHERE recording.id = recordingId AND recording.type = :recordingType)`,
    { recordedAfter, recordingType },
  );
}
