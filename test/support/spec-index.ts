/**
 * Every place of the specification that a test must name, in our words: table rows, numbered rules, and sentences, counted within their
 * section. A title names places as `spec:SMS rule 8`, `spec:Limits rows 3-4`, or several of them with `; spec:` between.
 */
export interface Section {
  readonly name: string;
  readonly kind: 'row' | 'rule' | 'sentence';
  readonly labels: readonly string[];
  /** Lines of the specification: of every place, or of the first where each has the next. */
  readonly lines: number | readonly number[];
  /** Other names of the section in titles. */
  readonly also?: readonly string[];
}

function section(
  name: string,
  kind: Section['kind'],
  lines: Section['lines'],
  labels: string,
  also: readonly string[] = [],
): Section {
  return { name, kind, lines, labels: labels.split('|').map((label) => label.trim()), also };
}

/** Line of the specification of the place with this index in its section. */
export function lineOf({ lines }: Section, index: number): number {
  return typeof lines === 'number' ? lines + index : (lines[index] ?? 0);
}

export const sections: readonly Section[] = [
  section(
    'Conventions',
    'sentence',
    [6, 7, 9],
    'paths start with /restapi | ~ is the caller’s own account or extension | lists come in an envelope',
  ),
  section(
    'What the service does',
    'rule',
    15,
    `queues, agents and presence | a two-legged call, polled and cancelled | messages of four kinds in one mailbox | synchronization |
    call log, recordings, active calls | media, in ranges | notifications by webhook and channel | chat webhooks | tokens`,
  ),
  section(
    'Header',
    'row',
    [307, 309, 332, 206, 206, 281, 424],
    'Authorization: Basic | Authorization: Bearer | Content-Type of a form | Accept | Accept-Language | Range | Validation-Token',
  ),
  section(
    'Query parameter',
    'row',
    [206, 37, 37, 240, 240, 240, 240, 276, 276, 276, 276, 276, 301, 309, 413, 413, 416, 416],
    `type of extensions | page | perPage | messageType of a list | availability of a list | dateFrom of a list | dateTo of a list |
    direction of calls | type of calls | view of calls | dateFrom of calls | dateTo of calls | token of revoke | access_token |
    detailedTelephonyState | sipData | threshold | interval`,
  ),
  section('Paged list', 'row', 32, 'uri | records | paging | navigation'),
  section('Paged list', 'sentence', [37, 37], 'page, perPage, 100 by default | a sync is not paged'),
  section(
    'Extension',
    'row',
    42,
    'uri | id | extensionNumber | contact | name | type | status | permissions | profileImage',
  ),
  section('Department member', 'row', 57, 'uri | id | extensionNumber'),
  section('Bulk-assign', 'row', 64, 'departmentId | addedExtensionIds | removedExtensionIds'),
  section(
    'Presence',
    'row',
    71,
    `uri | extension | presenceStatus | telephonyStatus | userStatus | dndStatus | message | allowSeeMyPresence |
    ringOnMonitoredCall | pickUpCallsOnHold`,
  ),
  section('Outbound call', 'row', 85, 'id | uri | status'),
  section(
    'Message',
    'row',
    92,
    `uri | id | to | from | type | creationTime | lastModifiedTime | readStatus | priority | attachments | direction | availability |
    subject | messageStatus | conversationId | faxResolution | faxPageCount | smsDeliveryTime | pgToDepartment`,
  ),
  section('Message', 'sentence', [112, 112], 'members of a party | prefixes of fields by type'),
  section('Phone number', 'sentence', [115], 'fields of a record'),
  section('Sync info', 'sentence', [118], 'fields of syncInfo'),
  section(
    'Call log record',
    'sentence',
    [121, 123, 123, 123, 123, 125],
    'Simple view | Detailed view adds transport, lastModifiedTime, legs | fields of a leg | one sessionId for a call | recording and contentUri | active calls have the same shape',
  ),
  section(
    'Subscription',
    'row',
    130,
    'id | uri | eventFilters | deliveryMode | expirationTime | creationTime | status',
  ),
  section('Subscription', 'sentence', [138, 138], 'fields of deliveryMode | the secret key'),
  section('Notification', 'sentence', [141], 'fields; the body may be missing'),
  section('Chat webhook', 'sentence', [144], 'fields'),
  section('Post body', 'row', 149, 'icon | title | body | attachments'),
  section('Card', 'sentence', [154, 154], 'fields of a card | events and notes'),
  section(
    'Message availability',
    'row',
    161,
    'new: Alive | deleted: Deleted | restored: Alive | after 5 days: Purged | after 5 more: removed',
  ),
  section(
    'Message availability',
    'sentence',
    [167, 167],
    'a full mailbox loses its oldest | lists hide what is not Alive',
  ),
  section(
    'messageStatus',
    'row',
    170,
    'Received | Queued | Sent | SendingFailed | Delivered | DeliveryFailed',
  ),
  section(
    'callStatus',
    'row',
    [180, 180, 180, 180],
    'InProgress | Success | CannotReach | NoAnsweringMachine',
  ),
  section(
    'Leg status',
    'row',
    [182, 182, 182, 182, 182, 182, 182, 182, 182, 182],
    `InProgress | Busy | NoAnswer | Rejected | Success | Finished | GenericError | InternationalDisabled | NoSessionFound | Invalid`,
  ),
  section('Outbound call statuses', 'row', 186, 'DELETE while the callee is InProgress'),
  section(
    'Subscription states',
    'sentence',
    [191, 191, 191],
    'not renewed: stops at its end | a renewal or PUT moves the end | DELETE removes it',
  ),
  section('Extension status', 'sentence', [194], 'Enabled, Disabled, Frozen'),
  section('Sync', 'sentence', [197], 'FSync makes the first token, ISync takes the one before'),
  section('Endpoints', 'sentence', [201, 201], 'all calls need authorization | JSON, forms for tokens'),
  section(
    'Call queues and presence',
    'row',
    206,
    'list queues | list members | bulk-assign | read presence | change presence',
  ),
  section(
    'Call queues and presence',
    'sentence',
    [212, 212],
    'dndStatus is the queue-agent mode | no operation creates a queue',
  ),
  section('Two-legged outbound call', 'row', 217, 'start | poll | cancel'),
  section(
    'Two-legged outbound call',
    'rule',
    222,
    'to, and from without a default number | E.164 | playPrompt | 400 for what is missing or invalid',
  ),
  section(
    'Two-legged outbound call',
    'sentence',
    [221, 227, 229],
    'both spellings | no caller ID field | forwarding numbers',
  ),
  section('Messaging', 'row', 234, 'sms | company-pager | fax | read a message | phone numbers'),
  section('Messaging', 'sentence', [240], 'list with filters, content, read status, deletion'),
  section(
    'Messaging',
    'rule',
    243,
    `who receives | one or several recipients | a page to a department | numbers that send | main number and operator |
    a department’s number | no page on behalf of a department | SMS to an inactive extension | page to an inactive extension |
    threads are for their recipients`,
    ['SMS', 'Pager', 'SMS and pager'],
  ),
  section(
    'Message sync',
    'row',
    259,
    'syncType | syncToken | messageType | direction | dateFrom, dateTo | recordCount',
  ),
  section(
    'Message sync',
    'sentence',
    [266, 266, 266, 266],
    'uri, records, syncInfo | a frame may change | only what is new or changed; of deleted ones id and availability | read-only, not paged',
  ),
  section(
    'Call log and active calls',
    'row',
    271,
    'log of the account | log of the extension | active calls of the account | active calls of the extension',
  ),
  section(
    'Call log and active calls',
    'sentence',
    [276, 276, 276, 276, 278],
    'query of the log | active calls drop queries, Simple only | replies are alike | only connected calls | several records by key',
  ),
  section(
    'Media content',
    'sentence',
    [281, 281, 281, 281],
    'addresses end in /content/{id} | Range | 206 | addresses are taken as they are given',
  ),
  section('Subscriptions', 'row', 286, 'create | list | change | renew | delete'),
  section(
    'Subscriptions',
    'sentence',
    [292, 292, 292],
    'read one | filters in effect | filters of several extensions',
  ),
  section('Chat webhooks', 'sentence', [295, 295], 'create for a group or team | post to its address'),
  section('Token endpoints', 'row', 300, 'token | revoke, in form or query | authorize'),
  section(
    'Authentication',
    'rule',
    306,
    'the steps of a client | Basic header of the app | bearer header or query | which app may use which flow',
  ),
  section('Authorization code flow', 'row', 315, 'response_type | client_id | redirect_uri | state'),
  section(
    'Authorization code flow',
    'sentence',
    [320, 320, 320],
    'sign-in and consent | redirect with code | denial',
  ),
  section(
    'Code exchange',
    'row',
    325,
    'grant_type | code | redirect_uri | access_token_ttl | refresh_token_ttl',
  ),
  section('Password flow', 'row', 335, 'grant_type | username | extension | password | lifetimes'),
  section('Client credentials flow', 'sentence', [342, 345], 'trusted apps, brand | access_token_ttl'),
  section('Signup session', 'sentence', [343, 343], 'reads dictionaries | 401 for account data'),
  section(
    'Account-centric session',
    'sentence',
    [344, 344, 344],
    'account_id or brand and partner id | its account only | 401 for another',
  ),
  section(
    'Token response',
    'row',
    350,
    'access_token | expires_in | refresh_token | refresh_token_expires_in | scope | token_type | owner_id',
  ),
  section(
    'Token lifetime',
    'rule',
    359,
    'one hour, one week | refresh token: single use, no access | 401 when expired | revoked, and new credentials end all | the refresh request',
  ),
  section('Revocation', 'sentence', [366, 366], 'Basic header and token | 200 in any case'),
  section(
    'Permissions',
    'row',
    373,
    `Accounts | Contacts | DirectRingOut | EditAccounts | EditCallLog | EditCustomData | EditExtensions | EditMessages | EditPaymentInfo |
    EditPresence | EditReportingSettings | Faxes | InternalMessages | Interoperability | Meetings | NumberLookup | ReadAccounts |
    ReadCallLog | ReadCallRecording | ReadClientInfo | ReadContacts | ReadMessages | ReadPresence | the service | RoleManagement | SMS |
    VoipCalling`,
  ),
  section(
    'Permissions',
    'sentence',
    [369, 401],
    'declared by the app, confirmed by the user | ReadCompanyCallLog for the account’s log',
  ),
  section(
    'Event filters',
    'row',
    411,
    'messages | presence | detailed presence | line presence | extensions | reminders',
  ),
  section(
    'Event filters',
    'sentence',
    [420, 420, 408],
    'body of a reminder | bounds of threshold and interval | a path, with a query',
  ),
  section(
    'Delivery',
    'sentence',
    [405, 423],
    'events come through subscriptions | the envelope of a notification',
  ),
  section('Delivery', 'rule', 424, 'webhook and its handshake | hosted channel | encryption'),
  section('Emission', 'rule', 429, 'a message changed | a presence changed | the end is near'),
  section('Errors', 'row', 437, '400 | 401 | 403 for a pager thread | 403 for the account’s log'),
  section(
    'Errors',
    'sentence',
    [442, 442, 442],
    'statuses of success | a revocation answers 200 | a failing token request',
  ),
  section(
    'Limits',
    'row',
    448,
    `SMS text | pager text | access token | refresh token | authorization code | sync overlap | Deleted to Purged | Purged kept |
    active call latency | active call retention | webhook response time | reminder threshold | reminder interval | renewal advice`,
  ),
  section(
    'Versioning',
    'sentence',
    [467, 467, 467, 467],
    'v1.0 in the path | token endpoints without version | replaced query-based endpoints | media addresses come from replies',
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
