import type { Operation } from '../../src/contract/operations.ts';

/** An endpoint of the interface. */
export interface EndpointRow {
  readonly method: Operation['method'];
  readonly path: string;
  /** Rule of docs/spec that states it. */
  readonly place: string;
}

const account = '/restapi/v1.0/account/{accountId}';
const extension = `${account}/extension/{extensionId}`;
const store = `${extension}/message-store`;
const hooks = '/restapi/v1.0/chat/webhooks';

function rows(place: string, ...lines: readonly string[]): readonly EndpointRow[] {
  return lines.map((line) => {
    const [method, path] = line.split(' ') as [Operation['method'], string];
    return { method, path, place };
  });
}

/** Transcribed from docs/spec, rule by rule, independently of the contract. */
export const endpointRows: readonly EndpointRow[] = [
  ...rows('QUEUE-1, EXT-12', `GET ${account}/extension`),
  ...rows('QUEUE-2', `GET ${account}/department/{departmentId}/members`),
  ...rows('QUEUE-3', `POST ${account}/department/bulk-assign`),
  ...rows('OPERATION-1', `GET ${account}/call-queues`),
  ...rows('OPERATION-2', `GET ${account}/call-queues/{groupId}`),
  ...rows('OPERATION-3', `PUT ${account}/call-queues/{groupId}`),
  ...rows('OPERATION-4', `GET ${account}/call-queues/{groupId}/members`),
  ...rows('OPERATION-5', `POST ${account}/call-queues/{groupId}/bulk-assign`),
  ...rows('CURRENT-8', `PUT ${extension}/call-queues`),
  ...rows('OPERATION-7', `GET ${extension}/features`),
  ...rows('OPERATION-8', `GET ${account}/call-queues/{groupId}/presence`),
  ...rows('OPERATION-9', `PUT ${account}/call-queues/{groupId}/presence`),
  ...rows('OPERATION-10', `GET ${extension}/call-queue-presence`),
  ...rows('OPERATION-11', `PUT ${extension}/call-queue-presence`),
  ...rows('OPERATION-12', `GET ${account}/presence`),
  ...rows('OPERATION-15', `GET ${extension}/unified-presence`),
  ...rows('OPERATION-16', `PATCH ${extension}/unified-presence`),
  ...rows('OPERATION-55', `POST ${account}/extension`),
  ...rows('PRESENCE-1', `GET ${extension}/presence`),
  ...rows('PRESENCE-2', `PUT ${extension}/presence`),
  ...rows('RINGOUT-1', `POST ${extension}/ringout`),
  ...rows('RINGOUT-2', `GET ${extension}/ringout/{ringoutId}`),
  ...rows('RINGOUT-3', `DELETE ${extension}/ringout/{ringoutId}`),
  ...rows(
    'RINGOUT-4',
    `POST ${extension}/ring-out`,
    `GET ${extension}/ring-out/{ringoutId}`,
    `DELETE ${extension}/ring-out/{ringoutId}`,
  ),
  ...rows('NUMBER-4', `GET ${extension}/forwarding-number`),
  ...rows('SMS-1', `POST ${extension}/sms`),
  ...rows('PAGER-1', `POST ${extension}/company-pager`),
  ...rows('FAX-1', `POST ${extension}/fax`),
  ...rows('MESSAGE-39', `GET ${store}/{messageId}`),
  ...rows('NUMBER-1', `GET ${extension}/phone-number`),
  ...rows('MESSAGE-40', `GET ${store}`),
  ...rows('MEDIA-10', `GET ${store}/{messageId}/content/{contentId}`),
  ...rows('MESSAGE-46', `PUT ${store}/{messageId}`),
  ...rows('MESSAGE-48', `DELETE ${store}/{messageId}`),
  ...rows('MESSAGE-49', `DELETE ${store}`),
  ...rows('SMS-9', `POST ${extension}/mms`),
  ...rows('MESSAGE-47', `PATCH ${store}/{messageId}`),
  ...rows('SYNC-10', `GET ${extension}/message-sync`),
  ...rows('CALL-1', `GET ${account}/call-log`),
  ...rows('CALL-2', `GET ${extension}/call-log`),
  ...rows('ACTIVE-1', `GET ${account}/active-calls`),
  ...rows('ACTIVE-2', `GET ${extension}/active-calls`),
  ...rows('CALL-25', `GET ${extension}/call-log-sync`),
  ...rows('CALL-19', `GET ${account}/call-log/{callRecordId}`, `GET ${extension}/call-log/{callRecordId}`),
  ...rows('MEDIA-5', `GET ${account}/recording/{recordingId}`),
  ...rows(
    'MEDIA-10',
    `GET ${account}/recording/{recordingId}/content/{contentId}`,
    `GET ${account}/recording/{recordingId}/content`,
    `GET ${extension}/greeting/{greetingId}/content/{contentId}`,
    `GET ${extension}/profile-image/content/{contentId}`,
  ),
  ...rows('SUBSCRIPTION-1', 'POST /restapi/v1.0/subscription'),
  ...rows('SUBSCRIPTION-2', 'GET /restapi/v1.0/subscription'),
  ...rows('SUBSCRIPTION-3', 'PUT /restapi/v1.0/subscription/{subscriptionId}'),
  ...rows('SUBSCRIPTION-4', 'POST /restapi/v1.0/subscription/{subscriptionId}/renew'),
  ...rows('SUBSCRIPTION-5', 'DELETE /restapi/v1.0/subscription/{subscriptionId}'),
  ...rows('SUBSCRIPTION-6', 'GET /restapi/v1.0/subscription/{subscriptionId}'),
  ...rows('CHANNEL-2', 'GET /v2/subscribe/{subscriberKey}/{channel}/0'),
  ...rows('CHANNEL-5', 'GET /time/0'),
  ...rows('CHANNEL-6', 'GET /v2/presence/sub-key/{subscriberKey}/channel/{channel}/leave'),
  ...rows('CHAT-1', 'POST /restapi/v1.0/chat/groups/{groupId}/webhooks'),
  ...rows('CHAT-2', 'POST /webhook/v2/{webhookKey}'),
  ...rows(
    'CHAT-4',
    'GET /restapi/v1.0/chat/groups/{groupId}/webhooks',
    `GET ${hooks}`,
    `GET ${hooks}/{webhookId}`,
    `DELETE ${hooks}/{webhookId}`,
    `POST ${hooks}/{webhookId}/activate`,
    `POST ${hooks}/{webhookId}/suspend`,
  ),
  ...rows('CHAT-5', 'POST /webhook/{webhookKey}'),
  ...rows('OAUTH-1', 'POST /restapi/oauth/token'),
  ...rows('OAUTH-2', 'POST /restapi/oauth/revoke'),
  ...rows('OAUTH-3', 'GET /restapi/oauth/authorize'),
  ...rows(
    'DICT-1',
    'GET /restapi/v1.0/dictionary/country',
    'GET /restapi/v1.0/dictionary/state',
    'GET /restapi/v1.0/dictionary/location',
    'GET /restapi/v1.0/dictionary/timezone',
  ),
  ...rows('EXT-13', `GET ${extension}`),
  ...rows('EXT-14', `PUT ${extension}`),
  ...rows('EXT-18', `POST ${account}/extension-bulk-update`),
  ...rows('EXT-19', `GET ${account}/extension-bulk-update/tasks/{taskId}`),
  ...rows('DICT-2', 'GET /restapi/v1.0/dictionary/country/{countryId}'),
  ...rows('SOCKET-1', 'POST /restapi/oauth/wstoken'),
  ...rows('HOURS-1', `GET ${account}/business-hours`, `GET ${extension}/business-hours`),
  ...rows('HOURS-3', `PUT ${account}/business-hours`, `PUT ${extension}/business-hours`),
  ...rows('RULE-1', `GET ${extension}/answering-rule`),
  ...rows('RULE-3', `GET ${extension}/answering-rule/{ruleId}`),
  ...rows('RULE-4', `POST ${extension}/answering-rule`),
  ...rows('RULE-5', `PUT ${extension}/answering-rule/{ruleId}`),
  ...rows('RULE-6', `DELETE ${extension}/answering-rule/{ruleId}`),
  ...rows('TEXTBATCH-1', `POST ${account}/a2p-sms/batches`),
  ...rows('TEXTBATCH-4', `GET ${account}/a2p-sms/batches/{batchId}`),
  ...rows('TEXTBATCH-5', `GET ${account}/a2p-sms/batches`),
  ...rows('TEXTBATCH-6', `GET ${account}/a2p-sms/messages`),
  ...rows('REPORT-1', `POST ${account}/message-store-report`),
  ...rows('REPORT-2', `GET ${account}/message-store-report/{taskId}`),
  ...rows('REPORT-3', `GET ${account}/message-store-report/{taskId}/archive`),
  ...rows('REPORT-4', `GET ${account}/message-store-report/{taskId}/archive/{contentId}`),
  ...rows('AUDIT-1', `POST ${account}/audit-trail/search`),
  ...rows('BASE-16', 'GET /restapi', 'GET /restapi/v1.0'),
];

/** Why an operation requires no permission of the app. */
export const withoutPermission: Readonly<Record<string, string>> = {
  createSubscription: 'that of each filter',
  listSubscriptions: "the caller's own subscriptions",
  readSubscription: "the caller's own subscriptions",
  updateSubscription: 'that of each filter',
  renewSubscription: 'that of each filter',
  deleteSubscription: "the caller's own subscriptions",
  readChannel: 'the keys of the channel',
  readChannelTime: 'public',
  leaveChannel: 'public',
  createChatWebhook: 'membership of the group',
  listGroupChatWebhooks: 'membership of the group',
  listChatWebhooks: "the caller's own webhooks",
  readChatWebhook: "the caller's own webhooks",
  deleteChatWebhook: "the caller's own webhooks",
  activateChatWebhook: "the caller's own webhooks",
  suspendChatWebhook: "the caller's own webhooks",
  postToChat: 'the address is the credential',
  listCountries: 'any token, also of a signup session',
  readCountry: 'any token, also of a signup session',
  listStates: 'any token, also of a signup session',
  listLocations: 'any token, also of a signup session',
  listTimezones: 'any token, also of a signup session',
  readApiVersions: 'public',
  authorize: 'public',
  issueToken: 'the app itself',
  revokeToken: 'the app itself',
};
