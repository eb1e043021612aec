/** Members of a message, for `--json=help` of every command that gives messages. */
export const messageFields: readonly string[] = [
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
  'faxResolution',
  'faxPageCount',
  'coverIndex',
  'coverPageText',
  'vmTranscriptionStatus',
  'pgToDepartment',
  'uri',
];

/** Members of an extension, a call queue among them. */
export const extensionFields: readonly string[] = [
  'id',
  'extensionNumber',
  'name',
  'type',
  'status',
  'statusInfo',
  'contact',
  'permissions',
  'profileImage',
  'uri',
];

/** Members of a presence. */
export const presenceFields: readonly string[] = [
  'extension',
  'presenceStatus',
  'telephonyStatus',
  'userStatus',
  'meetingStatus',
  'dndStatus',
  'message',
  'allowSeeMyPresence',
  'ringOnMonitoredCall',
  'pickUpCallsOnHold',
  'activeCalls',
  'uri',
];

/** Members of a record of a live view of people. */
export const watchFields: readonly string[] = [
  'extensionId',
  'extensionNumber',
  'name',
  'state',
  'reason',
  'takesQueueCalls',
  'since',
  'presenceStatus',
  'telephonyStatus',
  'userStatus',
  'meetingStatus',
  'dndStatus',
  'message',
];
