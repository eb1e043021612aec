/**
 * Every place of the specification that a test must name, in our words: table rows, numbered rules, and sentences, counted within their
 * section. A title names places as `spec:SMS rule 8`, `spec:Limits rows 3-4`, or several of them with `; spec:` between.
 */
export interface Section {
  readonly name: string;
  readonly kind: 'row' | 'rule' | 'sentence';
  readonly labels: readonly string[];
  /** Other names of the section in titles. */
  readonly also?: readonly string[];
}

function section(name: string, kind: Section['kind'], labels: string, also: readonly string[] = []): Section {
  return { name, kind, labels: labels.split('|').map((label) => label.trim()), also };
}

export const sections: readonly Section[] = [
  section('Paged list', 'row', 'uri | records | paging | navigation'),
  section('Paged list', 'sentence', 'page, perPage, 100 by default | a sync is not paged'),
  section(
    'Extension',
    'row',
    'uri | id | extensionNumber | contact | name | type | status | permissions | profileImage',
  ),
  section('Department member', 'row', 'uri | id | extensionNumber'),
  section('Bulk-assign', 'row', 'departmentId | addedExtensionIds | removedExtensionIds'),
  section(
    'Presence',
    'row',
    `uri | extension | presenceStatus | telephonyStatus | userStatus | dndStatus | message | allowSeeMyPresence |
    ringOnMonitoredCall | pickUpCallsOnHold`,
  ),
  section('Outbound call', 'row', 'id | uri | status'),
  section(
    'Message',
    'row',
    `uri | id | to | from | type | creationTime | lastModifiedTime | readStatus | priority | attachments | direction | availability |
    subject | messageStatus | conversationId | faxResolution | faxPageCount | smsDeliveryTime | pgToDepartment`,
  ),
  section('Message', 'sentence', 'members of a party | prefixes of fields by type'),
  section('Phone number', 'sentence', 'fields of a record'),
  section('Sync info', 'sentence', 'fields of syncInfo'),
  section(
    'Call log record',
    'sentence',
    'Simple view | Detailed view adds transport, lastModifiedTime, legs | fields of a leg | one sessionId for a call | recording and contentUri | active calls have the same shape',
  ),
  section(
    'Subscription',
    'row',
    'id | uri | eventFilters | deliveryMode | expirationTime | creationTime | status',
  ),
  section('Subscription', 'sentence', 'fields of deliveryMode | the secret key'),
  section('Notification', 'sentence', 'fields; the body may be missing'),
  section('Chat webhook', 'sentence', 'fields'),
  section('Post body', 'row', 'icon | title | body | attachments'),
  section('Card', 'sentence', 'fields of a card | events and notes'),
  section(
    'Message availability',
    'row',
    'new: Alive | deleted: Deleted | restored: Alive | after 5 days: Purged | after 5 more: removed',
  ),
  section(
    'Message availability',
    'sentence',
    'a full mailbox loses its oldest | lists hide what is not Alive',
  ),
  section('messageStatus', 'row', 'Received | Queued | Sent | SendingFailed | Delivered | DeliveryFailed'),
  section('callStatus', 'row', 'InProgress | Success | CannotReach | NoAnsweringMachine'),
  section(
    'Leg status',
    'row',
    `InProgress | Busy | NoAnswer | Rejected | Success | Finished | GenericError | InternationalDisabled | NoSessionFound | Invalid`,
  ),
  section('Outbound call statuses', 'row', 'DELETE while the callee is InProgress'),
  section(
    'Subscription states',
    'sentence',
    'not renewed: stops at its end | a renewal or PUT moves the end | DELETE removes it',
  ),
  section('Extension status', 'sentence', 'Enabled, Disabled, Frozen'),
  section('Sync', 'sentence', 'FSync makes the first token, ISync takes the one before'),
  section('Endpoints', 'sentence', 'all calls need authorization | JSON, forms for tokens'),
  section(
    'Call queues and presence',
    'row',
    'list queues | list members | bulk-assign | read presence | change presence',
  ),
  section(
    'Call queues and presence',
    'sentence',
    'dndStatus is the queue-agent mode | no operation creates a queue',
  ),
  section('Two-legged outbound call', 'row', 'start | poll | cancel'),
  section(
    'Two-legged outbound call',
    'rule',
    'to, and from without a default number | E.164 | playPrompt | 400 for what is missing or invalid',
  ),
  section('Two-legged outbound call', 'sentence', 'both spellings | no caller ID field | forwarding numbers'),
  section('Messaging', 'row', 'sms | company-pager | fax | read a message | phone numbers'),
  section('Messaging', 'sentence', 'list with filters, content, read status, deletion'),
  section(
    'Messaging',
    'rule',
    `who receives | one or several recipients | a page to a department | numbers that send | main number and operator |
    a department’s number | no page on behalf of a department | SMS to an inactive extension | page to an inactive extension |
    threads are for their recipients`,
    ['SMS', 'Pager', 'SMS and pager'],
  ),
  section(
    'Message sync',
    'row',
    'syncType | syncToken | messageType | direction | dateFrom, dateTo | recordCount',
  ),
  section(
    'Message sync',
    'sentence',
    'uri, records, syncInfo | a frame may change | only what is new or changed; of deleted ones id and availability | read-only, not paged',
  ),
  section(
    'Call log and active calls',
    'row',
    'log of the account | log of the extension | active calls of the account | active calls of the extension',
  ),
  section(
    'Call log and active calls',
    'sentence',
    'query of the log | active calls drop queries, Simple only | replies are alike | only connected calls | several records by key',
  ),
  section('Media content', 'sentence', 'addresses end in /content/{id} | Range | 206'),
  section('Subscriptions', 'row', 'create | list | change | renew | delete'),
  section('Subscriptions', 'sentence', 'read one | filters in effect | filters of several extensions'),
  section('Chat webhooks', 'sentence', 'create for a group or team | post to its address'),
  section('Token endpoints', 'row', 'token | revoke, in form or query | authorize'),
  section(
    'Authentication',
    'rule',
    'the steps of a client | Basic header of the app | bearer header or query | which app may use which flow',
  ),
  section('Authorization code flow', 'row', 'response_type | client_id | redirect_uri | state'),
  section('Authorization code flow', 'sentence', 'sign-in and consent | redirect with code | denial'),
  section('Code exchange', 'row', 'grant_type | code | redirect_uri | access_token_ttl | refresh_token_ttl'),
  section('Password flow', 'row', 'grant_type | username | extension | password | lifetimes'),
  section('Client credentials flow', 'sentence', 'trusted apps, brand | access_token_ttl'),
  section('Signup session', 'sentence', 'reads dictionaries | 401 for account data'),
  section(
    'Account-centric session',
    'sentence',
    'account_id or brand and partner id | its account only | 401 for another',
  ),
  section(
    'Token response',
    'row',
    'access_token | expires_in | refresh_token | refresh_token_expires_in | scope | token_type | owner_id',
  ),
  section(
    'Token lifetime',
    'rule',
    'one hour, one week | refresh token: single use, no access | 401 when expired | revoked, and new credentials end all | the refresh request',
  ),
  section('Revocation', 'sentence', 'Basic header and token | 200 in any case'),
  section(
    'Permissions',
    'row',
    `Accounts | Contacts | DirectRingOut | EditAccounts | EditCallLog | EditCustomData | EditExtensions | EditMessages | EditPaymentInfo |
    EditPresence | EditReportingSettings | Faxes | InternalMessages | Interoperability | Meetings | NumberLookup | ReadAccounts |
    ReadCallLog | ReadCallRecording | ReadClientInfo | ReadContacts | ReadMessages | ReadPresence | the service | RoleManagement | SMS |
    VoipCalling`,
  ),
  section(
    'Permissions',
    'sentence',
    'declared by the app, confirmed by the user | ReadCompanyCallLog for the account’s log',
  ),
  section(
    'Event filters',
    'row',
    'messages | presence | detailed presence | line presence | extensions | reminders',
  ),
  section('Event filters', 'sentence', 'body of a reminder | bounds of threshold and interval'),
  section('Delivery', 'rule', 'webhook and its handshake | hosted channel | encryption'),
  section('Emission', 'rule', 'a message changed | a presence changed | the end is near'),
  section('Errors', 'row', '400 | 401 | 403 for a pager thread | 403 for the account’s log'),
  section('Errors', 'sentence', 'statuses of success | a revocation answers 200 | a failing token request'),
  section(
    'Limits',
    'row',
    `SMS text | pager text | access token | refresh token | authorization code | sync overlap | Deleted to Purged | Purged kept |
    active call latency | active call retention | webhook response time | reminder threshold | reminder interval | renewal advice`,
  ),
  section(
    'Versioning',
    'sentence',
    'v1.0 in the path | token endpoints without version | replaced query-based endpoints',
  ),
];

/** Titles written before this index, or by name instead of number: what they start with, and the places that they cover. */
export const namedTitles: Readonly<Record<string, readonly string[]>> = {
  'Call log and active calls calls that are still routed': ['Call log and active calls sentence 4'],
  'Call log and active calls query parameters are dropped': ['Call log and active calls sentence 2'],
  'Call log query parameters': ['Call log and active calls sentence 1'],
  'Call log record records of one call share': ['Call log record sentence 4'],
  'Call log record the Detailed view adds': ['Call log record sentence 1', 'Call log record sentence 2'],
  'Extension permissions without internationalCalling': ['Leg status row 8'],
  'Limits active call latency': ['Limits row 9'],
  'Limits active call retention': ['Limits row 10'],
  'Outbound call statuses NoSessionFound': ['Leg status row 9'],
  'Two-legged outbound call both spellings': ['Two-legged outbound call sentence 1'],
  'Errors row 403 a user no longer': ['Errors row 3'],
};
