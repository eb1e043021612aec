/** One request that the service rejects, transcribed from docs/spec independently of the contract. */
export interface Rejection {
  readonly operation: string;
  /** Extension number or role of the sender; `nobody` without a token. */
  readonly who: string;
  readonly method: string;
  /** Below /restapi/v1.0 unless it has another root. */
  readonly path: string;
  /** Undefined for a request without a body. */
  readonly json: unknown;
  /** Status and code of the error; AGW-404 has no code. */
  readonly expected: string;
  /** Rules of docs/spec that state it. */
  readonly place: string;
}

const own = '/account/~/extension/~';
const other = '/account/~/extension/171857103';
const updates = '/account/~/extension-bulk-update';
const nobodys = '/account/~/extension/1';
const text = (from: string, to: string, words = 'hello') => ({
  from: { phoneNumber: from },
  to: [{ phoneNumber: to }],
  text: words,
});
const page = (to: string, from = '102') => ({
  from: { extensionNumber: from },
  to: [{ extensionNumber: to }],
  text: 'page',
});
const assign = (...items: readonly object[]) => ({ items });
const watch = (filter: string, mode: object = { transportType: 'ChannelService' }) => ({
  eventFilters: [filter],
  deliveryMode: mode,
});
const dana = '+16505550112';
const outside = '+14155550100';

const queue = '/account/~/call-queues/171857201';
const accepts = (id: string) => ({ records: [{ member: { id }, acceptCurrentQueueCalls: false }] });

type Row = readonly [
  operation: string,
  who: string,
  request: string,
  expected: string,
  place: string,
  json?: unknown,
];

const rows: readonly Row[] = [
  ['listExtensions', '102', 'GET /account/~/extension?perPage=0', '400 CMN-101', 'BASE-34'],
  ['listExtensions', '102', 'GET /account/1/extension', '404 CMN-102', 'ERROR-12'],
  ['readExtension', '102', `GET ${nobodys}`, '404 CMN-102', 'ERROR-12'],
  ['listDepartmentMembers', '102', 'GET /account/~/department/1/members', '404 CMN-102', 'ERROR-12'],
  [
    'bulkAssignDepartmentMembers',
    '102',
    'POST /account/~/department/bulk-assign',
    '403 CMN-402',
    'ERROR-20',
    assign(),
  ],
  [
    'bulkAssignDepartmentMembers',
    'administrator',
    'POST /account/~/department/bulk-assign',
    '400 CMN-102',
    'ERROR-12',
    assign({ departmentId: '1' }),
  ],
  [
    'bulkAssignDepartmentMembers',
    'administrator',
    'POST /account/~/department/bulk-assign',
    '400 CMN-406',
    'ERROR-22',
    assign({
      departmentId: '171857201',
      addedExtensionIds: ['171857102'],
      removedExtensionIds: ['171857102'],
    }),
  ],
  ['updateExtensions', '102', `POST ${updates}`, '403 CMN-402', 'ERROR-20', { records: [{ id: '1' }] }],
  ['updateExtensions', 'administrator', `POST ${updates}`, '400 CMN-101', 'EXT-18', { records: [] }],
  ['readExtensionUpdateTask', '102', `GET ${updates}/tasks/1`, '403 CMN-402', 'ERROR-20'],
  ['readExtensionUpdateTask', 'administrator', `GET ${updates}/tasks/1`, '404 CMN-102', 'ERROR-12'],
  ['readCompanyHours', '102', 'GET /account/1/business-hours', '404 CMN-102', 'ERROR-12'],
  ['updateCompanyHours', '102', 'PUT /account/~/business-hours', '403 CMN-402', 'ERROR-20', { schedule: {} }],
  [
    'updateCompanyHours',
    'administrator',
    'PUT /account/~/business-hours',
    '400 CMN-101',
    'HOURS-3',
    { schedule: [] },
  ],
  ['readHours', '102', `GET ${other}/business-hours`, '403 CMN-419', 'ERROR-20'],
  ['updateHours', '102', `PUT ${other}/business-hours`, '403 CMN-404', 'ERROR-20', { schedule: {} }],
  ['listAnsweringRules', '102', `GET ${other}/answering-rule`, '403 CMN-419', 'ERROR-20'],
  ['createAnsweringRule', '102', `POST ${own}/answering-rule`, '400 CMN-101', 'RULE-4', { name: 'x' }],
  ['readAnsweringRule', '102', `GET ${own}/answering-rule/1`, '404 CMN-102', 'ERROR-12'],
  ['updateAnsweringRule', '102', `PUT ${own}/answering-rule/1`, '404 CMN-102', 'ERROR-12', { enabled: true }],
  ['deleteAnsweringRule', '102', `DELETE ${own}/answering-rule/1`, '404 CMN-102', 'ERROR-12'],
  [
    'createSmsBatch',
    'administrator',
    'POST /account/~/a2p-sms/batches',
    '403 MSG-240',
    'TEXTBATCH-1',
    { from: '+16505550110', messages: [{ to: ['+16505550112'], text: 'hi' }] },
  ],
  ['createSmsBatch', '102', 'POST /account/~/a2p-sms/batches', '400 CMN-101', 'TEXTBATCH-1', { from: 'x' }],
  ['listSmsBatches', '102', 'GET /account/~/a2p-sms/batches?pageToken=x', '400 CMN-101', 'TEXTBATCH-7'],
  ['readSmsBatch', '102', 'GET /account/~/a2p-sms/batches/9', '404 CMN-102', 'ERROR-12'],
  ['listSmsBatchMessages', '102', 'GET /account/~/a2p-sms/messages?perPage=0', '400 CMN-101', 'TEXTBATCH-7'],
  ['createMessageReport', '102', 'POST /account/~/message-store-report', '403 CMN-402', 'ERROR-20', {}],
  ['readMessageReport', 'administrator', 'GET /account/~/message-store-report/9', '404 CMN-102', 'ERROR-12'],
  [
    'listMessageReportFiles',
    'administrator',
    'GET /account/~/message-store-report/9/archive',
    '404 CMN-102',
    'ERROR-12',
  ],
  [
    'readMessageReportFile',
    'administrator',
    'GET /account/~/message-store-report/9/archive/1',
    '404 CMN-102',
    'ERROR-12',
  ],
  ['searchAuditTrail', '102', 'POST /account/~/audit-trail/search', '403 CMN-402', 'ERROR-20', {}],
  [
    'searchAuditTrail',
    'administrator',
    'POST /account/~/audit-trail/search',
    '400 CMN-101',
    'ERROR-5',
    { eventTimeFrom: 'yesterday' },
  ],
  ['readPresence', '102', `GET ${nobodys}/presence`, '404 CMN-102', 'ERROR-12'],
  [
    'updatePresence',
    'operator',
    `PUT ${own}/presence`,
    '400 CMN-101',
    'PRESENCE-18',
    { dndStatus: 'TakeDepartmentCallsOnly' },
  ],
  ['updatePresence', '102', `PUT ${own}/presence`, '400 CMN-101', 'PRESENCE-11', { dndStatus: 'Never' }],
  ['updatePresence', '102', `PUT ${own}/presence`, '400 CMN-101', 'PRESENCE-12', { message: 'x'.repeat(76) }],
  ['updatePresence', '102', `PUT ${other}/presence`, '403 CMN-404', 'ERROR-20', { message: 'x' }],
  ['listPhoneNumbers', '102', `GET ${other}/phone-number`, '403 CMN-419', 'ERROR-20'],
  ['listForwardingNumbers', '102', `GET ${other}/forwarding-number`, '403 CMN-419', 'ERROR-20'],
  ['startRingOut', '102', `POST ${own}/ringout`, '400 CMN-101', 'ERROR-5', {}],
  ['startRingOut', '102', `POST ${own}/ringout`, '400 CMN-101', 'ERROR-5', { to: { phoneNumber: '' } }],
  [
    'startRingOut',
    '102',
    `POST ${own}/ringout`,
    '400 CMN-101',
    'ERROR-5',
    { from: { phoneNumber: 'x' }, to: { phoneNumber: outside } },
  ],
  ['readRingOut', '102', `GET ${own}/ringout/1`, '404 CMN-102', 'ERROR-12'],
  ['cancelRingOut', '102', `DELETE ${own}/ringout/1`, '404 CMN-102', 'ERROR-12'],
  ['sendSms', '102', `POST ${own}/sms`, '400 MSG-219', 'ERROR-35', { ...text(dana, outside), to: [] }],
  ['sendSms', '102', `POST ${own}/sms`, '400 CMN-101', 'SMS-8', text(dana, outside, 'x'.repeat(1001))],
  ['sendSms', '102', `POST ${own}/sms`, '403 MSG-304', 'SMS-5', text('+16505550100', outside)],
  ['sendSms', '102', `POST ${own}/sms`, '403 MSG-304', 'SMS-6', text('+16505550121', outside)],
  ['sendSms', '105', `POST ${own}/sms`, '403 MSG-240', 'SMS-4', text('+16505550115', outside)],
  ['sendSms', '102', `POST ${own}/sms`, '403 MSG-314', 'SMS-2', text(dana, '+16505550121')],
  ['sendSms', '102', `POST ${other}/sms`, '403 CMN-404', 'ERROR-20', text(dana, outside)],
  ['sendPager', '102', `POST ${own}/company-pager`, '400 MSG-324', 'PAGER-6', page('108')],
  ['sendPager', '102', `POST ${own}/company-pager`, '400 MSG-324', 'ERROR-5', page('109')],
  ['sendPager', '102', `POST ${own}/company-pager`, '400 MSG-331', 'PAGER-11', page('103', '101')],
  ['sendPager', '201', `POST ${own}/company-pager`, '403 MSG-330', 'PAGER-5', page('103', '201')],
  [
    'sendPager',
    '102',
    `POST ${own}/company-pager`,
    '400 CMN-101',
    'PAGER-8',
    { ...page('103'), text: 'x'.repeat(1025) },
  ],
  ['sendFax', '102', `POST ${own}/fax`, '400 CMN-102', 'FAX-8', { originalMessageId: '1' }],
  ['listMessages', '102', `GET ${other}/message-store`, '403 CMN-419', 'ERROR-20'],
  ['listMessages', '102', `GET ${own}/message-store?messageType=Telex`, '400 CMN-101', 'ERROR-11'],
  ['readMessage', '102', `GET ${own}/message-store/1`, '404 CMN-102', 'ERROR-12'],
  ['updateMessage', '102', `PUT ${own}/message-store/1`, '404 CMN-102', 'ERROR-12', { readStatus: 'Read' }],
  ['updateMessage', '102', `PUT ${own}/message-store/1`, '400 CMN-101', 'ERROR-11', { readStatus: 'Half' }],
  [
    'patchMessage',
    '102',
    `PATCH ${own}/message-store/1`,
    '404 CMN-102',
    'MESSAGE-47',
    { availability: 'Alive' },
  ],
  ['deleteMessage', '102', `DELETE ${own}/message-store/1`, '404 CMN-102', 'ERROR-12'],
  [
    'deleteMessages',
    '102',
    `DELETE ${own}/message-store?conversationId=1&type=SMS`,
    '400 MSG-390',
    'MESSAGE-49',
  ],
  ['readMessageContent', '102', `GET ${own}/message-store/1/content/1`, '404 CMN-102', 'ERROR-12'],
  ['syncMessages', '102', `GET ${own}/message-sync`, '400 CMN-101', 'SYNC-1'],
  ['syncMessages', '102', `GET ${own}/message-sync?syncType=ISync`, '400 CMN-101', 'SYNC-2'],
  ['syncMessages', '102', `GET ${own}/message-sync?syncType=ISync&syncToken=x`, '400 MSG-333', 'SYNC-15'],
  ['listAccountCallLog', '102', 'GET /account/~/call-log', '403 CMN-408', 'ERROR-8'],
  ['readAccountCallLogRecord', 'administrator', 'GET /account/~/call-log/1', '404 CMN-102', 'ERROR-12'],
  ['listCallLog', '102', `GET ${other}/call-log`, '403 CMN-404', 'CALL-2'],
  ['listCallLog', '102', `GET ${own}/call-log?sessionId=1&type=Voice`, '400 CLG-110', 'CALL-16'],
  ['syncCallLog', '102', `GET ${own}/call-log-sync?syncType=ISync&syncToken=x`, '400 CLG-101', 'ERROR-36'],
  ['syncCallLog', '102', `GET ${other}/call-log-sync`, '403 CMN-404', 'CALL-2'],
  ['readCallLogRecord', '102', `GET ${own}/call-log/1`, '404 CMN-102', 'ERROR-12'],
  ['listAccountActiveCalls', '102', 'GET /account/~/active-calls', '403 CMN-408', 'ERROR-8'],
  ['listActiveCalls', '102', `GET ${other}/active-calls`, '403 CMN-419', 'ERROR-20'],
  ['readRecording', '102', 'GET /account/~/recording/1', '404 CMN-102', 'ERROR-12'],
  ['readRecordingContent', '102', 'GET /account/~/recording/1/content', '404 CMN-102', 'ERROR-12'],
  [
    'readGreetingContent',
    '102',
    `GET ${other}/greeting/171857103/content/171857103`,
    '403 CMN-419',
    'ERROR-20',
  ],
  ['readProfileImageContent', '102', `GET ${own}/profile-image/content/1`, '404 CMN-102', 'ERROR-12'],
  [
    'createSubscription',
    '102',
    'POST /subscription',
    '400 SUB-508',
    'ERROR-39',
    watch('/restapi/v1.0/nothing'),
  ],
  [
    'createSubscription',
    '102',
    'POST /subscription',
    '400 SUB-516',
    'EVENT-13',
    watch('/restapi/v1.0/subscription/~?threshold=800&interval=60'),
  ],
  [
    'createSubscription',
    '102',
    'POST /subscription',
    '403 SUB-403',
    'ERROR-37',
    watch(`/restapi/v1.0${other}/message-store`),
  ],
  [
    'createSubscription',
    '102',
    'POST /subscription',
    '400 SUB-521',
    'WEBHOOK-1',
    watch(`/restapi/v1.0${own}/message-store`, { transportType: 'WebHook', address: 'http://127.0.0.1:1/' }),
  ],
  ['readSubscription', '102', 'GET /subscription/1', '404 CMN-102', 'SUBSCRIPTION-6'],
  ['updateSubscription', '102', 'PUT /subscription/1', '404 CMN-102', 'ERROR-12', {}],
  ['renewSubscription', '102', 'POST /subscription/1/renew', '404 CMN-102', 'ERROR-12'],
  ['deleteSubscription', '102', 'DELETE /subscription/1', '404 CMN-102', 'ERROR-12'],
  [
    'readChannel',
    'nobody',
    'GET /v2/subscribe/key/channel/0',
    '400 CMN-101',
    'docs/internals/service-gaps.md',
  ],
  ['createChatWebhook', '102', 'POST /chat/groups/1/webhooks', '404 CMN-102', 'ERROR-12'],
  ['listGroupChatWebhooks', '102', 'GET /chat/groups/1/webhooks', '404 CMN-102', 'ERROR-12'],
  ['readChatWebhook', '102', 'GET /chat/webhooks/1', '404 CMN-102', 'ERROR-12'],
  ['deleteChatWebhook', '102', 'DELETE /chat/webhooks/1', '404 CMN-102', 'ERROR-12'],
  ['activateChatWebhook', '102', 'POST /chat/webhooks/1/activate', '404 CMN-102', 'ERROR-12'],
  ['suspendChatWebhook', '102', 'POST /chat/webhooks/1/suspend', '404 CMN-102', 'ERROR-12'],
  ['postToChat', 'nobody', 'POST /webhook/v2/1', '404 CMN-102', 'CHAT-5', { body: 'x' }],
  ['readCountry', '102', 'GET /dictionary/country/999999', '404 CMN-102', 'ERROR-12'],
  ['listCallQueues', '102', 'GET /account/~/call-queues?perPage=0', '400 CMN-101', 'BASE-34'],
  ['readCallQueue', '102', 'GET /account/~/call-queues/1', '404 CMN-102', 'ERROR-12'],
  ['updateCallQueue', '102', `PUT ${queue}`, '403 CMN-402', 'ERROR-20', {}],
  ['updateCallQueue', 'administrator', `PUT ${queue}`, '400 CMN-101', 'OPERATION-3', { alertTimer: 7 }],
  ['listCallQueueMembers', '102', 'GET /account/~/call-queues/1/members', '404 CMN-102', 'ERROR-12'],
  ['assignCallQueueMembers', '102', `POST ${queue}/bulk-assign`, '403 CMN-402', 'ERROR-20', {}],
  [
    'assignCallQueueMembers',
    'administrator',
    `POST ${queue}/bulk-assign`,
    '400 CMN-102',
    'ERROR-12',
    { addedExtensionIds: ['1'] },
  ],
  ['createExtension', '102', 'POST /account/~/extension', '403 CMN-402', 'ERROR-20', {}],
  ['createExtension', 'administrator', 'POST /account/~/extension', '400 CMN-101', 'OPERATION-55', {}],
  ['updateExtension', '102', `PUT ${own}`, '403 CMN-402', 'ERROR-20', {}],
  ['updateExtension', 'administrator', `PUT ${nobodys}`, '404 CMN-102', 'ERROR-12', {}],
  ['updateMemberQueues', '102', `PUT ${own}/call-queues`, '403 CMN-402', 'ERROR-20', {}],
  [
    'updateMemberQueues',
    'administrator',
    `PUT ${other}/call-queues`,
    '400 CMN-102',
    'ERROR-12',
    { records: [{ id: '1' }] },
  ],
  ['readExtensionFeatures', '102', `GET ${other}/features`, '403 CMN-419', 'ERROR-20'],
  ['readCallQueuePresence', '102', 'GET /account/~/call-queues/1/presence', '404 CMN-102', 'ERROR-12'],
  [
    'updateCallQueuePresence',
    '102',
    `PUT ${queue}/presence`,
    '403 CMN-404',
    'ERROR-20',
    accepts('171857103'),
  ],
  ['updateCallQueuePresence', '102', `PUT ${queue}/presence`, '400 CMN-102', 'ERROR-12', accepts('1')],
  ['readExtensionQueuePresence', '102', `GET ${other}/call-queue-presence`, '403 CMN-419', 'ERROR-20'],
  [
    'updateExtensionQueuePresence',
    '102',
    `PUT ${own}/call-queue-presence`,
    '400 CMN-102',
    'ERROR-12',
    { records: [{ callQueue: { id: '1' }, acceptCalls: true }] },
  ],
  ['listPresences', '102', 'GET /account/~/presence?perPage=0', '400 CMN-101', 'BASE-34'],
];

export const rejections: readonly Rejection[] = rows.map(
  ([operation, who, request, expected, place, json]) => {
    const [method = '', path = ''] = request.split(' ');
    return { operation, who, method, path, expected, place, json };
  },
);

/** Operations without errors of their own: they require at most a token. */
export const withoutRejection: readonly string[] = [
  'listSubscriptions',
  'listChatWebhooks',
  'listCountries',
  'listStates',
  'listLocations',
  'listTimezones',
  'readApiVersions',
  'createWebSocketToken',
];

/** Their errors have the form of OAuth: test/sandbox/oauth. */
export const oauthOperations: readonly string[] = ['authorize', 'issueToken', 'revokeToken'];

/** The permission of the application that each operation needs: PERMISSION-3 to PERMISSION-29, PRESENCE-20, OPERATION-1 to OPERATION-12, OPERATION-55. */
export const permissions: Readonly<Record<string, readonly string[]>> = {
  ReadAccounts: [
    'listExtensions',
    'readExtension',
    'listDepartmentMembers',
    'listCallQueues',
    'readCallQueue',
    'listCallQueueMembers',
    'readExtensionFeatures',
    'listPhoneNumbers',
    'listForwardingNumbers',
    'readGreetingContent',
    'readProfileImageContent',
    'readCompanyHours',
    'readHours',
    'listAnsweringRules',
    'readAnsweringRule',
  ],
  WebSocket: ['createWebSocketToken'],
  ReadAuditTrail: ['searchAuditTrail'],
  A2PSMS: ['createSmsBatch', 'listSmsBatches', 'readSmsBatch', 'listSmsBatchMessages'],
  EditAccounts: ['createExtension', 'updateMemberQueues'],
  EditExtensions: [
    'bulkAssignDepartmentMembers',
    'updateCallQueue',
    'assignCallQueueMembers',
    'updateExtension',
    'updateExtensions',
    'readExtensionUpdateTask',
    'updateCompanyHours',
    'updateHours',
    'createAnsweringRule',
    'updateAnsweringRule',
    'deleteAnsweringRule',
  ],
  ReadPresence: ['readPresence', 'listPresences', 'readCallQueuePresence', 'readExtensionQueuePresence'],
  EditPresence: ['updatePresence', 'updateCallQueuePresence', 'updateExtensionQueuePresence'],
  RingOut: ['startRingOut', 'readRingOut', 'cancelRingOut'],
  SMS: ['sendSms'],
  InternalMessages: ['sendPager'],
  Faxes: ['sendFax'],
  ReadMessages: [
    'listMessages',
    'readMessage',
    'readMessageContent',
    'syncMessages',
    'createMessageReport',
    'readMessageReport',
    'listMessageReportFiles',
    'readMessageReportFile',
  ],
  EditMessages: ['updateMessage', 'patchMessage', 'deleteMessage', 'deleteMessages'],
  ReadCallLog: [
    'listAccountCallLog',
    'readAccountCallLogRecord',
    'listCallLog',
    'syncCallLog',
    'readCallLogRecord',
    'listAccountActiveCalls',
    'listActiveCalls',
  ],
  ReadCallRecording: ['readRecording', 'readRecordingContent'],
};
