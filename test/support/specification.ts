import type { Operation } from '../../src/contract/operations.ts';

/** A row of the specification's endpoint tables; `facts` for what it only mentions and the facts give a path to. */
export interface EndpointRow {
  readonly method: Operation['method'];
  readonly path: string;
  /** Its section and number, or where the facts say it. */
  readonly place: string;
}

const account = '/restapi/v1.0/account/{accountId}';
const extension = `${account}/extension/{extensionId}`;
const store = `${extension}/message-store`;
const hooks = '/restapi/v1.0/chat/webhooks';

function rows(place: string, ...lines: readonly string[]): readonly EndpointRow[] {
  return lines.map((line, index) => {
    const [method, path] = line.split(' ') as [Operation['method'], string];
    return { method, path, place: lines.length === 1 ? place : `${place} ${index + 1}` };
  });
}

/** Transcribed from the tables, line by line, without a look at the contract. */
export const endpointRows: readonly EndpointRow[] = [
  ...rows(
    'Call queues and presence row',
    `GET ${account}/extension`,
    `GET ${account}/department/{departmentId}/members`,
    `POST ${account}/department/bulk-assign`,
    `GET ${extension}/presence`,
    `PUT ${extension}/presence`,
  ),
  ...rows(
    'Two-legged outbound call row',
    `POST ${extension}/ringout`,
    `GET ${extension}/ringout/{ringoutId}`,
    `DELETE ${extension}/ringout/{ringoutId}`,
  ),
  ...rows(
    'Two-legged outbound call, other spelling',
    `POST ${extension}/ring-out`,
    `GET ${extension}/ring-out/{ringoutId}`,
    `DELETE ${extension}/ring-out/{ringoutId}`,
  ),
  ...rows('Two-legged outbound call sentence 3', `GET ${extension}/forwarding-number`),
  ...rows(
    'Messaging row',
    `POST ${extension}/sms`,
    `POST ${extension}/company-pager`,
    `POST ${extension}/fax`,
    `GET ${store}/{messageId}`,
    `GET ${extension}/phone-number`,
  ),
  ...rows(
    'Messaging sentence 1; facts L240',
    `GET ${store}`,
    `GET ${store}/{messageId}/content/{contentId}`,
    `PUT ${store}/{messageId}`,
    `DELETE ${store}/{messageId}`,
    `DELETE ${store}`,
  ),
  ...rows('Messaging row 1 with files; facts 1.2', `POST ${extension}/mms`),
  ...rows('Message availability row 3; facts L163', `PATCH ${store}/{messageId}`),
  ...rows('Message sync', `GET ${extension}/message-sync`),
  ...rows(
    'Call log and active calls row',
    `GET ${account}/call-log`,
    `GET ${extension}/call-log`,
    `GET ${account}/active-calls`,
    `GET ${extension}/active-calls`,
  ),
  ...rows(
    'Call log and active calls sentence 5; facts L278',
    `GET ${account}/call-log/{callRecordId}`,
    `GET ${extension}/call-log/{callRecordId}`,
  ),
  ...rows(
    'Media content; facts L123',
    `GET ${account}/recording/{recordingId}`,
    `GET ${account}/recording/{recordingId}/content/{contentId}`,
    `GET ${account}/recording/{recordingId}/content`,
    `GET ${extension}/greeting/{greetingId}/content/{contentId}`,
    `GET ${extension}/profile-image/content/{contentId}`,
  ),
  ...rows(
    'Subscriptions row',
    'POST /restapi/v1.0/subscription',
    'GET /restapi/v1.0/subscription',
    'PUT /restapi/v1.0/subscription/{subscriptionId}',
    'POST /restapi/v1.0/subscription/{subscriptionId}/renew',
    'DELETE /restapi/v1.0/subscription/{subscriptionId}',
  ),
  ...rows('Subscriptions sentence 1; facts L292', 'GET /restapi/v1.0/subscription/{subscriptionId}'),
  ...rows('Delivery rule 2; facts 1.4', 'GET /v2/subscribe/{subscriberKey}/{channel}/0'),
  ...rows('Chat webhooks sentence 1', 'POST /restapi/v1.0/chat/groups/{groupId}/webhooks'),
  ...rows('Chat webhooks sentence 2', 'POST /webhook/v2/{webhookKey}'),
  ...rows(
    'Chat webhooks; facts L295',
    'GET /restapi/v1.0/chat/groups/{groupId}/webhooks',
    `GET ${hooks}`,
    `GET ${hooks}/{webhookId}`,
    `DELETE ${hooks}/{webhookId}`,
    `POST ${hooks}/{webhookId}/activate`,
    `POST ${hooks}/{webhookId}/suspend`,
    'POST /webhook/{webhookKey}',
  ),
  ...rows(
    'Token endpoints row',
    'POST /restapi/oauth/token',
    'POST /restapi/oauth/revoke',
    'GET /restapi/oauth/authorize',
  ),
  ...rows(
    'Signup session; common dictionaries',
    'GET /restapi/v1.0/dictionary/country',
    'GET /restapi/v1.0/dictionary/state',
    'GET /restapi/v1.0/dictionary/location',
    'GET /restapi/v1.0/dictionary/timezone',
  ),
  ...rows('Extension row 1, the address of a resource', `GET ${extension}`),
  ...rows('Dictionaries, the address of a resource', 'GET /restapi/v1.0/dictionary/country/{countryId}'),
  ...rows('Versioning; facts L467', 'GET /restapi', 'GET /restapi/v1.0'),
];

/** Why an operation asks the app for no permission of its own. */
export const withoutPermission: Readonly<Record<string, string>> = {
  createSubscription: 'that of each filter',
  listSubscriptions: "the caller's own subscriptions",
  readSubscription: "the caller's own subscriptions",
  updateSubscription: 'that of each filter',
  renewSubscription: 'that of each filter',
  deleteSubscription: "the caller's own subscriptions",
  readChannel: 'the keys of the channel',
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
