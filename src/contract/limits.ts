/** Limits of the service. This module must not import anything, so that the client can use it. */

/** Maximum length of one SMS in UTF-16 code units. */
export const smsTextUnits = 1000;
/** Maximum number of recipients of a text, who form a group (SMS-3, SMS-9). */
export const smsGroupRecipients = 10;
/** Number of texts that ucctl sends in one batch (docs/adr/0052-high-volume-texts.md); the service publishes no maximum. */
export const smsBatchTexts = 100;
/** Maximum length of one pager message in UTF-16 code units. */
export const pagerTextUnits = 1024;
export const accessTokenSeconds = { min: 600, max: 3600, default: 3600 } as const;
/** Default lifetime of a refresh token in seconds. The dialect has the maximum (OAUTH-57). */
export const refreshTokenSeconds = 604_800;
/**
 * A time before the oldest data of a service, in milliseconds since 1970. Without a start of the time range, the service
 * returns only the last day or week.
 */
export const earliestData = Date.UTC(2000);
export const defaultPerPage = 100;
/** Maximum value of perPage. The service reduces a larger value to it. */
export const maxPerPage = 1000;
export const presenceMessageCharacters = 75;
/** Time limit for a webhook's reply in dialect `spec` (WEBHOOK-2). */
export const webhookResponseMilliseconds = 1000;
/** Maximum size of the reply to a handshake in bytes, including its headers. */
export const webhookResponseBytes = 1024;
export const webhookSubscriptionSeconds = { default: 604_800, max: 315_360_000 } as const;
export const channelSubscriptionSeconds = { default: 900, max: 604_800 } as const;
/** Limits of the WebSocket (SOCKET-1, SOCKET-3, SOCKET-6). Times are in seconds. */
export const webSocket = {
  /** Path of the WebSocket, and of the subscriptions that requests through it manage. */
  path: '/restapi/v1.0/subscription',
  tokenSeconds: 30,
  /** Number of events that a session stores for recovery; older events are lost. */
  recoveryBufferSize: 100,
  /** Time after the loss of the connection within which a new connection may continue the session. */
  recoverySeconds: 180,
  /** A connection on which the client sends nothing for this time ends with `codes.idle`. */
  idleSeconds: 1800,
  /** A connection of this age ends with `codes.absolute`. */
  absoluteSeconds: 86_400,
  /** Time within which the recipient of a ping must answer. */
  pongSeconds: 10,
  /** Number of connections for each session of a user with an application. */
  connectionsPerSession: 50,
  /** Number of unanswered requests on a connection. */
  activeRequests: 10,
  /** Error codes of a normal end of the connection (SOCKET-8). */
  codes: { idle: 'WSG-902', absolute: 'WSG-903' },
} as const;
/** Maximum number of subscriptions for each user and application (SUB-505). */
export const subscriptionsPerUser = 20;
/** Seconds before the expiration at which a subscription is renewed, within the one to two minutes of SUBSCRIPTION-23. */
export const renewBeforeExpirySeconds = 90;
/** Maximum number of requests per minute in each usage group (RATE-1 to RATE-4). */
export const requestsPerMinute = { Light: 50, Medium: 40, Heavy: 10, Auth: 5 } as const;
/** Maximum number of IDs in a path. */
export const idsPerPath = 50;
/** Maximum number of IDs in a body, with `*` in the path. */
export const idsPerBody = 1000;
/** Content type of a request or reply for several IDs, as one JSON array. */
export const batchContentType = 'application/vnd.ringcentral.multipart+json';
/** Maximum total size in bytes and maximum number of the files of one text (SMS-9). */
export const mmsBytes = 1_500_000;
/** Maximum size of a request with files in bytes, including the other parts of the request. */
export const mmsRequestBytes = 2_000_000;
export const mmsFiles = 10;
export const faxBytes = 50 * 1024 * 1024;
export const faxPages = 200;
export const faxCoverTextCharacters = 1024;
export const faxCoverIndexMax = 13;
/** Seconds before the previous sync from which a sync repeats changes (SYNC-14). */
export const syncOverlapSeconds = 5;
/** Period of a sync without dateFrom, in seconds (SYNC-5). */
export const syncDefaultSeconds = 7 * 86_400;
/** Maximum number of records of a sync of the call log; more changes require a full sync (CALL-25). */
export const callSyncRecords = 250;
/** Period of a list without dateFrom, in seconds (MESSAGE-43). */
export const listDefaultSeconds = 86_400;
/** Seconds after which the service purges a deleted message, and removes a purged one. */
export const deletedSeconds = 5 * 86_400;
export const purgedSeconds = 5 * 86_400;
/** Maximum number of messages of one kind in a mailbox; the service then deletes the oldest (MESSAGE-31). */
export const mailboxMessages = 5000;
/**
 * Maximum number of unread voicemails, and of unread faxes, in a mailbox. The next message replaces the oldest
 * (MESSAGE-31).
 */
export const unreadMessages = 200;
/** Days for which the service stores sent faxes (MESSAGE-31). */
export const sentFaxDays = 30;
/** An ended call appears among the active calls after 3 to 10 s, and remains there for `activeCallRetentionSeconds`. */
export const activeCallLatencySeconds = { min: 3, max: 10 } as const;
export const activeCallRetentionSeconds = 120;
/** Minimum length of a call that is recorded, in seconds (MEDIA-6). */
export const recordingMinSeconds = 30;
export const chatFieldBytes = 300;
/** Maximum total size of the attachments of a post, in bytes. */
export const chatPostBytes = 1_500_000;
/** Maximum size of a post in bytes, including its attachments. */
export const chatRequestBytes = 2_000_000;
export const authorizationCodeSeconds = 60;
/** Maximum number of sessions for each user and application. The next session ends the oldest one (OAUTH-50). */
export const sessionsPerUser = 5;
/** Age in days and number of the records that a search in the audit trail covers (AUDIT-3). */
export const auditTrail = { days: 180, records: 10_000 } as const;
/** Maximum number of extensions in one bulk update (EXT-18). */
export const extensionBulkUpdate = { records: 500 } as const;
