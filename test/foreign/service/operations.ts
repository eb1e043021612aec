/** How an operation answers in the absence of errors. */
export type ReplyKind = 'record' | 'list' | 'nothing' | 'media' | 'sync' | 'several' | 'post';

export interface ForeignOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Spellings of the path, with `{name}` for each parameter; a dialect may have its own. */
  readonly paths: readonly string[];
  readonly reply: ReplyKind;
}

const account = '/restapi/v1.0/account/{account}';
const person = `${account}/extension/{extension}`;
const store = `${person}/message-store`;
const subscription = '/restapi/v1.0/subscription';
const group = '/groups/{group}/webhooks';
const chat = ['/restapi/v1.0/chat', '/team-messaging/v1'];
const ringOut = [`${person}/ringout`, `${person}/ring-out`];
const dictionary = '/restapi/v1.0/dictionary';

const below = (roots: readonly string[], path: string): readonly string[] => roots.map((root) => root + path);
const get = (reply: ReplyKind, ...paths: readonly string[]): ForeignOperation => ({
  method: 'GET',
  paths,
  reply,
});
const post = (reply: ReplyKind, ...paths: readonly string[]): ForeignOperation => ({
  method: 'POST',
  paths,
  reply,
});
const put = (reply: ReplyKind, ...paths: readonly string[]): ForeignOperation => ({
  method: 'PUT',
  paths,
  reply,
});
const patch = (reply: ReplyKind, ...paths: readonly string[]): ForeignOperation => ({
  method: 'PATCH',
  paths,
  reply,
});
const remove = (reply: ReplyKind, ...paths: readonly string[]): ForeignOperation => ({
  method: 'DELETE',
  paths,
  reply,
});

/** The operations of both dialects; an operation whose dialects differ only in spelling has several paths. */
export const foreignOperations = {
  issueToken: post('record', '/restapi/oauth/token'),
  revokeToken: post('nothing', '/restapi/oauth/revoke'),
  socketToken: post('record', '/restapi/oauth/wstoken'),
  readVersions: get('record', '/restapi', '/restapi/v1.0'),

  listExtensions: get('list', `${account}/extension`),
  readExtension: get('record', person),
  updateExtensions: post('record', `${account}/extension-bulk-update`),
  readExtensionTask: get('record', `${account}/extension-bulk-update/tasks/{task}`),
  createExtension: post('record', `${account}/extension`),
  listQueueMembers: get(
    'list',
    `${account}/department/{queue}/members`,
    `${account}/call-queues/{queue}/members`,
  ),
  assignInQueues: post('nothing', `${account}/department/bulk-assign`),
  listQueues: get('list', `${account}/call-queues`),
  readQueue: get('record', `${account}/call-queues/{queue}`),
  updateQueue: put('record', `${account}/call-queues/{queue}`),
  assignInQueue: post('nothing', `${account}/call-queues/{queue}/bulk-assign`),
  updateQueuesOfPerson: put('list', `${person}/call-queues`),
  readFeatures: get('list', `${person}/features`),

  readHours: get('record', `${account}/business-hours`, `${person}/business-hours`),
  updateHours: put('record', `${account}/business-hours`, `${person}/business-hours`),
  listRules: get('list', `${person}/answering-rule`),
  createRule: post('record', `${person}/answering-rule`),
  readRule: get('record', `${person}/answering-rule/{rule}`),
  updateRule: put('record', `${person}/answering-rule/{rule}`),
  deleteRule: remove('nothing', `${person}/answering-rule/{rule}`),
  searchAuditTrail: post('list', `${account}/audit-trail/search`),

  createSmsBatch: post('record', `${account}/a2p-sms/batches`),
  listSmsBatches: get('list', `${account}/a2p-sms/batches`),
  readSmsBatch: get('record', `${account}/a2p-sms/batches/{batch}`),
  listSmsBatchMessages: get('list', `${account}/a2p-sms/messages`),

  createMessageReport: post('record', `${account}/message-store-report`),
  readMessageReport: get('record', `${account}/message-store-report/{report}`),
  listMessageReportFiles: get('list', `${account}/message-store-report/{report}/archive`),

  readPresence: get('several', `${person}/presence`),
  updatePresence: put('record', `${person}/presence`),
  listPresences: get('list', `${account}/presence`),
  readQueuePresence: get('list', `${account}/call-queues/{queue}/presence`),
  updateQueuePresence: put('list', `${account}/call-queues/{queue}/presence`),
  readQueuePresenceOfPerson: get('list', `${person}/call-queue-presence`),
  updateQueuePresenceOfPerson: put('list', `${person}/call-queue-presence`),

  listPhoneNumbers: get('list', `${person}/phone-number`),
  listForwardingNumbers: get('list', `${person}/forwarding-number`),

  startRingOut: post('record', ...ringOut),
  readRingOut: get('record', ...below(ringOut, '/{ringOut}')),
  cancelRingOut: remove('nothing', ...below(ringOut, '/{ringOut}')),

  sendSms: post('record', `${person}/sms`, `${person}/mms`),
  sendPager: post('record', `${person}/company-pager`),
  sendFax: post('record', `${person}/fax`),
  listMessages: get('list', store),
  deleteMessages: remove('nothing', store),
  readMessage: get('several', `${store}/{message}`),
  updateMessage: put('several', `${store}/{message}`),
  patchMessage: patch('several', `${store}/{message}`),
  deleteMessage: remove('nothing', `${store}/{message}`),
  syncMessages: get('sync', `${person}/message-sync`),
  readAttachment: get('media', `${store}/{message}/content/{content}`),

  listCalls: get('list', `${account}/call-log`, `${person}/call-log`),
  readCall: get('several', `${account}/call-log/{call}`, `${person}/call-log/{call}`),
  syncCalls: get('sync', `${person}/call-log-sync`),
  listActiveCalls: get('list', `${account}/active-calls`, `${person}/active-calls`),
  readRecording: get('record', `${account}/recording/{recording}`),
  readRecordingContent: get('media', `${account}/recording/{recording}/content`),

  createSubscription: post('record', subscription),
  listSubscriptions: get('list', subscription),
  readSubscription: get('record', `${subscription}/{subscription}`),
  updateSubscription: put('record', `${subscription}/{subscription}`),
  renewSubscription: post('record', `${subscription}/{subscription}/renew`),
  deleteSubscription: remove('nothing', `${subscription}/{subscription}`),

  createChatWebhook: post('record', ...below(chat, group)),
  listGroupChatWebhooks: get('list', ...below(chat, group)),
  listChatWebhooks: get('list', ...below(chat, '/webhooks')),
  readChatWebhook: get('list', ...below(chat, '/webhooks/{webhook}')),
  deleteChatWebhook: remove('nothing', ...below(chat, '/webhooks/{webhook}')),
  activateChatWebhook: post('nothing', ...below(chat, '/webhooks/{webhook}/activate')),
  suspendChatWebhook: post('nothing', ...below(chat, '/webhooks/{webhook}/suspend')),
  postToChat: post('post', '/webhook/v2/{webhook}', '/webhook/{webhook}'),

  listCountries: get('list', `${dictionary}/country`),
  readCountry: get('record', `${dictionary}/country/{country}`),
  listStates: get('list', `${dictionary}/state`),
  listLocations: get('list', `${dictionary}/location`),
  listTimezones: get('list', `${dictionary}/timezone`),
} as const satisfies Readonly<Record<string, ForeignOperation>>;

export type OperationName = keyof typeof foreignOperations;

export interface Route {
  readonly name: OperationName;
  readonly parameters: Readonly<Record<string, string>>;
}

const patterns = Object.entries(foreignOperations).flatMap(([name, { method, paths }]) =>
  paths.map((path) => ({
    name: name as OperationName,
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`),
  })),
);

/** The operation that a request addresses. */
export function routeOf(method: string, path: string): Route | undefined {
  for (const { name, method: wanted, pattern } of patterns) {
    const found = method === wanted ? pattern.exec(path) : null;
    if (!found) continue;
    const entries = Object.entries(found.groups ?? {});
    return {
      name,
      parameters: Object.fromEntries(entries.map(([key, value]) => [key, decodeURIComponent(value)])),
    };
  }
  return undefined;
}
