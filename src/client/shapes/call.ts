import type { CallLeg, CallLogRecord, CallParty, CallRecording, Recording } from '../../contract/call-log.ts';
import type { RingOut } from '../../contract/ringout.ts';
import {
  digits,
  flag,
  key,
  list,
  number,
  object,
  optional,
  record,
  text,
  time,
  type Member,
  type Members,
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

/** A call log record, or an active call. */
export const callShape = record<CallLogRecord>(
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

/** A recording of a call. */
export const recordingShape = record<Recording>(
  { id: key, uri: text, contentUri: text, contentType: text, duration: number },
  ['id'],
);

/** A call status; a missing one is `Unknown`, as in later versions of the interface. */
const status: Member<string> = { read: text.read, empty: () => 'Unknown' };

/** A RingOut call: its id and its status prove that it was placed. */
export const ringOutShape = record<RingOut>(
  {
    id: { read: (value) => (typeof value === 'number' ? digits.read(value) : key.read(value)) },
    uri: text,
    status: object<RingOut['status']>({
      callStatus: status,
      callerStatus: status,
      calleeStatus: status,
    }),
  },
  ['id', 'status'],
);
