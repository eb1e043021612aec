import { address, flag, id, integer, list, moment, record, text, words } from '../shape.ts';

const telephony = words('NoCall', 'CallConnected', 'Ringing', 'OnHold', 'ParkedCall');
const person = words('Offline', 'Busy', 'Available');

const callLine = record({
  type: words(
    'PhoneNumberLabel',
    'PhoneNumber',
    'QueueExtension',
    'QueueName',
    'CallerIdName',
    'CallerIdNumber',
    'None',
  ),
  value: text,
});

const activeCall = record({
  id: text,
  direction: words('Inbound', 'Outbound'),
  queueCall: flag,
  from: text,
  fromName: text,
  to: text,
  toName: text,
  startTime: moment,
  telephonyStatus: telephony,
  sipData: record({ callId: text, toTag: text, fromTag: text, remoteUri: text, localUri: text }),
  sessionId: text,
  telephonySessionId: text,
  onBehalfOf: text,
  callInfo: record({ primary: callLine, additional: callLine }),
  partyId: text,
  terminationType: text,
});

/**
 * Presence: the request determines whose it is, so that no member is required; a record without any of them is not a
 * presence.
 */
export const presence = record({
  uri: address,
  extension: record({ id, uri: address, extensionNumber: text }, 'id'),
  userStatus: person,
  dndStatus: words(
    'TakeAllCalls',
    'DoNotAcceptDepartmentCalls',
    'TakeDepartmentCallsOnly',
    'DoNotAcceptAnyCalls',
    'Unknown',
  ),
  dndStatusPersonal: words('TakeAllCalls', 'DoNotAcceptAnyCalls', 'Unknown'),
  acceptCallQueueCalls: flag,
  message: text,
  allowSeeMyPresence: flag,
  callerIdVisibility: words('All', 'None', 'PermittedUsers'),
  ringOnMonitoredCall: flag,
  pickUpCallsOnHold: flag,
  activeCalls: list(activeCall),
  meetingStatus: words('Connected', 'Disconnected'),
  telephonyStatus: telephony,
  presenceStatus: person,
  totalActiveCalls: integer,
});

/** Which agents of a queue take its calls, and whether one agent does in each of their queues. */
export const queuePresence = record(
  {
    member: record({ id, name: text, extensionNumber: text }, 'id'),
    acceptQueueCalls: flag,
    acceptCurrentQueueCalls: flag,
  },
  'member',
);
export const personQueuePresence = record(
  {
    callQueue: record({ id, name: text, extensionNumber: text, editableMemberStatus: flag }, 'id'),
    acceptCalls: flag,
  },
  'callQueue',
);
