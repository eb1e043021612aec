import type { AuditRecord } from '../contract/audit.ts';
import type { CallLogRecord } from '../contract/call-log.ts';
import type { Extension } from '../contract/extension.ts';
import type { Message } from '../contract/message.ts';
import type { ForwardingNumber, PhoneNumber } from '../contract/phone-number.ts';
import type { Presence } from '../contract/presence.ts';
import type { Subscription } from '../contract/subscription.ts';

/** The resources that commands write unchanged. */
export interface Resources {
  readonly AuditRecord: AuditRecord;
  readonly CallLogRecord: CallLogRecord;
  readonly Extension: Extension;
  readonly ForwardingNumber: ForwardingNumber;
  readonly Message: Message;
  readonly PhoneNumber: PhoneNumber;
  readonly Presence: Presence;
  readonly Subscription: Subscription;
}
export type ResourceName = keyof Resources;

/**
 * Names of the members of each resource, in the order of `--json=help`. A test compares these names with the contract,
 * because commands do not load the contract.
 */
export const resourceMembers: {
  readonly [N in ResourceName]: readonly (keyof Resources[N] & string)[];
} = {
  AuditRecord: [
    'id',
    'eventTime',
    'actionId',
    'eventType',
    'initiator',
    'target',
    'details',
    'comment',
    'clientIp',
    'accountId',
    'accountName',
  ],
  CallLogRecord: [
    'id',
    'uri',
    'sessionId',
    'telephonySessionId',
    'startTime',
    'duration',
    'type',
    'direction',
    'action',
    'result',
    'reason',
    'reasonDescription',
    'from',
    'to',
    'extension',
    'recording',
    'message',
    'transport',
    'lastModifiedTime',
    'deleted',
    'legs',
  ],
  Extension: [
    'id',
    'extensionNumber',
    'name',
    'type',
    'status',
    'statusInfo',
    'contact',
    'permissions',
    'profileImage',
    'site',
    'uri',
  ],
  ForwardingNumber: ['id', 'phoneNumber', 'label', 'type', 'features', 'flipNumber', 'uri'],
  Message: [
    'id',
    'type',
    'direction',
    'messageStatus',
    'readStatus',
    'availability',
    'from',
    'to',
    'creationTime',
    'lastModifiedTime',
    'subject',
    'conversationId',
    'conversation',
    'priority',
    'attachments',
    'extensionId',
    'smsDeliveryTime',
    'smsSendingAttemptsCount',
    'deliveryErrorCode',
    'segmentCount',
    'faxResolution',
    'faxPageCount',
    'coverIndex',
    'coverPageText',
    'vmTranscriptionStatus',
    'pgToDepartment',
    'vmSideRecipients',
    'uri',
  ],
  PhoneNumber: [
    'id',
    'phoneNumber',
    'label',
    'primary',
    'type',
    'usageType',
    'features',
    'status',
    'country',
    'paymentType',
    'uri',
  ],
  Presence: [
    'extension',
    'presenceStatus',
    'telephonyStatus',
    'userStatus',
    'meetingStatus',
    'dndStatus',
    'dndStatusPersonal',
    'acceptCallQueueCalls',
    'callerIdVisibility',
    'message',
    'allowSeeMyPresence',
    'ringOnMonitoredCall',
    'pickUpCallsOnHold',
    'activeCalls',
    'uri',
  ],
  Subscription: [
    'id',
    'eventFilters',
    'deliveryMode',
    'status',
    'creationTime',
    'expirationTime',
    'expiresIn',
    'blacklistedData',
    'disabledFilters',
    'uri',
  ],
};
