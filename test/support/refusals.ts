/** One request that the specification or the facts refuse, transcribed from them without a look at the contract. */
export interface Refusal {
  readonly operation: string;
  /** Extension number or role of who asks; `nobody` without a token. */
  readonly who: string;
  readonly method: string;
  /** Below /restapi/v1.0 unless it names another root. */
  readonly path: string;
  /** Undefined for a request without a body. */
  readonly json: unknown;
  /** Status and code of the one error; AGW-404 has none. */
  readonly expected: string;
  /** Where it is said. */
  readonly place: string;
}

const own = '/account/~/extension/~';
const other = '/account/~/extension/171857103';
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

type Row = readonly [
  operation: string,
  who: string,
  request: string,
  expected: string,
  place: string,
  json?: unknown,
];

const rows: readonly Row[] = [
  ['listExtensions', '102', 'GET /account/~/extension?perPage=0', '400 CMN-101', 'facts L37'],
  ['listExtensions', '102', 'GET /account/1/extension', '404 CMN-102', 'facts 1.6'],
  ['readExtension', '102', `GET ${nobodys}`, '404 CMN-102', 'facts 1.6'],
  ['listDepartmentMembers', '102', 'GET /account/~/department/1/members', '404 CMN-102', 'facts 1.6'],
  [
    'bulkAssignDepartmentMembers',
    '102',
    'POST /account/~/department/bulk-assign',
    '403 CMN-402',
    'facts 1.6',
    assign(),
  ],
  [
    'bulkAssignDepartmentMembers',
    'administrator',
    'POST /account/~/department/bulk-assign',
    '400 CMN-102',
    'facts 1.6',
    assign({ departmentId: '1' }),
  ],
  [
    'bulkAssignDepartmentMembers',
    'administrator',
    'POST /account/~/department/bulk-assign',
    '400 CMN-406',
    'facts 1.6',
    assign({
      departmentId: '171857201',
      addedExtensionIds: ['171857102'],
      removedExtensionIds: ['171857102'],
    }),
  ],
  ['readPresence', '102', `GET ${nobodys}/presence`, '404 CMN-102', 'facts 1.6'],
  [
    'updatePresence',
    'operator',
    `PUT ${own}/presence`,
    '400 CMN-101',
    'facts L52',
    { dndStatus: 'TakeDepartmentCallsOnly' },
  ],
  ['updatePresence', '102', `PUT ${own}/presence`, '400 CMN-101', 'Presence row 6', { dndStatus: 'Never' }],
  ['updatePresence', '102', `PUT ${own}/presence`, '400 CMN-101', 'facts L52', { message: 'x'.repeat(76) }],
  ['updatePresence', '102', `PUT ${other}/presence`, '403 CMN-404', 'facts 1.6', { message: 'x' }],
  ['listPhoneNumbers', '102', `GET ${other}/phone-number`, '403 CMN-419', 'facts 1.6'],
  ['listForwardingNumbers', '102', `GET ${other}/forwarding-number`, '403 CMN-419', 'facts 1.6'],
  ['startRingOut', '102', `POST ${own}/ringout`, '400 CMN-101', 'Errors row 1', {}],
  ['startRingOut', '102', `POST ${own}/ringout`, '400 CMN-101', 'Errors row 1', { to: { phoneNumber: '' } }],
  [
    'startRingOut',
    '102',
    `POST ${own}/ringout`,
    '400 CMN-101',
    'Errors row 1',
    { from: { phoneNumber: 'x' }, to: { phoneNumber: outside } },
  ],
  ['readRingOut', '102', `GET ${own}/ringout/1`, '404 CMN-102', 'facts 1.6'],
  ['cancelRingOut', '102', `DELETE ${own}/ringout/1`, '404 CMN-102', 'facts 1.6'],
  ['sendSms', '102', `POST ${own}/sms`, '400 MSG-219', 'facts 1.6', { ...text(dana, outside), to: [] }],
  ['sendSms', '102', `POST ${own}/sms`, '400 CMN-101', 'Limits row 1', text(dana, outside, 'x'.repeat(1001))],
  ['sendSms', '102', `POST ${own}/sms`, '403 MSG-304', 'Messaging rule 5', text('+16505550100', outside)],
  ['sendSms', '102', `POST ${own}/sms`, '403 MSG-304', 'Messaging rule 6', text('+16505550121', outside)],
  ['sendSms', '105', `POST ${own}/sms`, '403 MSG-240', 'Messaging rule 4', text('+16505550115', outside)],
  ['sendSms', '102', `POST ${own}/sms`, '403 MSG-314', 'Messaging rule 1', text(dana, '+16505550121')],
  ['sendSms', '102', `POST ${other}/sms`, '403 CMN-404', 'facts 1.6', text(dana, outside)],
  ['sendPager', '102', `POST ${own}/company-pager`, '400 MSG-324', 'Messaging rule 9', page('108')],
  ['sendPager', '102', `POST ${own}/company-pager`, '400 MSG-324', 'Errors row 1', page('109')],
  ['sendPager', '102', `POST ${own}/company-pager`, '400 MSG-331', 'facts 1.6', page('103', '101')],
  ['sendPager', '201', `POST ${own}/company-pager`, '403 MSG-330', 'Messaging rule 7', page('103', '201')],
  [
    'sendPager',
    '102',
    `POST ${own}/company-pager`,
    '400 CMN-101',
    'Limits row 2',
    { ...page('103'), text: 'x'.repeat(1025) },
  ],
  ['sendFax', '102', `POST ${own}/fax`, '400 CMN-102', 'facts L236', { originalMessageId: '1' }],
  ['listMessages', '102', `GET ${other}/message-store`, '403 CMN-419', 'facts 1.6'],
  ['listMessages', '102', `GET ${own}/message-store?messageType=Telex`, '400 CMN-101', 'facts L240'],
  ['readMessage', '102', `GET ${own}/message-store/1`, '404 CMN-102', 'facts 1.6'],
  ['updateMessage', '102', `PUT ${own}/message-store/1`, '404 CMN-102', 'facts 1.6', { readStatus: 'Read' }],
  ['updateMessage', '102', `PUT ${own}/message-store/1`, '400 CMN-101', 'facts L240', { readStatus: 'Half' }],
  [
    'patchMessage',
    '102',
    `PATCH ${own}/message-store/1`,
    '404 CMN-102',
    'facts L163',
    { availability: 'Alive' },
  ],
  ['deleteMessage', '102', `DELETE ${own}/message-store/1`, '404 CMN-102', 'facts 1.6'],
  [
    'deleteMessages',
    '102',
    `DELETE ${own}/message-store?conversationId=1&type=SMS`,
    '400 MSG-390',
    'facts L240',
  ],
  ['readMessageContent', '102', `GET ${own}/message-store/1/content/1`, '404 CMN-102', 'facts 1.6'],
  ['syncMessages', '102', `GET ${own}/message-sync`, '400 CMN-101', 'Message sync row 1'],
  ['syncMessages', '102', `GET ${own}/message-sync?syncType=ISync`, '400 CMN-101', 'Message sync row 2'],
  ['syncMessages', '102', `GET ${own}/message-sync?syncType=ISync&syncToken=x`, '400 MSG-333', 'facts L262'],
  ['listAccountCallLog', '102', 'GET /account/~/call-log', '403 CMN-408', 'Errors row 4'],
  ['readAccountCallLogRecord', 'administrator', 'GET /account/~/call-log/1', '404 CMN-102', 'facts 1.6'],
  ['listCallLog', '102', `GET ${other}/call-log`, '403 CMN-404', 'Call log and active calls row 2'],
  ['listCallLog', '102', `GET ${own}/call-log?sessionId=1&type=Voice`, '400 CLG-110', 'facts L276'],
  ['readCallLogRecord', '102', `GET ${own}/call-log/1`, '404 CMN-102', 'facts 1.6'],
  ['listAccountActiveCalls', '102', 'GET /account/~/active-calls', '403 CMN-408', 'Errors row 4'],
  ['listActiveCalls', '102', `GET ${other}/active-calls`, '403 CMN-419', 'facts 1.6'],
  ['readRecording', '102', 'GET /account/~/recording/1', '404 CMN-102', 'facts 1.6'],
  ['readRecordingContent', '102', 'GET /account/~/recording/1/content', '404 CMN-102', 'facts 1.6'],
  [
    'readGreetingContent',
    '102',
    `GET ${other}/greeting/171857103/content/171857103`,
    '403 CMN-419',
    'facts 1.6',
  ],
  ['readProfileImageContent', '102', `GET ${own}/profile-image/content/1`, '404 CMN-102', 'facts 1.6'],
  [
    'createSubscription',
    '102',
    'POST /subscription',
    '400 SUB-508',
    'facts 1.6',
    watch('/restapi/v1.0/nothing'),
  ],
  [
    'createSubscription',
    '102',
    'POST /subscription',
    '400 SUB-516',
    'Limits row 12',
    watch('/restapi/v1.0/subscription/~?threshold=800&interval=60'),
  ],
  [
    'createSubscription',
    '102',
    'POST /subscription',
    '403 SUB-403',
    'facts 1.6',
    watch(`/restapi/v1.0${other}/message-store`),
  ],
  [
    'createSubscription',
    '102',
    'POST /subscription',
    '400 SUB-521',
    'Delivery rule 1',
    watch(`/restapi/v1.0${own}/message-store`, { transportType: 'WebHook', address: 'http://127.0.0.1:1/' }),
  ],
  ['readSubscription', '102', 'GET /subscription/1', '404 CMN-102', 'facts L292'],
  ['updateSubscription', '102', 'PUT /subscription/1', '404 CMN-102', 'facts 1.6', {}],
  ['renewSubscription', '102', 'POST /subscription/1/renew', '404 CMN-102', 'facts 1.6'],
  ['deleteSubscription', '102', 'DELETE /subscription/1', '404 CMN-102', 'facts 1.6'],
  ['readChannel', 'nobody', 'GET /v2/subscribe/key/channel/0', '400 CMN-101', 'docs/service-gaps.md'],
  ['createChatWebhook', '102', 'POST /chat/groups/1/webhooks', '404 CMN-102', 'facts 1.6'],
  ['listGroupChatWebhooks', '102', 'GET /chat/groups/1/webhooks', '404 CMN-102', 'facts 1.6'],
  ['readChatWebhook', '102', 'GET /chat/webhooks/1', '404 CMN-102', 'facts 1.6'],
  ['deleteChatWebhook', '102', 'DELETE /chat/webhooks/1', '404 CMN-102', 'facts 1.6'],
  ['activateChatWebhook', '102', 'POST /chat/webhooks/1/activate', '404 CMN-102', 'facts 1.6'],
  ['suspendChatWebhook', '102', 'POST /chat/webhooks/1/suspend', '404 CMN-102', 'facts 1.6'],
  ['postToChat', 'nobody', 'POST /webhook/v2/1', '404 CMN-102', 'facts L295', { body: 'x' }],
  ['readCountry', '102', 'GET /dictionary/country/999999', '404 CMN-102', 'facts 1.6'],
];

export const refusals: readonly Refusal[] = rows.map(([operation, who, request, expected, place, json]) => {
  const [method = '', path = ''] = request.split(' ');
  return { operation, who, method, path, expected, place, json };
});

/** Operations that refuse nothing of their own: a token, where they want one, is all that they need. */
export const withoutRefusal: readonly string[] = [
  'listSubscriptions',
  'listChatWebhooks',
  'listCountries',
  'listStates',
  'listLocations',
  'listTimezones',
  'readApiVersions',
];

/** Refused in the words of OAuth: test/sandbox/token, authorize and sessions. */
export const oauthOperations: readonly string[] = ['authorize', 'issueToken', 'revokeToken'];

/** The permission of the app that the specification's table of permissions, and the facts (1.1, L210), give each operation. */
export const permissions: Readonly<Record<string, readonly string[]>> = {
  ReadAccounts: [
    'listExtensions',
    'readExtension',
    'listDepartmentMembers',
    'listPhoneNumbers',
    'listForwardingNumbers',
    'readGreetingContent',
    'readProfileImageContent',
  ],
  EditExtensions: ['bulkAssignDepartmentMembers'],
  ReadPresence: ['readPresence'],
  EditPresence: ['updatePresence'],
  RingOut: ['startRingOut', 'readRingOut', 'cancelRingOut'],
  SMS: ['sendSms'],
  InternalMessages: ['sendPager'],
  Faxes: ['sendFax'],
  ReadMessages: ['listMessages', 'readMessage', 'readMessageContent', 'syncMessages'],
  EditMessages: ['updateMessage', 'patchMessage', 'deleteMessage', 'deleteMessages'],
  ReadCallLog: [
    'listAccountCallLog',
    'readAccountCallLogRecord',
    'listCallLog',
    'readCallLogRecord',
    'listAccountActiveCalls',
    'listActiveCalls',
  ],
  ReadCallRecording: ['readRecording', 'readRecordingContent'],
};
