import type { DepartmentMember } from '../../contract/department.ts';
import type { ExtensionBulkUpdateTask } from '../../contract/extension-bulk-update.ts';
import type { Extension } from '../../contract/extension.ts';
import type { ForwardingNumber, PhoneNumber } from '../../contract/phone-number.ts';
import type { ActiveCall, Presence } from '../../contract/presence.ts';
import {
  digits,
  flag,
  given,
  key,
  list,
  object,
  optional,
  orUnknown,
  record,
  text,
  time,
  word,
} from './shape.ts';

const enabled = optional(object<{ enabled: boolean }>({ enabled: flag }));

/** An extension of the account. */
export const extensionShape = record<Extension>(
  {
    uri: text,
    id: digits,
    extensionNumber: text,
    contact: optional(
      object<NonNullable<Extension['contact']>>({
        firstName: text,
        lastName: text,
        email: text,
        company: text,
        jobTitle: text,
        department: text,
        businessPhone: text,
        mobilePhone: text,
      }),
    ),
    name: given,
    type: orUnknown,
    status: orUnknown,
    statusInfo: optional(object<NonNullable<Extension['statusInfo']>>({ comment: text, reason: text })),
    permissions: optional(
      object<NonNullable<Extension['permissions']>>({ admin: enabled, internationalCalling: enabled }),
    ),
    profileImage: optional(object<{ uri: string }>({ uri: text })),
    site: optional(object<NonNullable<Extension['site']>>({ id: text, name: text })),
  },
  ['id'],
);

const taskErrors = optional(
  list(
    object<{ errorCode: string; message: string; parameterName: string; parameterValue: string }>({
      errorCode: text,
      message: text,
      parameterName: text,
      parameterValue: text,
    }),
  ),
);

/** A task that changes extensions. Its ID and its status prove that the service accepted the task. */
export const bulkUpdateTaskShape = record<ExtensionBulkUpdateTask>(
  {
    id: key,
    uri: text,
    status: word,
    creationTime: time,
    lastModifiedTime: time,
    result: optional(
      object<NonNullable<ExtensionBulkUpdateTask['result']>>({
        affectedItems: optional(
          object<NonNullable<NonNullable<ExtensionBulkUpdateTask['result']>['affectedItems']>>({
            result: optional(
              list(
                object<{ extensionId: string; status: string; errors: object[] }>({
                  extensionId: text,
                  status: text,
                  errors: taskErrors,
                }),
              ),
            ),
          }),
        ),
        errors: taskErrors,
      }),
    ),
  },
  ['id', 'status'],
);

/** An agent of a call queue. */
export const memberShape = record<DepartmentMember>({ uri: text, id: digits, extensionNumber: text }, ['id']);

/** A number of an extension. */
export const phoneNumberShape = record<PhoneNumber>(
  {
    id: digits,
    uri: text,
    phoneNumber: given,
    label: text,
    primary: flag,
    paymentType: text,
    type: text,
    usageType: text,
    features: list(text),
    status: text,
    country: optional(object<NonNullable<PhoneNumber['country']>>({ uri: text, id: text, name: text })),
  },
  ['id'],
);

/** A number that calls can be forwarded to, or placed from. */
export const forwardingNumberShape = record<ForwardingNumber>(
  {
    id: key,
    uri: text,
    phoneNumber: given,
    label: given,
    features: list(text),
    flipNumber: text,
    type: text,
  },
  ['id'],
);

const callInfoLine = optional(
  object<NonNullable<NonNullable<ActiveCall['callInfo']>['primary']>>({ type: text, value: text }),
);

const activeCall = object<ActiveCall>({
  id: key,
  direction: text,
  queueCall: flag,
  from: text,
  fromName: text,
  to: text,
  toName: text,
  startTime: time,
  telephonyStatus: text,
  sessionId: text,
  telephonySessionId: text,
  partyId: text,
  terminationType: text,
  onBehalfOf: text,
  callInfo: optional(
    object<NonNullable<ActiveCall['callInfo']>>({ primary: callInfoLine, additional: callInfoLine }),
  ),
  sipData: optional(
    object<NonNullable<ActiveCall['sipData']>>({
      callId: text,
      toTag: text,
      fromTag: text,
      remoteUri: text,
      localUri: text,
      rcSessionId: text,
    }),
  ),
});

/** A presence, which has no ID and in which every member may be missing. */
export const presenceShape = record<Presence>(
  {
    uri: text,
    extension: object<Presence['extension']>({ uri: text, id: digits, extensionNumber: text }),
    presenceStatus: text,
    telephonyStatus: text,
    userStatus: text,
    meetingStatus: text,
    dndStatus: text,
    dndStatusPersonal: text,
    acceptCallQueueCalls: flag,
    callerIdVisibility: text,
    message: text,
    allowSeeMyPresence: flag,
    ringOnMonitoredCall: flag,
    pickUpCallsOnHold: flag,
    activeCalls: optional(list(activeCall)),
  },
  [],
  ['presenceStatus', 'telephonyStatus', 'userStatus', 'dndStatus', 'meetingStatus', 'extension'],
);
