import type { z } from 'zod';
import type { Permission, RateGroup } from './enums.ts';
import { BulkAssignRequest, DepartmentMemberList } from './department.ts';
import { ExtensionList, ExtensionQuery } from './extension.ts';
import { Message, MessageList, MessageQuery, SmsRequest } from './message.ts';
import { AuthorizeQuery, TokenForm, TokenReply } from './oauth.ts';
import { PageQuery } from './common.ts';
import { ForwardingNumberList, PhoneNumberList } from './phone-number.ts';
import { Presence, PresenceQuery, PresenceUpdate } from './presence.ts';
import { Subscription, SubscriptionList, SubscriptionRequest, SubscriptionUpdate } from './subscription.ts';

/** One row of the specification's endpoint tables. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` for each parameter. */
  readonly path: string;
  /** Heading of the specification that states it. */
  readonly section: string;
  readonly summary: string;
  /** How the caller proves who it is: a bearer token, the app's Basic header, or nothing. */
  readonly authorization: 'bearer' | 'client' | 'none';
  /** Permission of the app; absent where the specification names none. */
  readonly permission?: Permission;
  readonly group?: RateGroup;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** `json` unless said otherwise. */
  readonly bodyType?: 'json' | 'form';
  /** A body that may be left out. */
  readonly bodyOptional?: boolean;
  readonly status: 200 | 204 | 302;
  /** Absent for a reply without JSON. */
  readonly reply?: z.ZodType;
}

const account = '/restapi/v1.0/account/{accountId}';
const extension = `${account}/extension/{extensionId}`;
const subscription = '/restapi/v1.0/subscription';

/** Every operation that the sandbox serves and the client calls. A test compares both with this table. */
export const operations = {
  listExtensions: {
    method: 'GET',
    path: `${account}/extension`,
    section: 'Call queues and presence',
    summary: 'Lists extensions; `type=Department` lists call queues',
    authorization: 'bearer',
    permission: 'ReadAccounts',
    group: 'Medium',
    query: ExtensionQuery,
    status: 200,
    reply: ExtensionList,
  },
  listDepartmentMembers: {
    method: 'GET',
    path: `${account}/department/{departmentId}/members`,
    section: 'Call queues and presence',
    summary: 'Lists the agents of a call queue',
    authorization: 'bearer',
    permission: 'ReadAccounts',
    group: 'Light',
    query: PageQuery,
    status: 200,
    reply: DepartmentMemberList,
  },
  bulkAssignDepartmentMembers: {
    method: 'POST',
    path: `${account}/department/bulk-assign`,
    section: 'Call queues and presence',
    summary: 'Adds and removes agents of several call queues',
    authorization: 'bearer',
    permission: 'EditExtensions',
    group: 'Heavy',
    body: BulkAssignRequest,
    status: 204,
  },
  readPresence: {
    method: 'GET',
    path: `${extension}/presence`,
    section: 'Call queues and presence',
    summary: 'Reads the presence of an extension',
    authorization: 'bearer',
    permission: 'ReadPresence',
    group: 'Light',
    query: PresenceQuery,
    status: 200,
    reply: Presence,
  },
  updatePresence: {
    method: 'PUT',
    path: `${extension}/presence`,
    section: 'Call queues and presence',
    summary: 'Changes the presence of an extension',
    authorization: 'bearer',
    permission: 'EditPresence',
    group: 'Medium',
    body: PresenceUpdate,
    status: 200,
    reply: Presence,
  },
  listPhoneNumbers: {
    method: 'GET',
    path: `${extension}/phone-number`,
    section: 'Messaging',
    summary: 'Lists the phone numbers of an extension',
    authorization: 'bearer',
    permission: 'ReadAccounts',
    group: 'Light',
    query: PageQuery,
    status: 200,
    reply: PhoneNumberList,
  },
  listForwardingNumbers: {
    method: 'GET',
    path: `${extension}/forwarding-number`,
    section: 'Two-legged outbound call',
    summary: 'Lists the forwarding numbers of an extension',
    authorization: 'bearer',
    permission: 'ReadAccounts',
    group: 'Light',
    query: PageQuery,
    status: 200,
    reply: ForwardingNumberList,
  },
  sendSms: {
    method: 'POST',
    path: `${extension}/sms`,
    section: 'Messaging',
    summary: 'Sends a text message',
    authorization: 'bearer',
    permission: 'SMS',
    group: 'Medium',
    body: SmsRequest,
    status: 200,
    reply: Message,
  },
  listMessages: {
    method: 'GET',
    path: `${extension}/message-store`,
    section: 'Messaging',
    summary: 'Lists the messages of a mailbox',
    authorization: 'bearer',
    permission: 'ReadMessages',
    group: 'Light',
    query: MessageQuery,
    status: 200,
    reply: MessageList,
  },
  readMessage: {
    method: 'GET',
    path: `${extension}/message-store/{messageId}`,
    section: 'Messaging',
    summary: 'Reads one message',
    authorization: 'bearer',
    permission: 'ReadMessages',
    group: 'Light',
    status: 200,
    reply: Message,
  },
  createSubscription: {
    method: 'POST',
    path: subscription,
    section: 'Subscriptions',
    summary: 'Creates a subscription',
    authorization: 'bearer',
    group: 'Medium',
    body: SubscriptionRequest,
    status: 200,
    reply: Subscription,
  },
  listSubscriptions: {
    method: 'GET',
    path: subscription,
    section: 'Subscriptions',
    summary: 'Lists the subscriptions of this user and app',
    authorization: 'bearer',
    group: 'Light',
    status: 200,
    reply: SubscriptionList,
  },
  readSubscription: {
    method: 'GET',
    path: `${subscription}/{subscriptionId}`,
    section: 'Subscriptions',
    summary: 'Reads one subscription',
    authorization: 'bearer',
    group: 'Light',
    status: 200,
    reply: Subscription,
  },
  updateSubscription: {
    method: 'PUT',
    path: `${subscription}/{subscriptionId}`,
    section: 'Subscriptions',
    summary: 'Changes the filters of a subscription and renews it',
    authorization: 'bearer',
    group: 'Medium',
    body: SubscriptionUpdate,
    bodyOptional: true,
    status: 200,
    reply: Subscription,
  },
  renewSubscription: {
    method: 'POST',
    path: `${subscription}/{subscriptionId}/renew`,
    section: 'Subscriptions',
    summary: 'Renews a subscription',
    authorization: 'bearer',
    group: 'Light',
    status: 200,
    reply: Subscription,
  },
  deleteSubscription: {
    method: 'DELETE',
    path: `${subscription}/{subscriptionId}`,
    section: 'Subscriptions',
    summary: 'Deletes a subscription',
    authorization: 'bearer',
    group: 'Medium',
    status: 204,
  },
  authorize: {
    method: 'GET',
    path: '/restapi/oauth/authorize',
    section: 'Authorization code flow',
    summary: 'Shows the sign-in and consent page; ends in a redirect',
    authorization: 'none',
    query: AuthorizeQuery,
    status: 200,
  },
  issueToken: {
    method: 'POST',
    path: '/restapi/oauth/token',
    section: 'Token endpoints',
    summary: 'Issues tokens by any of the grants',
    authorization: 'client',
    group: 'Auth',
    body: TokenForm,
    bodyType: 'form',
    status: 200,
    reply: TokenReply,
  },
  revokeToken: {
    method: 'POST',
    path: '/restapi/oauth/revoke',
    section: 'Revocation',
    summary: 'Revokes a token; answers 200 whatever happened',
    authorization: 'client',
    group: 'Auth',
    bodyType: 'form',
    status: 200,
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
