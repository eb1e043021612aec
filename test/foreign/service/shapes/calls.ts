import { address, flag, id, integer, list, moment, record, text, words } from '../shape.ts';

const side = record({
  phoneNumber: text,
  extensionNumber: text,
  extensionId: id,
  name: text,
  location: text,
  device: record({ id, uri: address }),
});

const recording = record({
  id,
  uri: address,
  type: words('Automatic', 'OnDemand'),
  contentUri: address,
});

const common = {
  startTime: moment,
  duration: integer,
  durationMs: integer,
  type: words('Voice', 'Fax'),
  direction: words('Inbound', 'Outbound'),
  action: words('Phone Call', 'VoIP Call', 'RingOut Web', 'FindMe', 'Transfer', 'Incoming Fax'),
  result: words('Accepted', 'Call connected', 'Missed', 'Voicemail', 'Busy', 'No Answer', 'Hang Up'),
  reason: words('Accepted', 'Connected', 'No Answer', 'Line Busy'),
  reasonDescription: text,
  to: side,
  from: side,
  extension: record({ id, uri: address }),
  recording,
  message: record({ id, type: text, uri: address }),
  billing: record({ costIncluded: integer, costPurchased: integer }),
  transport: words('PSTN', 'VoIP'),
  internalType: words('Local', 'LongDistance', 'International', 'Sip'),
  delegate: record({ id, name: text }),
};

/** Call record, also of an active call. */
export const callRecord = record(
  {
    ...common,
    uri: address,
    id,
    sessionId: text,
    telephonySessionId: text,
    partyId: text,
    lastModifiedTime: moment,
    deleted: flag,
    shortRecording: flag,
    legs: list(record({ ...common, legType: words('Accept', 'FindMe', 'PstnToSip'), master: flag })),
  },
  'id',
);

/** What a sync of the call log says: its token lets the next one continue. */
export const callSyncInfo = record(
  { syncType: words('FSync', 'ISync'), syncToken: text, syncTime: moment },
  'syncToken',
);

/** A recording: it is downloaded from `contentUri`. */
export const recordingInfo = record(
  { id, uri: address, contentUri: address, contentType: words('audio/mpeg', 'audio/wav'), duration: integer },
  'id',
);

const leg = words(
  'Invalid',
  'Success',
  'InProgress',
  'Busy',
  'NoAnswer',
  'Rejected',
  'GenericError',
  'Finished',
  'InternationalDisabled',
  'NoSessionFound',
);

/** RingOut call: `id` and `status` prove that the phones ring. */
export const ringOut = record(
  {
    id,
    uri: address,
    status: record({
      callStatus: words('InProgress', 'Success', 'CannotReach', 'NoAnsweringMachine'),
      callerStatus: leg,
      calleeStatus: leg,
    }),
  },
  'id',
  'status',
);
