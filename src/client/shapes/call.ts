import type {
  CallLeg,
  CallLogRecord,
  CallLogSyncReply,
  CallParty,
  CallRecording,
  Recording,
} from '../../contract/call-log.ts';
import type { RingOut } from '../../contract/ringout.ts';
import { isJsonObject } from '../../platform/json.ts';
import {
  digits,
  flag,
  key,
  list,
  listOf,
  number,
  object,
  optional,
  orUnknown,
  record,
  text,
  time,
  word,
  type Members,
  type ReplyShape,
} from './shape.ts';

const party = optional(
  object<CallParty>({
    phoneNumber: text,
    extensionNumber: text,
    extensionId: text,
    name: text,
    location: text,
  }),
);

const recording = object<CallRecording>({ id: key, uri: text, type: text, contentUri: text });

const common = {
  startTime: time,
  duration: number,
  type: text,
  direction: text,
  action: text,
  result: text,
  reason: text,
  reasonDescription: text,
  to: party,
  from: party,
  extension: optional(object<NonNullable<CallLogRecord['extension']>>({ uri: text, id: digits })),
  recording: optional(recording),
  message: optional(object<NonNullable<CallLogRecord['message']>>({ id: key, type: text, uri: text })),
} satisfies Partial<Members<CallLogRecord>>;

const leg = object<CallLeg>({ ...common, transport: text, legType: text, master: flag });

const callRecordShape = record<CallLogRecord>(
  {
    ...common,
    uri: text,
    id: key,
    sessionId: text,
    telephonySessionId: text,
    transport: text,
    lastModifiedTime: time,
    deleted: flag,
    legs: optional(list(leg)),
  },
  ['id'],
);

/** A call log record, or an active call. */
export const callShape: ReplyShape = {
  ...callRecordShape,
  correct: (value) => {
    callRecordShape.correct(value);
    if (!isJsonObject(value)) return;
    for (const part of [value, ...(Array.isArray(value['legs']) ? value['legs'] : [])])
      if (isJsonObject(part)) addDuration(part);
  },
};

/** Adds the duration in seconds if the service sent only milliseconds (CALL-9). */
function addDuration(part: Record<string, unknown>): void {
  const milliseconds = number.read(part['durationMs']);
  if (milliseconds !== undefined) part['duration'] ??= Math.floor(milliseconds / 1000);
}

/** The part of a sync of the call log that lets the next sync continue. */
const syncInfoShape = record<CallLogSyncReply['syncInfo']>(
  { syncType: text, syncToken: word, syncTime: time },
  ['syncToken'],
);
const syncedCalls = listOf(callShape);
/** A sync of the call log. */
export const callSyncShape: ReplyShape = {
  problem: (value) => syncedCalls.problem(value) ?? syncInfoShape.problem(infoOf(value)),
  correct: (value) => {
    syncedCalls.correct(value);
    syncInfoShape.correct(infoOf(value));
  },
};

function infoOf(value: unknown): unknown {
  return isJsonObject(value) ? value['syncInfo'] : undefined;
}

export const recordingShape = record<Recording>(
  { id: key, uri: text, contentUri: text, contentType: text, duration: number },
  ['id'],
);

/** A RingOut call. Its ID and its status prove that the service placed the call. */
export const ringOutShape = record<RingOut>(
  {
    id: { read: (value) => (typeof value === 'number' ? digits.read(value) : key.read(value)) },
    uri: text,
    status: object<RingOut['status']>({
      callStatus: orUnknown,
      callerStatus: orUnknown,
      calleeStatus: orUnknown,
    }),
  },
  ['id', 'status'],
);
